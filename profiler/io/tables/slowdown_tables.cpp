// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/slowdown_tables.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/message.h"
#include "base/parse_number.h"
#include "base/text.h"
#include "profiler/io/tables/line_object.h"

namespace lanelab {

namespace {

/// Below it a step is as good as the ideal one, as in the paper of the method (stragglers: a slowdown of 1.1).
constexpr double kLate = 1.03;
constexpr double kLeastExcess = 0.03;      ///< of the passes of a stage or rank over those of others
constexpr double kLeastShare = 0.2;        ///< of the slowdown, that is worth a sentence
constexpr double kLeastCorrelation = 0.9;  ///< of forward and backward passes whose micro-batches differ in length
constexpr double kLeastSpread = 0.02;

/// 3 of "rank 3, GPU 3"; else the number of the lane.
int rankOfLane(const Trace& trace, int lane) {
  constexpr std::string_view kWord = "rank ";
  const LaneInfo* const info = trace.laneAt(lane);
  if (info == nullptr || !info->name.starts_with(kWord)) return lane;
  const std::string_view number = std::string_view(info->name).substr(kWord.size());
  return parseNumber<int>(number.substr(0, number.find_first_not_of("0123456789"))).value_or(lane);
}

std::string nameOfLane(const Trace& trace, int lane) {
  const LaneInfo* const info = trace.laneAt(lane);
  return info == nullptr || info->name.empty() ? "lane " + std::to_string(lane) : info->name;
}

using Ratios = std::vector<std::pair<std::string, double>>;

/// { "forward-compute": 1.09, ... }
void appendRatios(std::string& out, const Ratios& ratios) {
  std::string_view separator = "{ ";
  for (const auto& [name, ratio] : ratios) {
    appendJsonString(out += separator, name);
    appendNumber(out += ": ", ratio);
    separator = ", ";
  }
  out += ratios.empty() ? "{}" : " }";
}

Ratios byPlace(const std::vector<double>& slowdowns) {
  Ratios ratios;
  for (const double slowdown : slowdowns) ratios.emplace_back(std::to_string(ratios.size()), slowdown);
  return ratios;
}

template <class KeyOf>
Ratios byNumber(const std::vector<std::pair<int, double>>& slowdowns, const KeyOf& keyOf) {
  Ratios ratios;
  for (const auto& [number, slowdown] : slowdowns) ratios.emplace_back(std::to_string(keyOf(number)), slowdown);
  return ratios;
}

void appendOptional(LineObject& object, std::string_view key, const std::optional<double>& value) {
  if (value) {
    object.number(key, *value);
  } else {
    object.key(key) += "null";
  }
}

std::optional<double> lastStageShare(const JobSlowdown& slowdown) {
  return slowdown.stage_shares.empty() ? std::nullopt : std::optional(slowdown.stage_shares.back());
}

/// "23 %"
std::string percent(double share) { return formatNumber(std::round(share * 1000) / 10, 2) + " %"; }

std::size_t slowestStage(const JobSlowdown& slowdown) {
  return static_cast<std::size_t>(std::ranges::max_element(slowdown.by_stage) - slowdown.by_stage.begin());
}

void addStage(const JobSlowdown& slowdown, std::vector<std::string>& said) {
  const std::size_t stage = slowestStage(slowdown);
  if (slowdown.by_stage.size() < 2 || slowdown.by_stage[stage] < kLate || slowdown.stage_shares[stage] < kLeastShare)
    return;
  // A rank that is late alone, or micro-batches of several lengths, do not make a stage too long.
  if (slowdown.stage_excess[stage] < kLeastExcess) return;
  said.push_back(
      filledIn("Stage {} is {} too long: with the mean time of its operations, {} of the slowdown would go.",
               {std::to_string(stage), percent(slowdown.by_stage[stage] - 1), percent(slowdown.stage_shares[stage])}));
}

void addRanks(const Trace& trace, const JobSlowdown& slowdown, std::vector<std::string>& said) {
  if (slowdown.by_rank.size() < 2 || slowdown.worker_share.value_or(0) < kLeastShare) return;
  std::vector<std::string> names;
  for (const auto& [lane, excess] : slowdown.rank_excess)
    if (excess >= kLeastExcess && std::ranges::find(slowdown.worker_lanes, lane) != slowdown.worker_lanes.end())
      names.push_back(nameOfLane(trace, lane));
  if (names.empty()) return;
  if (names.size() == 1)
    said.push_back(filledIn("{} is slow: with the mean time of its operations, {} of the slowdown would go.",
                            {names.front(), percent(*slowdown.worker_share)}));
  else
    said.push_back(filledIn("{} are slow: with the mean time of their operations, {} of the slowdown would go.",
                            {joinAnd(names), percent(*slowdown.worker_share)}));
}

void addLengths(const JobSlowdown& slowdown, std::vector<std::string>& said) {
  const JobSlowdown::Lengths& lengths = slowdown.lengths;
  if (lengths.correlation < kLeastCorrelation || lengths.spread < kLeastSpread || lengths.share < kLeastShare) return;
  said.push_back(filledIn(
      "Sequence lengths differ: a micro-batch that is long forward is long backward (correlation {}). With equal "
      "micro-batches, {} of the slowdown would go.",
      {formatNumber(lengths.correlation), percent(lengths.share)}));
}

void addOperation(const JobSlowdown& slowdown, std::vector<std::string>& said) {
  if (slowdown.by_operation.empty() || slowdown.by_operation.front().second < kLate) return;
  said.push_back(
      filledIn("Of the operations, {} costs most: with its own lengths alone, the ideal step takes {} longer.",
               {slowdown.by_operation.front().first, percent(slowdown.by_operation.front().second - 1)}));
}

void addSkipped(const JobSlowdown& slowdown, std::vector<std::string>& said) {
  if (slowdown.skipped_steps.empty()) return;
  said.push_back(filledIn("{} left out of this, since their operations differ from those of the others.",
                          {slowdown.skipped_steps.size() == 1
                               ? "Step " + std::to_string(slowdown.skipped_steps.front()) + " is"
                               : counted(static_cast<std::int64_t>(slowdown.skipped_steps.size()), "step") + " are"}));
}

}  // namespace

std::string slowdownJson(const Trace& trace, const JobSlowdown& slowdown) {
  constexpr std::string_view kNewLine = ",\n    ";
  std::string out;
  LineObject object(out);
  object.number("step_s", slowdown.step);
  object.number("ideal_step_s", slowdown.ideal_step);
  object.number("measured_step_s", slowdown.measured_step);
  object.number("slowdown", slowdown.ratio());
  appendOptional(object, "stage_share", lastStageShare(slowdown));
  appendOptional(object, "worker_share", slowdown.worker_share);
  appendRatios(object.key("by_operation", kNewLine), slowdown.by_operation);
  appendRatios(object.key("by_stage", kNewLine), byPlace(slowdown.by_stage));
  appendRatios(object.key("by_replica", kNewLine), byPlace(slowdown.by_replica));
  appendRatios(object.key("by_rank", kNewLine),
               byNumber(slowdown.by_rank, [&](int lane) { return rankOfLane(trace, lane); }));
  appendRatios(object.key("by_step", kNewLine), byNumber(slowdown.by_step, [](int step) { return step; }));
  appendRatios(object.key("share_by_stage", kNewLine), byPlace(slowdown.stage_shares));
  object.key("sentences", kNewLine) += '[';
  std::string_view separator = "\n      ";
  for (const std::string& said : slowdownSentences(trace, slowdown)) {
    appendJsonString(out += separator, said);
    separator = ",\n      ";
  }
  out += ']';
  object.close();
  return out;
}

std::vector<std::string> slowdownSentences(const Trace& trace, const JobSlowdown& slowdown) {
  std::vector<std::string> said;
  if (slowdown.ratio() < kLate) {
    said.push_back(filledIn(
        "No stage or rank is late: the step of {} is {} longer than one in which each operation takes the mean of its "
        "kind.",
        {formatSeconds(slowdown.step), percent(std::max(0.0, slowdown.ratio() - 1))}));
  } else {
    said.push_back(
        filledIn("The step takes {}, {} longer than the ideal {}, in which each operation takes the mean of its kind.",
                 {formatSeconds(slowdown.step), percent(slowdown.ratio() - 1), formatSeconds(slowdown.ideal_step)}));
    addStage(slowdown, said);
    addRanks(trace, slowdown, said);
    addLengths(slowdown, said);
    addOperation(slowdown, said);
  }
  addSkipped(slowdown, said);
  return said;
}

}  // namespace lanelab
