// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/slowdown_tables.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "base/message.h"
#include "base/parse_number.h"
#include "base/text.h"
#include "profiler/io/tables/line_object.h"

namespace lanelab {

namespace {

/// Below it a step is as good as the ideal one, as in the paper of the method (stragglers: a slowdown of 1.1).
constexpr double kLate = 1.03;
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

std::size_t placeOfLargest(const std::vector<double>& values) {
  return static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
}

/// Whether the step would be shorter by what counts as late, if this share of the slowdown went.
bool isWorthIt(const JobSlowdown& slowdown, double share) {
  return share * (slowdown.ratio() - 1) / slowdown.ratio() >= kLate - 1;
}

/// One that is late: a member of "late", and its sentence.
struct LateParty {
  std::string json;
  std::string sentence;
};
using LateParties = std::vector<LateParty>;

/// { "kind": "link", ... }, whose further members `put(object)` adds.
template <class Put>
std::string partyJson(std::string_view kind, double share, const Put& put) {
  std::string out;
  LineObject object(out);
  object.text("kind", kind);
  put(object);
  object.number("share", share);
  object.close();
  return out;
}

void appendRanks(LineObject& object, const Trace& trace, const std::vector<int>& lanes) {
  std::string_view separator = "[";
  std::string& out = object.key("ranks");
  for (const int lane : lanes) {
    (out += separator) += std::to_string(rankOfLane(trace, lane));
    separator = ", ";
  }
  out += ']';
}

std::string namesOfLanes(const Trace& trace, const std::vector<int>& lanes) {
  std::vector<std::string> names;
  for (const int lane : lanes) names.push_back(nameOfLane(trace, lane));
  return joinAnd(names);
}

void addStage(const JobSlowdown& slowdown, LateParties& late) {
  if (slowdown.by_stage.size() < 2 || slowdown.stage_shares.empty()) return;
  // A rank that is late alone, or micro-batches of several lengths, do not make a stage too long.
  const std::size_t stage = placeOfLargest(slowdown.stage_excess);
  if (slowdown.stage_excess[stage] < kLeastExcess || !isWorthIt(slowdown, slowdown.stage_shares[stage])) return;
  late.push_back(
      {partyJson("stage", slowdown.stage_shares[stage], [&](LineObject& one) { one.number("stage", stage); }),
       filledIn(
           "Stage {} is {} too long: with the mean time of its operations, {} of the slowdown would go.",
           {std::to_string(stage), percent(slowdown.by_stage[stage] - 1), percent(slowdown.stage_shares[stage])})});
}

/// None unless a replica is slow.
std::optional<std::size_t> slowReplica(const JobSlowdown& slowdown) {
  if (slowdown.replica_shares.empty()) return std::nullopt;
  const std::size_t replica = placeOfLargest(slowdown.replica_excess);
  const bool slow =
      slowdown.replica_excess[replica] >= kLeastExcess && isWorthIt(slowdown, slowdown.replica_shares[replica]);
  return slow ? std::optional(replica) : std::nullopt;
}

void addReplica(const Trace& trace, const JobSlowdown& slowdown, std::size_t replica, LateParties& late) {
  const double share = slowdown.replica_shares[replica];
  const std::vector<int>& lanes = slowdown.replica_lanes[replica];
  const auto members = [&](LineObject& one) {
    one.number("replica", replica);
    appendRanks(one, trace, lanes);
  };
  late.push_back(
      {partyJson("replica", share, members),
       filledIn("Replica {} ({}) is slow: its passes take {} longer than those of others. With the mean time "
                "of its operations, {} of the slowdown would go.",
                {std::to_string(replica), namesOfLanes(trace, lanes), percent(slowdown.replica_excess[replica]),
                 percent(share)})});
}

/// Those of a slow replica are slow with it, unless one of them is far more so.
void addRanks(const Trace& trace, const JobSlowdown& slowdown, std::optional<std::size_t> replica, LateParties& late) {
  std::vector<int> lanes = slowdown.slow_lanes;
  if (replica) {
    const std::vector<int>& of_replica = slowdown.replica_lanes[*replica];
    std::erase_if(lanes, [&](int lane) {
      const auto excess = std::ranges::find(slowdown.rank_excess, lane, [](const auto& one) { return one.first; });
      return std::ranges::find(of_replica, lane) != of_replica.end() &&
             excess->second < slowdown.replica_excess[*replica] / 2;
    });
  }
  if (slowdown.by_rank.size() < 2 || lanes.empty() || !isWorthIt(slowdown, slowdown.slow_lanes_share)) return;
  const std::vector<std::string> values = {namesOfLanes(trace, lanes), percent(slowdown.slow_lanes_share)};
  late.push_back(
      {partyJson("rank", slowdown.slow_lanes_share, [&](LineObject& one) { appendRanks(one, trace, lanes); }),
       lanes.size() == 1
           ? filledIn("{} is slow: with the mean time of its operations, {} of the slowdown would go.", values)
           : filledIn("{} are slow: with the mean time of their operations, {} of the slowdown would go.", values)});
}

void addLinks(const Trace& trace, const JobSlowdown& slowdown, LateParties& late) {
  for (const SlowLink& link : slowdown.waits.links) {
    const auto members = [&](LineObject& one) {
      one.number("from_rank", rankOfLane(trace, link.from_lane));
      one.number("to_rank", rankOfLane(trace, link.to_lane));
      one.number("transfer_s", link.transfer);
      one.number("usual_s", link.usual);
    };
    late.push_back(
        {partyJson("link", link.share, members),
         filledIn(
             "The link from {} to {} is slow: a transfer takes {}, on the other links {}. If it took as long there, "
             "the step would be {} shorter.",
             {nameOfLane(trace, link.from_lane), nameOfLane(trace, link.to_lane), formatSeconds(link.transfer),
              formatSeconds(link.usual), percent(link.share)})});
  }
}

void addData(const Trace& trace, const JobSlowdown& slowdown, LateParties& late) {
  for (const DataWait& wait : slowdown.waits.data) {
    const auto members = [&](LineObject& one) {
      one.number("rank", rankOfLane(trace, wait.lane));
      one.number("seconds", wait.seconds);
      one.number("steps", wait.steps);
    };
    late.push_back({partyJson("data", wait.share, members),
                    filledIn("{} waits for data, {} in {} of {} steps: without these waits, steps would be {} shorter.",
                             {nameOfLane(trace, wait.lane), formatSeconds(wait.seconds), std::to_string(wait.steps),
                              std::to_string(slowdown.waits.steps), percent(wait.share)})});
  }
}

std::string startSentence(const Trace& trace, const LateStart& start) {
  if (start.only_step)
    return filledIn("{} joins step {} late, by {}.",
                    {nameOfLane(trace, start.lane), std::to_string(*start.only_step), formatSeconds(start.seconds)});
  return filledIn("{} starts its steps late, by {} beyond its input and data: in time, the step would be {} shorter.",
                  {nameOfLane(trace, start.lane), formatSeconds(start.seconds), percent(start.share)});
}

void addStarts(const Trace& trace, const JobSlowdown& slowdown, LateParties& late) {
  for (const LateStart& start : slowdown.waits.starts) {
    const auto members = [&](LineObject& one) {
      one.number("rank", rankOfLane(trace, start.lane));
      one.number("seconds", start.seconds);
      if (start.only_step) one.number("step", *start.only_step);
    };
    late.push_back({partyJson("start", start.share, members), startSentence(trace, start)});
  }
}

LateParties lateParties(const Trace& trace, const JobSlowdown& slowdown) {
  LateParties late;
  if (slowdown.ratio() >= kLate) {
    addStage(slowdown, late);
    const std::optional<std::size_t> replica = slowReplica(slowdown);
    if (replica) addReplica(trace, slowdown, *replica, late);
    addRanks(trace, slowdown, replica, late);
  }
  addLinks(trace, slowdown, late);
  addData(trace, slowdown, late);
  addStarts(trace, slowdown, late);
  return late;
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
  std::string& late = object.key("late", kNewLine) += '[';
  std::string_view separator = "\n      ";
  for (const LateParty& party : lateParties(trace, slowdown)) {
    (late += separator) += party.json;
    separator = ",\n      ";
  }
  late += ']';
  object.key("sentences", kNewLine) += '[';
  separator = "\n      ";
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
  const LateParties late = lateParties(trace, slowdown);
  const bool longer = slowdown.ratio() >= kLate;
  if (longer)
    said.push_back(
        filledIn("The step takes {}, {} longer than the ideal {}, in which each operation takes the mean of its kind.",
                 {formatSeconds(slowdown.step), percent(slowdown.ratio() - 1), formatSeconds(slowdown.ideal_step)}));
  else if (late.empty())
    said.push_back(filledIn(
        "No stage or rank is late: the step of {} is {} longer than one in which each operation takes the mean of its "
        "kind.",
        {formatSeconds(slowdown.step), percent(std::max(0.0, slowdown.ratio() - 1))}));
  for (const LateParty& party : late) said.push_back(party.sentence);
  if (longer && late.empty()) said.emplace_back("No stage, rank or link is late beyond the noise of the steps.");
  if (longer) {
    addLengths(slowdown, said);
    addOperation(slowdown, said);
  }
  addSkipped(slowdown, said);
  return said;
}

}  // namespace lanelab
