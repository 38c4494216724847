// SPDX-License-Identifier: GPL-3.0-only
#include "engine/jobs/comparison_tables.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/csv.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "base/utf8.h"
#include "engine/record/speed_words.h"
#include "profiler/io/tables/line_object.h"
#include "profiler/io/tables/statistics_tables.h"

namespace lanelab {
namespace {

constexpr std::size_t kComputePart = static_cast<std::size_t>(TimePart::Compute);

std::string timeText(double nanoseconds) { return plainDuration(std::llround(nanoseconds)); }
std::string signedTime(double nanoseconds) { return (nanoseconds > 0 ? "+" : "") + timeText(nanoseconds); }
std::string briefName(const std::string& name) {
  constexpr std::size_t kMostCharacters = 44;
  return name.empty() ? "(none)" : onOneTerminalLine(cutInMiddle(name, kMostCharacters));
}
/// Collectives have the category of kernels in files.
std::string categoryText(Category category) {
  return category == Category::Communication ? "communication" : std::string(toString(category));
}
std::string countText(double count) { return formatNumber(count, 4); }

std::string phaseWords(Phase phase) {
  switch (phase) {
    case Phase::Forward: return "forward";
    case Phase::Backward: return "backward";
    case Phase::BackwardInput: return "backward input";
    case Phase::BackwardWeight: return "backward weight";
    case Phase::Update: return "update";
    case Phase::None: break;
  }
  return {};
}

/// Before, after, difference, its interval, and what it shows.
void appendTime(std::vector<std::string>& row, const ComparedTime& time) {
  row.insert(row.end(),
             {timeText(time.before.mean), timeText(time.after.mean), signedTime(time.difference()),
              time.ci95 ? signedTime(time.ci95->low) + " to " + signedTime(time.ci95->high) : "", toWord(time.change)});
}

constexpr const char* kTimeHeaders[] = {"Before", "After", "Difference", "95 % CI", "Change"};

TableRows withTimeHeaders(std::vector<std::string> headers) {
  headers.insert(headers.end(), std::begin(kTimeHeaders), std::end(kTimeHeaders));
  return {std::move(headers)};
}

bool isNothing(const ComparedTime& time) { return time.before.mean == 0 && time.after.mean == 0; }

std::string laneText(const ComparedLane& lane) {
  return lane.before == lane.after ? briefName(lane.before) : briefName(lane.before) + " / " + briefName(lane.after);
}

/// Places of at most `most` lanes, in order: those whose compute changed most.
std::vector<std::size_t> lanesThatChanged(const TraceComparison& compared, std::size_t most) {
  std::vector<std::size_t> lanes(compared.lanes.size());
  std::iota(lanes.begin(), lanes.end(), std::size_t{0});
  if (lanes.size() <= most) return lanes;
  std::ranges::stable_sort(lanes, std::greater(), [&](std::size_t lane) {
    return std::abs(compared.lanes[lane].parts[kComputePart].difference());
  });
  lanes.resize(most);
  std::ranges::sort(lanes);
  return lanes;
}

/// Places of the causes that occur, the largest first.
std::vector<std::size_t> causesBySize(const TraceComparison& compared) {
  std::vector<std::size_t> causes;
  for (std::size_t i = 0; i < kCauseCount; ++i)
    if (!isNothing(compared.causes[i])) causes.push_back(i);
  std::ranges::stable_sort(causes, std::greater(), [&](std::size_t i) {
    return std::max(compared.causes[i].before.mean, compared.causes[i].after.mean);
  });
  return causes;
}

Message stepsText(const TraceComparison& compared) {
  return sentence("n = {} and {} steps", compared.before.n, compared.after.n);
}

/// What the tables hold, row by row: for CSV.
struct FlatRow {
  const char* table;
  std::string name;
  std::string phase = {};
  std::optional<double> count_before = {}, count_after = {};
  std::optional<StepTime> before = {}, after = {};
  const ComparedTime* time = nullptr;  ///< null for what only one has
};

FlatRow bothOf(const char* table, std::string name, const ComparedTime& time) {
  return {table, std::move(name), {}, {}, {}, time.before, time.after, &time};
}

void addNames(std::vector<FlatRow>& rows, const TraceComparison& compared) {
  for (const ComparedName& name : compared.names)
    rows.push_back(
        {"name", name.name, {}, name.count_before, name.count_after, name.time.before, name.time.after, &name.time});
  const auto perStep = [](const NameProfile& name, int steps) { return static_cast<double>(name.count) / steps; };
  for (const NameProfile& name : compared.names_only_before)
    rows.push_back({"name", name.name, {}, perStep(name, compared.steps_before), {}, name.time});
  for (const NameProfile& name : compared.names_only_after)
    rows.push_back({"name", name.name, {}, {}, perStep(name, compared.steps_after), {}, name.time});
}

void addStages(std::vector<FlatRow>& rows, const TraceComparison& compared) {
  for (const ComparedStage& stage : compared.stages)
    rows.push_back({"stage", std::to_string(stage.stage), phaseWords(stage.phase), stage.count_before,
                    stage.count_after, stage.time.before, stage.time.after, &stage.time});
  for (const StageProfile& stage : compared.stages_only_before)
    rows.push_back({"stage", std::to_string(stage.stage), phaseWords(stage.phase), stage.per_step, {}, stage.time});
  for (const StageProfile& stage : compared.stages_only_after)
    rows.push_back({"stage", std::to_string(stage.stage), phaseWords(stage.phase), {}, stage.per_step, {}, stage.time});
}

/// All but the step itself.
std::vector<FlatRow> flatRows(const TraceComparison& compared) {
  std::vector<FlatRow> rows;
  for (std::size_t part = 0; part < kTimePartCount; ++part)
    rows.push_back(bothOf("part", toWord(static_cast<TimePart>(part)), compared.parts[part]));
  for (const std::size_t cause : causesBySize(compared))
    rows.push_back(bothOf("cause", std::string(kCauseTexts[cause]), compared.causes[cause]));
  addStages(rows, compared);
  for (const ComparedLane& lane : compared.lanes)
    for (std::size_t part = 0; part < kTimePartCount; ++part) {
      rows.push_back(bothOf("lane", lane.before, lane.parts[part]));
      rows.back().phase = toWord(static_cast<TimePart>(part));
    }
  addNames(rows, compared);
  return rows;
}

void putMicroseconds(LineObject& object, std::string_view key, std::optional<double> nanoseconds) {
  if (nanoseconds) {
    object.time(key, std::llround(*nanoseconds));
  } else {
    object.key(key) += "null";
  }
}

void putTime(LineObject& object, const ComparedTime& time) {
  putMicroseconds(object, "before_us", time.before.mean);
  putMicroseconds(object, "after_us", time.after.mean);
  putMicroseconds(object, "difference_us", time.difference());
  std::string& interval = object.key("ci95_us");
  interval += time.ci95 ? "[" + microsecondsText(std::llround(time.ci95->low)) + ", " +
                              microsecondsText(std::llround(time.ci95->high)) + "]"
                        : "null";
  object.text("change", toWord(time.change));
}

std::string summaryJson(const std::string& title, const Summary& summary, const std::optional<JobSlowdown>& slowdown) {
  std::string text;
  LineObject object(text);
  object.text("trace", title);
  object.number("steps", summary.n);
  object.number("step_s", summary.mean);
  object.number("std_s", summary.std);
  object.number("median_s", summary.median);
  std::string& interval = object.key("ci95_s");
  interval +=
      summary.ci95 ? "[" + exactNumber(summary.ci95->low) + ", " + exactNumber(summary.ci95->high) + "]" : "null";
  object.key("slowdown") += slowdown ? exactNumber(slowdown->ratio()) : "null";
  object.close();
  return text;
}

std::string messagesJson(const std::vector<Message>& messages) {
  std::string text = "[";
  for (const Message& said : messages) appendJsonString(text += text.size() > 1 ? ",\n    " : "\n    ", said.message);
  return text + "]";
}

std::string ratioJson(const Ratio& ratio) {
  std::string text;
  LineObject object(text);
  object.key("ratio") += exactNumber(ratio.ratio);
  object.key("ci95") +=
      ratio.ci95 ? "[" + exactNumber(ratio.ci95->low) + ", " + exactNumber(ratio.ci95->high) + "]" : "null";
  object.text("verdict", speedWords(ratio).message);
  object.close();
  return text;
}

void appendOnly(std::string& out, const std::vector<NameProfile>& names, int steps) {
  appendLines(out, names, "    ", [&](LineObject& object, const NameProfile& name) {
    object.text("name", name.name);
    object.text("category", categoryText(name.category));
    object.number("count", static_cast<double>(name.count) / steps);
    putMicroseconds(object, "time_us", name.time.mean);
  });
}

/// A slowdown before and after.
struct ComparedSlowdown {
  std::string name;
  double before = 1;
  double after = 1;
};

/// Of all operations, each of both, and each stage of both; none unless both recordings have it.
std::vector<ComparedSlowdown> slowdownsOfBoth(const ComparedTraces& traces) {
  if (!traces.slowdown_before || !traces.slowdown_after) return {};
  const JobSlowdown &before = *traces.slowdown_before, &after = *traces.slowdown_after;
  std::vector<ComparedSlowdown> both{{"all operations", before.ratio(), after.ratio()}};
  for (const auto& [name, ratio] : before.by_operation) {
    const auto other = std::ranges::find(after.by_operation, name, [](const auto& one) { return one.first; });
    if (other != after.by_operation.end()) both.push_back({name, ratio, other->second});
  }
  for (std::size_t stage = 0; stage < std::min(before.by_stage.size(), after.by_stage.size()); ++stage)
    both.push_back({"stage " + std::to_string(stage), before.by_stage[stage], after.by_stage[stage]});
  return both;
}

std::string slowdownText(double ratio) { return formatFixed(ratio, 3); }

}  // namespace

Message stepSentence(const TraceComparison& compared) {
  const Ratio& ratio = compared.step;
  const std::string before = formatSeconds(compared.before.mean), after = formatSeconds(compared.after.mean);
  if (!ratio.ci95)
    return sentence("The step takes {} before and {} after ({}; an interval needs {}).", before, after,
                    stepsText(compared), kFewestForInterval);
  if (!ratio.isClear())
    return sentence(
        "No difference in step time is shown: {} before and {} after (95 % CI of the speed-up {} to {}x; {}).", before,
        after, formatFigures(ratio.ci95->low), formatFigures(ratio.ci95->high), stepsText(compared));
  const bool faster = ratio.word == Ratio::Word::Faster;
  const double low = faster ? ratio.ci95->low : 1 / ratio.ci95->high;
  const double high = faster ? ratio.ci95->high : 1 / ratio.ci95->low;
  return sentence("The step takes {} before and {} after: {} (95 % CI {} to {}x; {}).", before, after,
                  speedWords(ratio), formatFigures(low), formatFigures(high), stepsText(compared));
}

std::vector<Message> comparisonSentences(const ComparedTraces& traces) {
  const TraceComparison& compared = traces.compared;
  std::vector<Message> said{stepSentence(compared)};
  if (compared.step.ci95)
    said.push_back(
        sentence("Intervals are over the steps of these two recordings; other recordings of the same jobs may differ "
                 "by more."));
  if (!traces.unlike.empty())
    said.push_back(
        sentence("The jobs differ: {}. A step of one is not the work of a step of the other.", listed(traces.unlike)));
  if (!compared.lanes_only_before.empty() || !compared.lanes_only_after.empty())
    said.push_back(sentence("{} of the first and {} of the second have no counterpart and are left out of the table.",
                            counted(static_cast<std::int64_t>(compared.lanes_only_before.size()), "lane"),
                            counted(static_cast<std::int64_t>(compared.lanes_only_after.size()), "lane")));
  return said;
}

TableRows partDifferenceRows(const TraceComparison& compared) {
  TableRows rows = withTimeHeaders({"Mean lane"});
  for (std::size_t part = 0; part < kTimePartCount; ++part) {
    if (isNothing(compared.parts[part])) continue;
    const auto of = static_cast<TimePart>(part);
    rows.push_back({of == TimePart::Idle ? "nothing recorded" : wordsFor(of)});
    appendTime(rows.back(), compared.parts[part]);
  }
  return rows;
}

TableRows idleDifferenceRows(const TraceComparison& compared) {
  TableRows rows = withTimeHeaders({"Cause of idle time"});
  for (const std::size_t cause : causesBySize(compared)) {
    rows.push_back({std::string(wordsFor(static_cast<Cause>(cause)))});
    appendTime(rows.back(), compared.causes[cause]);
  }
  if (rows.size() == 1) return rows;
  rows.push_back({"idle"});
  appendTime(rows.back(), compared.idle);
  return rows;
}

TableRows stageDifferenceRows(const TraceComparison& compared) {
  TableRows rows = withTimeHeaders({"Stage", "Phase", "Actions before", "after"});
  for (const ComparedStage& stage : compared.stages) {
    rows.push_back({std::to_string(stage.stage), phaseWords(stage.phase), countText(stage.count_before),
                    countText(stage.count_after)});
    appendTime(rows.back(), stage.time);
  }
  const auto addOnly = [&](const StageProfile& stage, bool before) {
    const std::string count = countText(stage.per_step), time = timeText(stage.time.mean);
    rows.push_back({std::to_string(stage.stage), phaseWords(stage.phase), before ? count : "", before ? "" : count,
                    before ? time : "", before ? "" : time, "", "", before ? "only before" : "only after"});
  };
  for (const StageProfile& stage : compared.stages_only_before) addOnly(stage, true);
  for (const StageProfile& stage : compared.stages_only_after) addOnly(stage, false);
  return rows;
}

TableRows laneTimeRows(const TraceComparison& compared, std::size_t most) {
  TableRows rows = withTimeHeaders({"Lane", "Time"});
  for (const std::size_t place : lanesThatChanged(compared, most)) {
    const ComparedLane& lane = compared.lanes[place];
    const std::pair<const char*, const ComparedTime*> shown[] = {
        {"step", &lane.window}, {"compute", &lane.parts[kComputePart]}, {"idle", &lane.idle}};
    for (const auto& [words, time] : shown) {
      rows.push_back({time == &lane.window ? laneText(lane) : "", words});
      appendTime(rows.back(), *time);
    }
  }
  return rows;
}

TableRows nameDifferenceRows(const TraceComparison& compared, std::size_t most) {
  TableRows rows = withTimeHeaders({"Name", "Category", "Count before", "after"});
  for (std::size_t i = 0; i < std::min(most, compared.names.size()); ++i) {
    const ComparedName& name = compared.names[i];
    rows.push_back(
        {briefName(name.name), categoryText(name.category), countText(name.count_before), countText(name.count_after)});
    appendTime(rows.back(), name.time);
  }
  return rows;
}

TableRows nameRows(const std::vector<NameProfile>& names, int steps, std::size_t most) {
  TableRows rows = {{"Name", "Category", "Count", "Time"}};
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
    rows.push_back({briefName(names[i].name), categoryText(names[i].category),
                    countText(static_cast<double>(names[i].count) / std::max(1, steps)), timeText(names[i].time.mean)});
  return rows;
}

TableRows slowdownDifferenceRows(const ComparedTraces& traces) {
  TableRows rows = {{"Slowdown against the ideal step", "Before", "After"}};
  for (const ComparedSlowdown& slowdown : slowdownsOfBoth(traces))
    rows.push_back({briefName(slowdown.name), slowdownText(slowdown.before), slowdownText(slowdown.after)});
  return rows;
}

std::string comparisonJson(const ComparedTraces& traces) {
  const TraceComparison& compared = traces.compared;
  std::string out = "{\n  \"before\": " + summaryJson(traces.before, compared.before, traces.slowdown_before) +
                    ",\n  \"after\": " + summaryJson(traces.after, compared.after, traces.slowdown_after) +
                    ",\n  \"step\": " + ratioJson(compared.step) +
                    ",\n  \"sentences\": " + messagesJson(comparisonSentences(traces)) + ",\n  \"parts\": ";
  const auto named = [](LineObject& object, const std::pair<std::string, const ComparedTime*>& row) {
    object.text("name", row.first);
    putTime(object, *row.second);
  };
  std::vector<std::pair<std::string, const ComparedTime*>> rows;
  for (std::size_t part = 0; part < kTimePartCount; ++part)
    rows.emplace_back(toWord(static_cast<TimePart>(part)), &compared.parts[part]);
  appendLines(out, rows, "    ", named);
  rows.clear();
  for (const std::size_t cause : causesBySize(compared))
    rows.emplace_back(std::string(kCauseTexts[cause]), &compared.causes[cause]);
  appendLines(out += ",\n  \"causes\": ", rows, "    ", named);
  LineObject idle(out += ",\n  \"idle\": ");
  putTime(idle, compared.idle);
  idle.close();
  appendLines(out += ",\n  \"stages\": ", compared.stages, "    ", [](LineObject& object, const ComparedStage& stage) {
    object.number("stage", stage.stage);
    object.text("phase", phaseWords(stage.phase));
    object.number("count_before", stage.count_before);
    object.number("count_after", stage.count_after);
    putTime(object, stage.time);
  });
  appendLines(out += ",\n  \"lanes\": ", compared.lanes, "    ", [](LineObject& object, const ComparedLane& lane) {
    object.text("before", lane.before);
    object.text("after", lane.after);
    LineObject window(object.key("step"));
    putTime(window, lane.window);
    window.close();
    LineObject without(object.key("without_compute"));
    putTime(without, lane.idle);
    without.close();
    for (std::size_t part = 0; part < kTimePartCount; ++part) {
      LineObject of(object.key(toWord(static_cast<TimePart>(part))));
      putTime(of, lane.parts[part]);
      of.close();
    }
  });
  appendLines(out += ",\n  \"names\": ", compared.names, "    ", [](LineObject& object, const ComparedName& name) {
    object.text("name", name.name);
    object.text("category", categoryText(name.category));
    object.number("count_before", name.count_before);
    object.number("count_after", name.count_after);
    putTime(object, name.time);
  });
  appendOnly(out += ",\n  \"only_before\": ", compared.names_only_before, compared.steps_before);
  appendOnly(out += ",\n  \"only_after\": ", compared.names_only_after, compared.steps_after);
  appendLines(out += ",\n  \"slowdown\": ", slowdownsOfBoth(traces), "    ",
              [](LineObject& object, const ComparedSlowdown& slowdown) {
                object.text("name", slowdown.name);
                object.number("before", slowdown.before);
                object.number("after", slowdown.after);
              });
  return out + "\n}\n";
}

std::string traceComparisonCsv(const ComparedTraces& traces) {
  const TraceComparison& compared = traces.compared;
  std::string csv;
  CsvTable table(csv,
                 "table,name,phase,count_before,count_after,before_us,after_us,difference_us,ci95_low_us,ci95_high_us,"
                 "change");
  const auto put = [&](std::optional<double> nanoseconds) {
    table.number(nanoseconds ? microsecondsText(std::llround(*nanoseconds)) : "");
  };
  const auto meanOf = [](const std::optional<StepTime>& time) {
    return time ? std::optional(time->mean) : std::nullopt;
  };
  table.text("step").text("").text("").number("").number("");
  put(1e9 * compared.before.mean), put(1e9 * compared.after.mean);
  put(1e9 * (compared.after.mean - compared.before.mean));
  table.number("").number("").text(speedWords(compared.step).message).endRow();
  for (const FlatRow& row : flatRows(compared)) {
    table.text(row.table).text(row.name).text(row.phase);
    table.exact(row.count_before.value_or(0), row.count_before.has_value());
    table.exact(row.count_after.value_or(0), row.count_after.has_value());
    put(meanOf(row.before)), put(meanOf(row.after));
    put(row.time ? std::optional(row.time->difference()) : std::nullopt);
    const bool interval = row.time && row.time->ci95;
    put(interval ? std::optional(row.time->ci95->low) : std::nullopt);
    put(interval ? std::optional(row.time->ci95->high) : std::nullopt);
    table.text(row.time ? toWord(row.time->change) : row.before ? "only before" : "only after").endRow();
  }
  return csv;
}

}  // namespace lanelab
