// SPDX-License-Identifier: GPL-3.0-only
#include "engine/jobs/trace_comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>

#include "base/text.h"

namespace lanelab {
namespace {

constexpr double kNoiseBandOfTimes = 0.02;  ///< as of ratios of runs
constexpr double kUpperTailOfTimes = 0.975;

/// With the degrees of freedom rounded down, so that few quantiles serve all rows.
double quantileAt(double df) {
  thread_local std::unordered_map<int, double> known;
  const int whole = static_cast<int>(std::clamp(std::floor(df), 1.0, 1e6));
  const auto [found, is_new] = known.try_emplace(whole, 0);
  if (is_new) found->second = studentQuantile(kUpperTailOfTimes, whole);
  return found->second;
}

/// Welch and Satterthwaite's.
double freedomOf(const StepTime& before, const StepTime& after) {
  const double sum = before.squared_error + after.squared_error;
  if (sum <= 0) return before.steps + after.steps - 2;
  const auto part = [](const StepTime& time) { return time.squared_error * time.squared_error / (time.steps - 1); };
  return sum * sum / (part(before) + part(after));
}

TimeChange changeOf(const ComparedTime& time) {
  const double difference = time.difference();
  const bool noise = std::abs(difference) <= kNoiseBandOfTimes * std::max(time.before.mean, time.after.mean);
  if (noise || (time.ci95->low <= 0 && time.ci95->high >= 0)) return TimeChange::NoneShown;
  return difference > 0 ? TimeChange::Longer : TimeChange::Shorter;
}

template <std::size_t Count>
std::array<ComparedTime, Count> comparedTimes(const std::array<StepTime, Count>& before,
                                              const std::array<StepTime, Count>& after) {
  std::array<ComparedTime, Count> times;
  for (std::size_t i = 0; i < Count; ++i) times[i] = comparedTime(before[i], after[i]);
  return times;
}

std::vector<double> secondsOfSteps(const StepProfile& profile) {
  std::vector<double> seconds;
  for (const double length : profile.lengths) seconds.push_back(length * kNanosecond);
  return seconds;
}

ComparedLane comparedLane(const LaneProfile& before, const LaneProfile& after) {
  return {before.name, after.name, comparedTime(before.window, after.window), comparedTime(before.idle, after.idle),
          comparedTimes(before.parts, after.parts)};
}

const LaneProfile* laneNamed(const std::vector<LaneProfile>& lanes, const std::string& name) {
  const auto found = std::ranges::find(lanes, name, &LaneProfile::name);
  return found == lanes.end() ? nullptr : &*found;
}

void compareLanes(const StepProfile& before, const StepProfile& after, TraceComparison& compared) {
  if (before.lanes.size() == after.lanes.size()) {
    for (std::size_t lane = 0; lane < before.lanes.size(); ++lane)
      compared.lanes.push_back(comparedLane(before.lanes[lane], after.lanes[lane]));
    return;
  }
  for (const LaneProfile& lane : before.lanes) {
    if (const LaneProfile* const other = laneNamed(after.lanes, lane.name))
      compared.lanes.push_back(comparedLane(lane, *other));
    else
      compared.lanes_only_before.push_back(lane.name);
  }
  for (const LaneProfile& lane : after.lanes)
    if (laneNamed(before.lanes, lane.name) == nullptr) compared.lanes_only_after.push_back(lane.name);
}

void compareStages(const StepProfile& before, const StepProfile& after, TraceComparison& compared) {
  std::map<std::pair<int, Phase>, const StageProfile*> others;
  for (const StageProfile& stage : after.stages) others[{stage.stage, stage.phase}] = &stage;
  for (const StageProfile& stage : before.stages) {
    const auto other = others.find({stage.stage, stage.phase});
    if (other == others.end()) {
      compared.stages_only_before.push_back(stage);
      continue;
    }
    compared.stages.push_back({stage.stage, stage.phase, stage.per_step, other->second->per_step,
                               comparedTime(stage.time, other->second->time)});
    others.erase(other);
  }
  for (const auto& [key, stage] : others) compared.stages_only_after.push_back(*stage);
}

double perStep(std::uint64_t count, int steps) { return static_cast<double>(count) / std::max(1, steps); }

/// Spans of one name may be of several categories, of which the name has the first.
void compareNames(const StepProfile& before, const StepProfile& after, TraceComparison& compared) {
  std::unordered_map<std::string_view, std::size_t> others;
  for (std::size_t i = 0; i < after.names.size(); ++i) others.emplace(after.names[i].name, i);
  std::vector<bool> paired(after.names.size());
  for (const NameProfile& name : before.names) {
    const auto other = others.find(name.name);
    if (other == others.end()) {
      compared.names_only_before.push_back(name);
      continue;
    }
    const NameProfile& with = after.names[other->second];
    paired[other->second] = true;
    compared.names.push_back({name.name, name.category, perStep(name.count, compared.steps_before),
                              perStep(with.count, compared.steps_after), comparedTime(name.time, with.time)});
  }
  for (std::size_t i = 0; i < after.names.size(); ++i)
    if (!paired[i]) compared.names_only_after.push_back(after.names[i]);
  std::ranges::stable_sort(compared.names, std::greater(),
                           [](const ComparedName& name) { return std::abs(name.time.difference()); });
}

Message workWords(IdleCauses::Work work) {
  switch (work) {
    case IdleCauses::Work::Actions: return sentence("passes of a pipeline");
    case IdleCauses::Work::Kernels: return sentence("kernels of GPUs");
    case IdleCauses::Work::Operators: return sentence("operators of threads");
  }
  return {};
}

}  // namespace

ComparedTime comparedTime(const StepTime& before, const StepTime& after) {
  ComparedTime time{before, after, {}, TimeChange::TooFewSteps};
  if (std::min(before.steps, after.steps) < static_cast<int>(kFewestForInterval)) return time;
  const double half = quantileAt(freedomOf(before, after)) * std::sqrt(before.squared_error + after.squared_error);
  time.ci95 = Interval{time.difference() - half, time.difference() + half};
  time.change = changeOf(time);
  return time;
}

Message whyNotComparable(const StepProfile& before, const StepProfile& after) {
  if (before.lanes.empty() || after.lanes.empty())
    return sentence("{} has no lanes, so there is no step to compare.",
                    before.lanes.empty() ? sentence("the first") : sentence("the second"));
  if (before.steps.empty() != after.steps.empty())
    return sentence("only {} marks its steps. Record both with steps (profiler.step() of PyTorch), or both without.",
                    before.steps.empty() ? sentence("the second") : sentence("the first"));
  if (before.shape.work != after.shape.work)
    return sentence(
        "the first names {}, the second {}, so times of one have no counterpart in the other. Compare recordings of "
        "one kind.",
        workWords(before.shape.work), workWords(after.shape.work));
  return {};
}

std::vector<Message> unlikeness(const JobShape& before, const JobShape& after) {
  std::vector<Message> differences;
  // How many threads have operators depends on chance.
  const bool ranks = before.work != IdleCauses::Work::Operators;
  if (ranks && before.lanes != after.lanes)
    differences.push_back(sentence("{} and {} ranks", before.lanes, after.lanes));
  if (before.stages != after.stages) differences.push_back(sentence("{} and {} stages", before.stages, after.stages));
  if (before.replicas != after.replicas)
    differences.push_back(sentence("{} and {} replicas", before.replicas, after.replicas));
  if (before.micro_batches != after.micro_batches)
    differences.push_back(sentence("{} and {} micro-batches per step", before.micro_batches, after.micro_batches));
  return differences;
}

TraceComparison compareTraces(const StepProfile& before, const StepProfile& after) {
  const std::vector<double> seconds = secondsOfSteps(before), seconds_after = secondsOfSteps(after);
  TraceComparison compared;
  compared.before = summarise(seconds);
  compared.after = summarise(seconds_after);
  compared.step = compareTimes(seconds, seconds_after);
  compared.parts = comparedTimes(before.parts, after.parts);
  compared.causes = comparedTimes(before.causes, after.causes);
  compared.idle = comparedTime(before.idle, after.idle);
  compared.steps_before = static_cast<int>(std::max<std::size_t>(1, before.steps.size()));
  compared.steps_after = static_cast<int>(std::max<std::size_t>(1, after.steps.size()));
  compareLanes(before, after, compared);
  compareStages(before, after, compared);
  compareNames(before, after, compared);
  return compared;
}

}  // namespace lanelab
