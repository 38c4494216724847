// SPDX-License-Identifier: GPL-3.0-only
// schedule: prints a schedule, made by name or read from a file, as PyTorch's CSV, as a grid or as JSON.
#include "engine/schedule/schedule.h"
#include "base/json_text.h"
#include "base/text.h"
#include "base/whole_file.h"

#include <iostream>
#include <memory>
#include <optional>

#include "app/cli/cli.h"
#include "engine/schedule/check.h"
#include "engine/schedule/generate.h"

namespace lanelab {
namespace {

constexpr std::uint64_t kLargestFile = 64ull << 20;

struct ScheduleArguments {
  std::string name;
  std::string file;
  std::optional<int> stages;
  std::optional<int> lanes;  ///< none: one lane a stage, two stages a lane in a V
  std::vector<int> place;    ///< the lane of each stage, instead of `lanes`
  std::optional<int> micro_batches;
  std::vector<std::string> times;  ///< F:I:W of each stage, or one for all
  ScheduleLimits limits;
  std::string window = toWord(WindowKind::Step);
  std::string format = "text";
  bool json = false;
};

std::string toJson(const std::string& name, const Schedule& schedule) {
  Json rows = Json::array();
  for (const auto& row : schedule.lanes) {
    Json actions = Json::array();
    for (const Action& action : row) actions.push_back(toString(action));
    rows.push_back(std::move(actions));
  }
  const Json object = {{"schedule", name},
                       {"stages", schedule.stages},
                       {"micro_batches", schedule.micro_batches},
                       {"lanes", std::move(rows)}};
  return jsonText(object, 2) + "\n";
}

std::string stagesInWords(int stages) { return (stages == 1 ? "is " : "are ") + counted(stages, "stage"); }

Result<std::vector<LaneId>> placeStages(const ScheduleArguments& options, ScheduleKind kind) {
  const int stages = *options.stages;
  if (stages > kMostStages) return Error::badInput("--stages is {}. Choose at most {}.", stages, kMostStages);
  if (stages < 1) return Error::badInput("--stages is {}. Choose at least 1.", stages);
  if (!options.place.empty()) {
    if (options.place.size() != static_cast<std::size_t>(stages))
      return Error::badInput("--place names {} lanes, but there {}. Name the lane of each stage.", options.place.size(),
                             stagesInWords(stages));
    std::vector<LaneId> lane_of_stage;
    for (const int lane : options.place) {
      if (lane < 0 || lane >= kMostStages)
        return Error::badInput("--place holds {}. Choose 0 or above, since lanes count from 0.", lane);
      lane_of_stage.emplace_back(lane);
    }
    return lane_of_stage;
  }
  const int lanes = options.lanes.value_or(usualLanes(kind, stages));
  if (lanes < 1 || lanes > stages)
    return Error::badInput("--lanes is {}, but there {}. Choose 1 to {}.", lanes, stagesInWords(stages), stages);
  return lanesOfStages(kind, stages, lanes);
}

Result<std::vector<StageTimes>> timesOf(const ScheduleArguments& options) {
  std::vector<StageTimes> times;
  for (const std::string& text : options.times) {
    const Result<StageTimes> parsed = parseStageTimes(text);
    if (!parsed.ok()) return Error::badInput("--times: {}", parsed.error());
    times.push_back(*parsed);
  }
  if (times.size() == 1) times.resize(static_cast<std::size_t>(*options.stages), times.front());
  if (times.empty() || times.size() == static_cast<std::size_t>(*options.stages)) return times;
  return Error::badInput("--times names {} stages, but there {}. Name one F:I:W per stage, or one for all.",
                         times.size(), stagesInWords(*options.stages));
}

Result<Schedule> makeSchedule(const ScheduleArguments& options) {
  const Result<ScheduleKind> kind = parseScheduleName(options.name);
  if (!kind.ok()) return kind.error();
  if (!options.stages) return Error::badInput("--stages is missing. Name the number of stages.");
  if (!options.micro_batches) return Error::badInput("--micro-batches is missing. Name the micro-batches per step.");
  const Result<std::vector<LaneId>> lane_of_stage = placeStages(options, *kind);
  if (!lane_of_stage.ok()) return lane_of_stage.error();
  const Result<std::vector<StageTimes>> times = timesOf(options);
  if (!times.ok()) return times.error();
  int lanes = 0;
  for (const LaneId lane : *lane_of_stage) lanes = std::max(lanes, lane.value + 1);
  return generateSchedule(*kind, *lane_of_stage, lanes, *options.micro_batches, *fromWord<WindowKind>(options.window),
                          *times, options.limits);
}

// Read, and proved to end.
Result<Schedule> readSchedule(const std::string& file) {
  const Result<std::string> text = readWholeFile(file, kLargestFile);
  if (!text.ok()) return text.error();
  Result<Schedule> schedule = parseScheduleCsv(*text);
  if (!schedule.ok()) return Error::badInput("{}: {}", file, schedule.error());
  const std::vector<ScheduleProblem> problems = checkSchedule(*schedule, lanesOfRows(*schedule));
  if (!problems.empty()) return Error::badInput("{}: {}", file, problems.front().message);
  return schedule;
}

Status printSchedule(const ScheduleArguments& options) {
  if (options.name.empty() == options.file.empty())
    return options.name.empty()
               ? Error::badInput("Neither NAME nor --file is given. Name a schedule, such as 1f1b, or a CSV file.")
               : Error::badInput("Both NAME and --file are given. Remove one of them.");
  const Result<Schedule> schedule = options.file.empty() ? makeSchedule(options) : readSchedule(options.file);
  if (!schedule.ok()) return schedule.error();
  const std::string format = options.json ? "json" : options.format;
  const std::string name = options.file.empty() ? options.name : "custom";
  std::cout << (format == "csv" ? toCsv(*schedule) : format == "json" ? toJson(name, *schedule) : toGrid(*schedule));
  return {};
}

}  // namespace

void addSchedule(const Command& app, CliContext& context) {
  const Command command = app.subcommand("schedule", "Print the order in which each lane computes");
  command.help({.examples = {"schedule 1f1b --stages 4 --micro-batches 8",
                             "schedule zb-h1 --stages 4 --micro-batches 8 --window period --format csv",
                             "schedule --file order.csv"},
                .notes =
                    "gpipe, 1f1b, zb-h1 and list take any placement; interleaved-1f1b, interleaved-zb and looped-bfs "
                    "take stages that are assigned to lanes round-robin; zb-v, v-half, v-min and dualpipe-v take "
                    "two stages per lane in a V, hanayo several such waves. With --file a schedule is read, proven "
                    "to end, and printed."});
  const auto options = std::make_shared<ScheduleArguments>();
  command.option("NAME", options->name, joinOr(knownScheduleNames()));
  const Option file = command.option("--file FILE", options->file,
                                     "CSV file to read, as PyTorch's compute-only schedules, one row per lane");
  const auto ofNames = [file](const Option& option) { return option.excludes(file); };
  ofNames(command.option("--stages", options->stages, "Number of stages"));
  const Option lanes = ofNames(command.option(
      "--lanes", options->lanes,
      "Number of lanes; stage s is on lane s mod N (default: one lane per stage), for schedules in a V such as "
      "zb-v down and back (default: half the stages)"));
  ofNames(command.option("--place N,...", options->place, "Lane of each stage, such as 0,1,1,0")
              .commaSeparated()
              .excludes(lanes));
  ofNames(command.option("--micro-batches", options->micro_batches, "Micro-batches per step"));
  ofNames(command.option(
      "--warm-up", options->limits.warm_up,
      "1f1b, zb-h1, interleaved-1f1b, hanayo: forwards of the first lane before its first backward (zb-h1 "
      "with 2 x stages - 1 is ZB-H2); list: most micro-batches in flight per stage"));
  ofNames(command
              .option("--times TIMES,...", options->times,
                      "list: times of each stage as F:I:W, or one for all stages, such as 12:10:8,9:9:7")
              .commaSeparated());
  ofNames(command
              .option("--stage-bytes N,...", options->limits.stage_bytes,
                      "list: bytes that each stage stores per micro-batch, such as 4000,2000")
              .commaSeparated());
  ofNames(command.option("--lane-bytes", options->limits.lane_bytes, "list: memory limit of a lane in bytes"));
  ofNames(command
              .option("--held-share SHARE", options->limits.held_after_input,
                      "list: what a micro-batch counts from I to W, 0 to 1, for --warm-up")
              .showDefault());
  ofNames(command
              .option("--window WINDOW", options->window,
                      "zb-h1, list: what the order makes shortest; step: all lanes begin each step together; period: "
                      "steps without a barrier")
              .oneOf(words<WindowKind>())
              .showDefault());
  command
      .option("--format FORMAT", options->format,
              "text: a grid in unit times; csv: PyTorch's compute-only CSV, one row per lane; json")
      .oneOf({"text", "csv", "json"})
      .showDefault();
  command.json(options->json, "JSON, as --format json");
  chosen(command, context, [options] { return printSchedule(*options); });
}

}  // namespace lanelab
