// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/schedule_bound.h"

#include <algorithm>
#include <cmath>

#include "engine/sim/simulate.h"
#include "profiler/analysis/idle_replay.h"
#include "profiler/trace/step_periods.h"

namespace lanelab {
namespace {

using Part = double StageMeans::*;
constexpr Part kParts[] = {&StageMeans::forward, &StageMeans::backward, &StageMeans::weight, &StageMeans::update};

/// Null for none.
Part partOf(Phase phase) {
  switch (phase) {
    case Phase::Forward: return &StageMeans::forward;
    case Phase::Backward:
    case Phase::BackwardInput: return &StageMeans::backward;
    case Phase::BackwardWeight: return &StageMeans::weight;
    case Phase::Update: return &StageMeans::update;
    case Phase::None: break;
  }
  return nullptr;
}

std::vector<StageMeans> meansOf(const Trace& trace, std::size_t stages) {
  std::vector<StageMeans> means(stages), counts(stages);
  for (const Track& track : trace.tracks) {
    for (const Span& span : track.spans) {
      if (span.category != Category::Action || span.stage < 0 || static_cast<std::size_t>(span.stage) >= stages)
        continue;
      const Part part = partOf(span.phase);
      if (!part) continue;
      means[static_cast<std::size_t>(span.stage)].*part += static_cast<double>(span.range().length()) * kNanosecond;
      ++(counts[static_cast<std::size_t>(span.stage)].*part);
    }
  }
  for (std::size_t s = 0; s < stages; ++s)
    for (const Part part : kParts) means[s].*part /= std::max(1.0, counts[s].*part);
  return means;
}

double secondsOf(const StageMeans& means, ActionKind kind) { return means.*partOf(phaseOfLetter(letterOf(kind))); }

/// What a step of the plan costs in its own order and window, each stage as one block with its means.
double orderSeconds(const VariantPlan& plan, const std::vector<StageMeans>& means) {
  VariantPlan staged = plan;
  StepCosts costs;
  for (std::size_t s = 0; s < means.size(); ++s) {
    staged.stages[s].first = BlockId(s);
    staged.stages[s].end = BlockId(s + 1);
    const StageMeans& stage = means[s];
    costs.whole.blocks.push_back({"", stage.forward, stage.backward + stage.weight, stage.weight, stage.update});
  }
  costs.whole.transfers.assign(means.size() - 1, 0.0);
  return simulate(staged, costs).step_seconds;
}

/// What a step takes with the measured time of each action, in the order in which they ran, without transfers and
/// waits. Slow and fast micro-batches may come in a better order than means of a stage would tell.
double ownSeconds(const Trace& trace) {
  const TracedActions traced = tracedActions(trace);
  ReplayTimes times;
  for (const TracedAction& action : traced.actions) times.lengths.push_back(static_cast<double>(action.range.length()));
  times.delays.assign(times.lengths.size(), 0.0);
  times.transfers = times.delays;
  IdleReplay replay(traced, trace.lanes.size());
  double all = 0;
  std::size_t steps = 0;
  for (const Stretch& stretch : traced.stretches) {
    replay.play(stretch, times);
    all += replay.end() * kNanosecond;
    steps += stretch.count;
  }
  return all / static_cast<double>(std::max<std::size_t>(1, steps));
}

std::vector<double> workOfLanes(const Schedule& schedule, const std::vector<StageMeans>& means) {
  std::vector<double> work;
  for (const auto& row : rowsWithUpdates(schedule)) {
    if (row.empty()) continue;
    work.push_back(0);
    for (const Action& action : row) work.back() += secondsOf(means[action.stage.index()], action.kind);
  }
  return work;
}

}  // namespace

double idealSeconds(const ScheduleBound& bound) { return std::min(bound.order_seconds, bound.step_seconds); }

std::optional<ScheduleBound> scheduleBound(const Trace& trace, const VariantPlan& plan) {
  ScheduleBound bound;
  bound.stages = meansOf(trace, plan.stages.size());
  const bool recorded = std::ranges::all_of(
      bound.stages, [](const StageMeans& means) { return means.forward > 0 && means.backward > 0; });
  const std::optional<Nanoseconds> step = meanStepPeriod(trace);
  if (bound.stages.empty() || !recorded || !step) return std::nullopt;
  bound.step_seconds = static_cast<double>(*step) * kNanosecond;
  bound.order_seconds = std::min(orderSeconds(plan, bound.stages), ownSeconds(trace));
  const std::vector<double> work = workOfLanes(plan.schedule, bound.stages);
  double all = 0;
  for (const double seconds : work) {
    bound.work_seconds = std::max(bound.work_seconds, seconds);
    all += seconds / static_cast<double>(work.size());
  }
  bound.step_idle = std::max(0.0, 1 - all / bound.step_seconds);
  bound.order_idle = std::max(0.0, 1 - all / bound.order_seconds);
  return bound;
}

ScheduleBound meanBound(const std::vector<ScheduleBound>& bounds) {
  ScheduleBound mean;
  mean.stages.resize(bounds.front().stages.size());
  const double share = 1 / static_cast<double>(bounds.size());
  for (const ScheduleBound& bound : bounds) {
    mean.step_seconds += share * bound.step_seconds;
    mean.order_seconds += share * bound.order_seconds;
    mean.work_seconds += share * bound.work_seconds;
    mean.step_idle += share * bound.step_idle;
    mean.order_idle += share * bound.order_idle;
    for (std::size_t s = 0; s < mean.stages.size(); ++s)
      for (const Part part : kParts) mean.stages[s].*part += share * bound.stages[s].*part;
  }
  return mean;
}

std::vector<std::string> stageTimesText(const ScheduleBound& bound) {
  const auto whole = [](double seconds) {
    return std::to_string(std::max<std::int64_t>(1, std::llround(seconds * 1e6)));
  };
  std::vector<std::string> texts;
  for (const StageMeans& stage : bound.stages) {
    const bool split = stage.weight > 0;
    texts.push_back(whole(stage.forward) + ":" + whole(split ? stage.backward : stage.backward / 2) + ":" +
                    whole(split ? stage.weight : stage.backward / 2));
  }
  return texts;
}

}  // namespace lanelab
