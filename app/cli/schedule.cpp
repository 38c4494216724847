// schedule: prints a schedule as PyTorch's CSV, as a grid or as JSON.
#include "engine/plan/schedule.h"

#include <iostream>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "app/cli/cli.h"
#include "engine/plan/generate.h"

namespace lanelab {
namespace {

struct Options {
  std::string name;
  int stages = 0;
  std::optional<int> lanes;  ///< none: one lane a stage
  int micro_batches = 0;
  std::string format = "text";
  bool json = false;
};

std::string toJson(const Options& options, const Schedule& schedule) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& row : schedule.lanes) {
    nlohmann::ordered_json actions = nlohmann::ordered_json::array();
    for (const Action& action : row) actions.push_back(toString(action));
    rows.push_back(std::move(actions));
  }
  const nlohmann::ordered_json object = {
      {"schedule", options.name}, {"stages", schedule.stages}, {"micro_batches", schedule.micro_batches}, {"lanes", std::move(rows)}};
  return object.dump(2) + "\n";
}

// Stage s lies on lane s mod P, as PyTorch's looped placement has it.
Result<std::vector<LaneId>> placeStages(const Options& options) {
  if (options.stages > most_stages)
    return Error::badInput("--stages is " + std::to_string(options.stages) + ": choose at most " + std::to_string(most_stages) + ".");
  if (options.stages < 1) return Error::badInput("--stages is " + std::to_string(options.stages) + ": choose at least 1.");
  const int lanes = options.lanes.value_or(options.stages);
  if (lanes < 1 || lanes > options.stages) {
    return Error::badInput("--lanes is " + std::to_string(lanes) + ", but there " +
                           (options.stages == 1 ? "is 1 stage" : "are " + std::to_string(options.stages) + " stages") + ": choose 1 to " +
                           std::to_string(options.stages) + ".");
  }
  std::vector<LaneId> lane_of_stage;
  for (int stage = 0; stage < options.stages; ++stage) lane_of_stage.emplace_back(stage % lanes);
  return lane_of_stage;
}

Status printSchedule(const Options& options) {
  const Result<std::vector<LaneId>> lane_of_stage = placeStages(options);
  if (!lane_of_stage.ok()) return lane_of_stage.error();
  const int lanes = options.lanes.value_or(options.stages);
  const Result<Schedule> schedule = generateSchedule(options.name, *lane_of_stage, lanes, options.micro_batches);
  if (!schedule.ok()) return schedule.error();
  const std::string format = options.json ? "json" : options.format;
  std::cout << (format == "csv" ? toCsv(*schedule) : format == "json" ? toJson(options, *schedule) : toGrid(*schedule));
  return {};
}

}  // namespace

void addSchedule(CLI::App& app, CliContext& context) {
  CLI::App* command = app.add_subcommand("schedule", "Print the order in which each lane computes");
  const auto options = std::make_shared<Options>();
  command->add_option("NAME", options->name, "gpipe or 1f1b")->required();
  command->add_option("--stages", options->stages, "Stages in all")->required();
  command->add_option("--lanes", options->lanes, "Lanes; stage s lies on lane s mod LANES (default: one lane a stage)");
  command->add_option("--micro-batches", options->micro_batches, "Micro-batches a step")->required();
  command->add_option("--format", options->format, "text: a grid in unit times; csv: PyTorch's compute-only CSV, one row a lane; json")
      ->check(CLI::IsMember({"text", "csv", "json"}))
      ->capture_default_str();
  command->add_flag("--json", options->json, "The same as --format json");
  chosen(command, context, [options] { return printSchedule(*options); });
}

}  // namespace lanelab
