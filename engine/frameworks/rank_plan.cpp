// SPDX-License-Identifier: GPL-3.0-only
#include "engine/frameworks/rank_plan.h"

#include <algorithm>
#include <map>

#include "engine/experiment/variant_plan.h"
#include "engine/schedule/replicas.h"

namespace lanelab {
namespace {

bool isV(const RankPlan& plan) {
  const auto stages = static_cast<int>(plan.stage_ranks.size());
  if (stages != 2 * plan.ranks) return false;
  for (int stage = 0; stage < stages; ++stage)
    if (plan.stage_ranks[static_cast<std::size_t>(stage)] != std::min(stage, stages - 1 - stage)) return false;
  return true;
}

/// PyTorch's rounds of interleaved schedules hold equally many micro-batches.
bool hasEqualRounds(const RankPlan& plan) {
  return plan.schedule.micro_batches % std::max(1, plan.schedule.micro_batches / plan.ranks) == 0;
}

std::vector<int> sizesOf(const MicroBatches& micro_batches) {
  std::vector<int> sizes;
  for (MicroBatchId k{0}; k.value < micro_batches.count(); ++k.value) sizes.push_back(micro_batches.size(k));
  return sizes;
}

}  // namespace

bool hasOneStageEach(const RankPlan& plan) { return plan.ranks == static_cast<int>(plan.stage_ranks.size()); }

bool hasStagesInRounds(const RankPlan& plan) {
  for (std::size_t stage = 0; stage < plan.stage_ranks.size(); ++stage)
    if (plan.stage_ranks[stage] != static_cast<int>(stage) % plan.ranks) return false;
  return plan.stage_ranks.size() % static_cast<std::size_t>(plan.ranks) == 0;
}

Result<RankPlan> rankPlanOf(const ResolvedVariant& variant) {
  const Result<VariantPlan>& planned = variant.plan();
  if (!planned.ok()) return planned.error();
  RankPlan plan;
  plan.stages = planned->stages;
  plan.replicas = planned->replicas();
  const Schedule one = firstReplica(planned->schedule);
  plan.schedule = {one.stages, one.micro_batches, {}};
  std::map<LaneId, int> ranks;
  const StageLanes lanes = planned->stageLanes();
  for (const LaneId lane : lanes.front()) {
    const auto [rank, is_new] = ranks.try_emplace(lane, static_cast<int>(ranks.size()));
    if (is_new) plan.schedule.lanes.push_back(one.lanes[lane.index()]);
    plan.stage_ranks.push_back(rank->second);
  }
  plan.ranks = static_cast<int>(ranks.size());
  const int batch = variant.experiment().data.batch;
  for (int r = 0; r < plan.replicas; ++r)
    plan.micro_batches.push_back(sizesOf(plan.replicas == 1
                                             ? planned->micro_batches
                                             : planned->micro_batches.ofBatch(stridedRows(batch, r, plan.replicas))));
  plan.named = namedSchedule(plan, variant.config(), planned->schedule_kind);
  return plan;
}

std::string namedSchedule(const RankPlan& plan, const VariantConfig& variant, ScheduleKind kind) {
  if (variant.warm_up) return {};
  const bool one_stage_each = hasOneStageEach(plan), several_each = !one_stage_each && hasStagesInRounds(plan);
  switch (kind) {
    case ScheduleKind::Gpipe: return one_stage_each ? "GPipe" : "";
    case ScheduleKind::OneFOneB: return one_stage_each && plan.schedule.micro_batches >= plan.ranks ? "1F1B" : "";
    case ScheduleKind::InterleavedOneFOneB: return several_each && hasEqualRounds(plan) ? "Interleaved1F1B" : "";
    case ScheduleKind::InterleavedZb: return several_each && hasEqualRounds(plan) ? "InterleavedZeroBubble" : "";
    case ScheduleKind::ZbV: return isV(plan) ? "ZBVZeroBubble" : "";
    default: return {};
  }
}

}  // namespace lanelab
