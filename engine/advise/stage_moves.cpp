// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/stage_moves.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/experiment/edits/placement_edits.h"
#include "engine/experiment/edits/replica_edits.h"

namespace lanelab {
namespace {

Phase phaseFor(ActionKind kind) {
  switch (kind) {
    case ActionKind::Forward: return Phase::Forward;
    case ActionKind::Backward: return Phase::Backward;
    case ActionKind::BackwardInput: return Phase::BackwardInput;
    case ActionKind::BackwardWeight: return Phase::BackwardWeight;
    case ActionKind::Update: return Phase::Update;
  }
  return Phase::None;
}

/// The stages of `before` that make up one of another cut, in the order of their blocks; none if it cuts inside one.
std::vector<int> stagesWithin(const Stage& whole, const std::vector<Stage>& before) {
  std::vector<int> parts;
  std::size_t covered = whole.first.index();
  for (const Stage& stage : before) {
    if (stage.first.index() != covered || stage.end.index() > whole.end.index()) continue;
    parts.push_back(stage.id.value);
    covered = stage.end.index();
  }
  return covered == whole.end.index() ? parts : std::vector<int>{};
}

/// A stage of several does its parts forwards one after the other, and backwards from the last.
std::vector<std::vector<OrderedAction>> orderIn(const VariantPlan& plan, const std::vector<Stage>& before) {
  std::vector<std::vector<int>> parts;
  for (const Stage& stage : plan.stages) {
    parts.push_back(stagesWithin(stage, before));
    if (parts.back().empty()) return {};
  }
  std::vector<std::vector<OrderedAction>> order;
  for (const auto& row : rowsWithUpdates(plan.schedule)) {
    auto& of_lane = order.emplace_back();
    for (const Action& action : row) {
      std::vector<int> stages = parts[action.stage.index()];
      const bool onwards = action.kind == ActionKind::Forward || action.kind == ActionKind::Update;
      if (!onwards) std::ranges::reverse(stages);
      for (const int stage : stages) of_lane.push_back({stage, phaseFor(action.kind), action.micro_batch.value});
    }
  }
  return order;
}

/// Of a micro-batch, forwards and backwards.
double microBatchSecondsOf(const Stage& stage, const CostModel& costs) {
  const BlockCost sum = costs.sumOf(stage);
  return (sum.forward + sum.backward) * costs.slownessOf(stage.lane);
}

}  // namespace

Result<MovedStages> movedStages(const ResolvedVariant& variant, const std::map<int, int>& lanes) {
  const Result<VariantPlan>& plan = variant.plan();
  if (!plan.ok()) return plan.error();
  if (variant.replicated()) return Error::badInput(verbatim(whyReplicasStay(variant.config())));
  const auto known = static_cast<int>(variant.experiment().lanes.size());
  Placement placement = plan->placement;
  for (const auto& [number, lane] : lanes) {
    if (number < 0 || number >= static_cast<int>(plan->stages.size()) || lane < 0 || lane >= known)
      return Error::badInput("The experiment of this run has no stage {} or no lane {}.", number, lane);
    const Stage& stage = plan->stages[static_cast<std::size_t>(number)];
    for (std::size_t block = stage.first.index(); block < stage.end.index(); ++block)
      placement.lane_of_block[block] = LaneId(lane);
  }
  VariantConfig config = variant.config();
  writePlacement(variant.experiment(), variant.model(), placement, config);
  const auto resolution = variant.with(config);
  const Result<VariantPlan>& moved = resolution->variants().front().plan();
  if (!moved.ok()) return moved.error();
  return MovedStages{std::move(config), orderIn(*moved, plan->stages)};
}

std::optional<NearestMove> nearestMove(const MeasuredVariant& measured, int stage, double factor) {
  const auto place = static_cast<std::size_t>(stage);
  if (stage < 0 || place >= measured.plan().stages.size() || factor <= 0) return std::nullopt;
  const StepPredictor predictor = measured.predictor();
  const CostModel costs = predictor.blockCosts(measured.plan().micro_batches.split_size, Backwards::Whole);
  const double present = microBatchSecondsOf(measured.plan().stages[place], costs);
  const auto distance = [factor](double reached) { return std::abs(std::log(reached / factor)); };
  std::optional<NearestMove> nearest;
  double least = distance(1);
  for (BlockMove& move : blockMoves(*measured.variant)) {
    const auto resolution = measured.resolution->with(move.variant);
    const Result<VariantPlan>& plan = resolution->variants().front().plan();
    if (!plan.ok() || place >= plan->stages.size() || plan->stages.size() != measured.plan().stages.size()) continue;
    const double reached = microBatchSecondsOf(plan->stages[place], costs) / present;
    if (!(reached > 0) || distance(reached) >= least) continue;
    least = distance(reached);
    nearest = NearestMove{std::move(move), reached, predictor.seconds(*plan) / measured.predicted_step};
  }
  return nearest;
}

}  // namespace lanelab
