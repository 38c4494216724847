// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/plan_answer.h"

#include <algorithm>

#include "app/cli/planning_costs.h"
#include "base/json_text.h"
#include "base/text.h"
#include "base/text_table.h"
#include "engine/schedule/generate.h"
#include "engine/schedule/schedule_kind.h"

namespace lanelab {
namespace {

/// All the work on the fastest lane alone.
double oneLane(const PartitionProblem& problem) {
  double time = 0;
  for (const PartitionBlock& block : problem.blocks) time += block.time;
  return time * std::ranges::min(problem.slowness);
}

std::vector<std::string> namesOf(const PartitionProblem& problem, const std::vector<BlockId>& cuts) {
  std::vector<std::string> names;
  for (const BlockId block : cuts) names.push_back(problem.blocks[block.index()].name);
  return names;
}

/// The speed-up vs the fastest lane alone that many micro-batches approach.
double speedUp(const PartitionProblem& problem, const Partition& cut) {
  return cut.bottleneck > 0 ? oneLane(problem) / cut.bottleneck : 1;
}

/// What the answer recommends.
const Partition& recommended(const PlanAnswer& answer) {
  return answer.fastest ? answer.fastest->partition : answer.best();
}

void addForecast(Json& object, const StepForecast& forecast) {
  object["step_ms"] = millisecondsOf(forecast.step_seconds);
  object["period_ms"] = millisecondsOf(forecast.period_seconds);
}

bool fits(const std::vector<std::int64_t>& peaks, const std::vector<std::int64_t>& limits) {
  for (std::size_t lane = 0; lane < peaks.size(); ++lane)
    if (limits[lane] > 0 && peaks[lane] > limits[lane]) return false;
  return true;
}

bool fits(const PlanAnswer& answer, std::size_t row) {
  return answer.peaks.empty() || fits(answer.peaks[row], answer.limits);
}

Json jsonOf(const PlanAnswer& answer, std::size_t place) {
  const PartitionProblem& problem = answer.problem;
  const NamedPartition& row = answer.rows[place];
  Json object = {{"name", row.name},
                 {"cuts", namesOf(problem, row.partition.cuts)},
                 {"bottleneck_ms", millisecondsOf(row.partition.bottleneck)},
                 {"latency_ms", millisecondsOf(row.partition.latency)},
                 {"speedup_limit", speedUp(problem, row.partition)},
                 {"fits", fits(answer, place)}};
  if (!answer.peaks.empty()) object["peak_bytes"] = answer.peaks[place];
  if (problem.micro_batches > 0) object["objective_ms"] = millisecondsOf(row.partition.objective);
  return object;
}

Json fastestJson(const PartitionProblem& problem, const PlannedCut& fastest) {
  Json object = {{"cuts", namesOf(problem, fastest.found.cuts)},
                 {"bottleneck_ms", millisecondsOf(fastest.partition.bottleneck)},
                 {"cuts_tried", fastest.found.tried},
                 {"all_cuts_tried", fastest.found.all_tried}};
  if (!fastest.peaks.empty()) object["peak_bytes"] = fastest.peaks;
  addForecast(object, fastest.forecast);
  object["bound_ms"] = millisecondsOf(fastest.bound.seconds());
  object["bound"] = {{"lane", fastest.bound.lane.value},
                     {"before_ms", millisecondsOf(fastest.bound.before)},
                     {"work_ms", millisecondsOf(fastest.bound.work)},
                     {"after_ms", millisecondsOf(fastest.bound.after)}};
  if (!fastest.stage_times.empty()) object["stage_times"] = fastest.stage_times;
  if (fastest.range) object["range90_ms"] = {millisecondsOf(fastest.range->low), millisecondsOf(fastest.range->high)};
  return object;
}

Json stagesJson(const PartitionProblem& problem, const Partition& cut) {
  Json stages = Json::array();
  for (std::size_t s = 0; s < cut.stage_times.size(); ++s) {
    stages.push_back({{"first", problem.blocks[s == 0 ? 0 : cut.cuts[s - 1].index()].name},
                      {"lane", problem.lane_of_stage[s].value},
                      {"time_ms", millisecondsOf(cut.stage_times[s])}});
  }
  return stages;
}

std::string stagesTable(const PartitionProblem& problem, const Partition& cut) {
  double all = 0;
  for (const double time : cut.stage_times) all += time;
  std::vector<TextRow> rows = {{"Stage", "Lane", "Blocks", "Forward and backward (ms)", "Share (%)"}};
  for (std::size_t s = 0; s < cut.stage_times.size(); ++s) {
    const std::size_t first = s == 0 ? 0 : cut.cuts[s - 1].index();
    const std::size_t last = (s < cut.cuts.size() ? cut.cuts[s].index() : problem.blocks.size()) - 1;
    rows.push_back({std::to_string(s), std::to_string(problem.lane_of_stage[s].value),
                    problem.blocks[first].name + (first == last ? "" : " to " + problem.blocks[last].name),
                    millisecondsText(cut.stage_times[s]),
                    all > 0 ? formatNumber(100 * cut.stage_times[s] / all) : "-"});
  }
  return textTable(rows, 3);
}

std::string comparisonTable(const PlanAnswer& answer) {
  std::vector<TextRow> table = {
      {"Balanced by", "Cuts before", "Bottleneck (ms)", "Over the best (%)", "Max. speed-up vs one lane"}};
  if (answer.fastest) table.front().push_back("Predicted " + toWord(answer.window) + " (ms)");
  double least = recommended(answer).bottleneck;
  for (const NamedPartition& row : answer.rows) least = std::min(least, row.partition.bottleneck);
  const auto add = [&](const std::string& name, const Partition& cut, const StepForecast* forecast, bool fits) {
    TextRow& row = table.emplace_back(
        TextRow{name + (fits ? "" : " (does not fit)"), joined(namesOf(answer.problem, cut.cuts), ", "),
                millisecondsText(cut.bottleneck), formatNumber(least > 0 ? 100 * (cut.bottleneck / least - 1) : 0),
                formatFigures(speedUp(answer.problem, cut))});
    if (forecast) row.push_back(millisecondsText(lengthOf(*forecast, answer.window)));
  };
  if (answer.fastest) add("predicted step", answer.fastest->partition, &answer.fastest->forecast, true);
  for (std::size_t i = 0; i < answer.rows.size(); ++i)
    add(answer.rows[i].name, answer.rows[i].partition, answer.fastest ? &answer.forecasts[i] : nullptr,
        fits(answer, i));
  return textTable(table, 2);
}

/// Of the exact partition.
std::string provenText(const PlanAnswer& answer) {
  const PartitionProblem& problem = answer.problem;
  const Partition& best = answer.best();
  const std::string which = recommended(answer).cuts == best.cuts ? "" : " for the cut by measured time";
  const std::string within = answer.limits.empty() ? "" : " within the lanes' memory";
  if (!best.proven)
    return "Not proven" + which + ": not all cuts" + within + " were tried; no cut is below " +
           millisecondsText(best.lower_bound) + " ms.\n";
  if (problem.micro_batches == 0)
    return "Proven" + which + ": no other cut into stages" + within + " has a smaller bottleneck.\n";
  return "Proven" + which + ": no other cut into stages" + within +
         " has a smaller latency + (m-1) x bottleneck for m = " + counted(problem.micro_batches, "micro-batch") + " (" +
         millisecondsText(best.objective) +
         " ms), a bound for GPipe and 1F1B with one stage per lane, not the predicted step.\n";
}

std::string triedText(const PlanAnswer& answer) {
  const FastestCut& found = answer.fastest->found;
  const std::string window = toWord(answer.window);
  if (found.tried == 1 && found.all_tried) return "";
  if (found.all_tried)
    return "None of the other " + counted(found.tried - 1, "cut") + " has a shorter predicted " + window + ".\n";
  return "It has the shortest predicted " + window + " of " + counted(found.tried, "cut") + " that were tried.\n";
}

/// Of the cut that is recommended.
std::string memoryText(const PlanAnswer& answer) {
  if (answer.limits.empty()) return "";
  const std::vector<std::int64_t>& peaks = answer.fastest ? answer.fastest->peaks : answer.peaks.front();
  std::vector<std::string> lanes;
  for (std::size_t lane = 0; lane < peaks.size(); ++lane)
    lanes.push_back("lane " + std::to_string(lane) + " " + formatBytes(peaks[lane]) +
                    (answer.limits[lane] > 0 ? " of " + formatBytes(answer.limits[lane]) : ""));
  return "Peak memory by forecast: " + joinAnd(lanes) + "." + (answer.caveat.empty() ? "" : " " + answer.caveat) + "\n";
}

/// Of the cut with the shortest prediction.
std::string rangeSentence(const PlanAnswer& answer) {
  if (!answer.fastest->range) return "";
  return "The " + toWord(answer.window) + " of nine runs in ten should be from " +
         rangeText(*answer.fastest->range).message +
         " while the machine is as busy as when the blocks were measured.\n";
}

/// Other cuts of the comparison whose prediction differs by less than predictions err.
std::string equalText(const PlanAnswer& answer) {
  std::vector<std::string> equal;
  for (std::size_t i = 0; i < answer.rows.size(); ++i) {
    const std::vector<BlockId>& cuts = answer.rows[i].partition.cuts;
    const std::string name = joined(namesOf(answer.problem, cuts), ", ");
    if (cuts == answer.fastest->found.cuts || std::ranges::find(equal, name) != equal.end()) continue;
    if (areEqualPredictions(lengthOf(answer.forecasts[i], answer.window),
                            lengthOf(answer.fastest->forecast, answer.window)))
      equal.push_back(name);
  }
  if (equal.empty()) return "";
  return "Equal to it within the noise of predictions: cuts before " + joined(equal, "; before ") + ".\n";
}

/// What the cut with the shortest prediction cannot be below, and how far it is above.
std::string boundText(const PlanAnswer& answer) {
  const StepBound& bound = answer.fastest->bound;
  const double length = lengthOf(answer.fastest->forecast, answer.window);
  if (!(bound.seconds() > 0)) return "";
  std::vector<std::string> parts = {millisecondsText(bound.work) + " ms of work on lane " +
                                    std::to_string(bound.lane.value)};
  if (bound.before > 0) parts.insert(parts.begin(), millisecondsText(bound.before) + " ms before its first action");
  if (bound.after > 0) parts.push_back(millisecondsText(bound.after) + " ms after its last backward");
  return "With these cuts no order has a shorter " + toWord(answer.window) + " than " +
         millisecondsText(bound.seconds()) + " ms (" + joinAnd(parts) + "): the predicted one is " +
         formatNumber(100 * (length / bound.seconds() - 1)) + " % above.\n";
}

std::string forecastText(const PlanAnswer& answer) {
  const StepForecast& forecast = answer.fastest->forecast;
  return "Predicted with " + std::string(titleOf(answer.schedule)) + " and " +
         counted(answer.problem.micro_batches, "micro-batch") + ": step " + millisecondsText(forecast.step_seconds) +
         " ms, period without a step barrier " + millisecondsText(forecast.period_seconds) + " ms.\n" +
         rangeSentence(answer) + boundText(answer) + triedText(answer) + equalText(answer);
}

Json schedulesJson(const PlanAnswer& answer) {
  Json schedules = Json::array();
  for (const PlannedSchedule& one : answer.schedules)
    schedules.push_back({{"schedule", toWord(one.schedule)},
                         {"cuts", namesOf(answer.problem, one.cuts)},
                         {toWord(answer.window) + "_ms", millisecondsOf(one.seconds)},
                         {"bound_ms", millisecondsOf(one.bound)}});
  return schedules;
}

std::string schedulesTable(const PlanAnswer& answer) {
  std::vector<TextRow> rows = {
      {"Schedule", "Cuts before", "Predicted " + toWord(answer.window) + " (ms)", "Bound of its cuts (ms)"}};
  for (const PlannedSchedule& one : answer.schedules)
    rows.push_back({std::string(titleOf(one.schedule)), joined(namesOf(answer.problem, one.cuts), ", "),
                    millisecondsText(one.seconds), millisecondsText(one.bound)});
  return textTable(rows, 2);
}

/// What a variant of an experiment says for the recommended cut.
std::string pasteText(const PlanAnswer& answer) {
  const Partition& cut = recommended(answer);
  if (cut.cuts.empty()) return "";
  const auto listed = [](const std::string& key, const std::vector<std::string>& words) {
    return "\"" + key + "\": [\"" + joined(words, "\", \"") + "\"]";
  };
  std::string text = "\nFor an experiment: ";
  if (!answer.schedules.empty()) text += "\"schedule\": \"" + toWord(answer.schedule) + "\", ";
  if (answer.fastest && !answer.fastest->stage_times.empty())
    text += listed("stage_times", answer.fastest->stage_times) + ", ";
  const PartitionProblem& problem = answer.problem;
  const std::size_t stages = problem.lane_of_stage.size();
  if (stages <= problem.slowness.size() || goesRoundTheLanes(answer.schedule))
    return text + listed("cuts", namesOf(problem, cut.cuts)) + "\n";
  std::vector<std::string> lanes;  // by cuts each stage gets its own lane
  for (std::size_t s = 0, block = 0; s < stages; ++s)
    for (const std::size_t end = s < cut.cuts.size() ? cut.cuts[s].index() : problem.blocks.size(); block < end;
         ++block)
      lanes.push_back("\"" + problem.blocks[block].name + "\": " + std::to_string(problem.lane_of_stage[s].value));
  return text + "\"placement\": {" + joined(lanes, ", ") + "}\n";
}

}  // namespace

std::string cutsText(const PartitionProblem& problem, const std::vector<BlockId>& cuts) {
  return cuts.empty() ? "one stage" : "cut before " + joined(namesOf(problem, cuts), ", ");
}

double lengthOf(const StepForecast& forecast, WindowKind window) {
  return window == WindowKind::Period ? forecast.period_seconds : forecast.step_seconds;
}

std::string planJson(const PlanAnswer& answer) {
  const PartitionProblem& problem = answer.problem;
  Json object = jsonOf(answer, 0);
  object.erase("name");
  object["proven"] = answer.best().proven;
  object["lower_bound_ms"] = millisecondsOf(answer.best().lower_bound);
  if (problem.micro_batches > 0) object["micro_batches"] = problem.micro_batches;
  if (answer.fastest) {
    addForecast(object, answer.forecasts.front());
    object["fastest"] = fastestJson(problem, *answer.fastest);
  }
  object["schedule"] = toWord(answer.schedule);
  object["window"] = toWord(answer.window);
  if (!answer.schedules.empty()) object["schedules"] = schedulesJson(answer);
  if (!answer.limits.empty()) object["limit_bytes"] = answer.limits;
  if (!answer.caveat.empty()) object["memory_caveat"] = answer.caveat;
  object["notes"] = answer.notes;
  if (!answer.caution.empty()) object["caution"] = answer.caution;
  object["stages"] = stagesJson(problem, answer.best());
  object["comparison"] = Json::array();
  for (std::size_t i = 0; i < answer.rows.size(); ++i) object["comparison"].push_back(jsonOf(answer, i));
  return jsonText(object, 2) + "\n";
}

std::string planText(const PlanAnswer& answer) {
  const PartitionProblem& problem = answer.problem;
  const Partition& cut = recommended(answer);
  std::string text = answer.title + "\n\n" + stagesTable(problem, cut) + "\nBottleneck " +
                     millisecondsText(cut.bottleneck) + " ms, latency " + millisecondsText(cut.latency) +
                     " ms.\nSpeed-up vs one lane: at most " + formatFigures(speedUp(problem, cut)) +
                     "x, with many micro-batches.\n";
  if (answer.fastest) text += forecastText(answer);
  text += memoryText(answer);
  text += provenText(answer);
  for (const std::string& note : answer.notes) text += note + "\n";
  if (!answer.caution.empty()) text += answer.caution + "\n";
  if (answer.rows.size() > 1 || cut.cuts != answer.best().cuts) text += "\n" + comparisonTable(answer);
  if (!answer.schedules.empty()) text += "\n" + schedulesTable(answer);
  text += pasteText(answer);
  return text;
}

}  // namespace lanelab
