// SPDX-License-Identifier: GPL-3.0-only
// How long a step is: the one road from block times to it. What the actions of a plan cost follows from the times
// (engine/sim/measured_costs.h), what a step of it takes from their simulation (engine/sim/simulate.h).
//
// Whoever asks about other cuts, another split size or another schedule asks about the plan of a variant that has them
// (ResolvedVariant::with). Answers are of the window that the plan runs with. One takes n log n for n actions, and its
// range two more. Immutable; any thread; seconds.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/advise/block_times.h"
#include "engine/sim/forecast_range.h"
#include "engine/sim/measured_costs.h"
#include "engine/sim/simulate.h"
#include "engine/sim/step_bound.h"

namespace lanelab {

class StepPredictor {
 public:
  /// The times of each lane of the experiment, at least one, with sizes.
  explicit StepPredictor(LaneProfiles times);
  /// Steps of estimates have no range: nobody knows their error.
  explicit StepPredictor(const BlockTimes& times);
  /// The same times on each of `lanes` lanes.
  StepPredictor(BlockProfile times, std::size_t lanes);
  /// The same costs at each micro-batch size, as of a file. Steps have no range.
  explicit StepPredictor(CostModel costs);

  /// With these factors on the lanes' times, one for each, whatever was measured.
  StepPredictor onLanes(std::vector<double> slowness) const;

  /// Whether the times are of the variant's blocks, and of each lane of its experiment.
  bool knows(const ResolvedVariant& variant) const;
  /// Whether the input and weight part of each backward were measured.
  bool knowsParts() const;
  /// Whether no times are of just this micro-batch size.
  bool interpolates(int samples) const;

  /// Of a micro-batch of `samples`, with the slowness of each lane.
  CostModel blockCosts(int samples, Backwards backwards) const;
  StepCosts costs(const VariantPlan& plan) const;
  /// When each lane does what.
  Simulation simulation(const VariantPlan& plan) const { return simulate(plan, costs(plan)); }
  double seconds(const VariantPlan& plan) const { return simulation(plan).step_seconds; }
  PredictedTime step(const VariantPlan& plan) const { return withRange(plan, seconds(plan)); }
  /// Of a step for which seconds() returned this.
  PredictedTime withRange(const VariantPlan& plan, double seconds) const;
  /// What no order of the plan's actions is shorter than.
  StepBound bound(const VariantPlan& plan) const { return boundOf(plan, costs(plan)); }
  /// The variant's step, and its period if nothing but the wish for a barrier were in the way, each in the order that
  /// the schedule has then. `own`: its simulation() in the window that it runs with.
  StepForecast bothWindows(const ResolvedVariant& variant, const Simulation& own) const;

  /// The schedule `list` is made of times: where the costs are of a file, the variant's resolution with `stage_times`
  /// of them. Null where its own order is the one to predict, as measured times change no run.
  std::shared_ptr<const Resolution> ordered(const ResolvedVariant& variant) const;

 private:
  StepPredictor at(Quartile quartile) const;

  LaneProfiles m_times;
  std::optional<CostModel> m_fixed;  ///< instead of them
  std::vector<double> m_slowness;    ///< instead of the measured; empty: as measured
  bool m_has_range = true;
};

/// "12:10:8" for each stage, forward, input part and weight part, as an experiment's `stage_times` have them.
std::vector<std::string> stageTimesText(const CostModel& costs, const std::vector<Stage>& stages);

/// The simulation of a variant's step as a trace of its experiment's lanes.
std::shared_ptr<const Trace> predictedTrace(const Simulation& simulation, const ResolvedVariant& variant);

}  // namespace lanelab
