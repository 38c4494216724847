// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/edits/placement_edits.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/experiment/edits/balanced_cuts.h"
#include "engine/experiment/edits/replica_edits.h"
#include "engine/experiment/variant_placement.h"
#include "engine/experiment/variant_replicas.h"
#include "engine/experiment/variant_schedule.h"

namespace lanelab {
namespace {

/// Each stage in two; over all blocks again if a stage has a single one; none if there are too few blocks.
std::vector<std::string> halvedCuts(const ModelSpec& model, const std::vector<Stage>& stages) {
  std::vector<std::string> cuts;
  for (const Stage& stage : stages) {
    const std::vector<std::string> middle = balancedCuts(model, stage.first.index(), stage.end.index(), 2);
    if (middle.empty()) return balancedCuts(model, 0, model.blocks.size(), 2 * stages.size());
    if (stage.first.value > 0) cuts.push_back(model.blocks[stage.first.index()].name);
    cuts.push_back(middle.front());
  }
  return cuts;
}

/// Where a schedule turns at an end of the lanes, two of its stages are one run of blocks on a lane.
bool turnsIn(const std::vector<Stage>& runs, std::size_t run) {
  if (runs.size() == 1) return true;
  return run > 0 && run + 1 < runs.size() && runs[run - 1].lane == runs[run + 1].lane;
}

/// Inside a run of blocks: the old one, or where its MACs halve; none for a single block.
std::vector<std::string> cutWithin(const ModelSpec& model, const Stage& run, const VariantConfig& before) {
  for (const std::string& cut : before.cuts.value_or(std::vector<std::string>{})) {
    const auto block = model.find(cut);
    if (block && *block > run.first && *block < run.end) return {cut};
  }
  return balancedCuts(model, run.first.index(), run.end.index(), 2);
}

/// The cuts that make a placement, with one more at each turn of a V or of waves.
std::vector<std::string> cutsOf(const ModelSpec& model, const Placement& placement, const VariantConfig& before) {
  if (!turnsAtTheLastLane(before.schedule)) return cutNames(model, placement);
  const std::vector<Stage> runs = stagesOf(placement);
  std::vector<std::string> cuts;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    if (run > 0) cuts.push_back(model.blocks[runs[run].first.index()].name);
    if (!turnsIn(runs, run)) continue;
    const std::vector<std::string> within = cutWithin(model, runs[run], before);
    cuts.insert(cuts.end(), within.begin(), within.end());
  }
  return cuts;
}

/// Whether the schedule can lay so many stages on so many lanes.
bool takesStages(ScheduleKind schedule, std::size_t stages, std::size_t lanes) {
  switch (layoutOf(schedule)) {
    case StageLayout::V: return stages == 2 * lanes;
    case StageLayout::Waves: return stages % (2 * lanes) == 0;
    case StageLayout::RoundRobin: return stages >= 2 * lanes;
    case StageLayout::Any: break;
  }
  return true;
}

/// Stages of one replica stand for those of all.
void writeCutsOfReplica(const Experiment& experiment, const ModelSpec& model, const Placement& placement,
                        VariantConfig& variant) {
  VariantConfig one = replicaSplit(experiment, variant).one;
  const std::vector<Stage> before = stagesOf(model, one, readPlacement(experiment, model, one));
  if (variant.strategy != Strategy::Ddp || lanesOfStages(before) != lanesOfStages(stagesOf(placement))) return;
  writePlacement(experiment, model, placement, one);
  if (one.cuts) variant.cuts = one.cuts;
}

}  // namespace

bool writePlacement(const Experiment& experiment, const ModelSpec& model, const Placement& placement,
                    VariantConfig& variant) {
  if (isReplicated(variant)) return writeCutsOfReplica(experiment, model, placement, variant), false;
  const VariantConfig before = variant;
  const std::vector<Stage> stages = stagesOf(placement);
  dropLostRecompute(variant, std::max<std::size_t>(1, stages.size()));
  const bool single = variant.strategy == Strategy::Single;
  variant.cuts.reset();
  variant.placement.reset();
  if (single && stages.size() <= 1) {
    variant.lanes = std::vector<int>{stages.empty() ? 0 : stages.front().lane.value};
    return false;
  }
  if (single) {
    variant.strategy = Strategy::Pipeline;
    variant.schedule = ScheduleKind::Gpipe;
    if (!variant.split_size) variant.split_size = std::max(1, experiment.data.batch / 4);
  }
  if (variant.actions && lanesOfStages(stages) != lanesOfStages(stagesOf(readPlacement(experiment, model, before))))
    setActions(std::nullopt, variant);
  const std::vector<LaneId> allowed = variantLanes(experiment, variant);
  const bool within = std::ranges::all_of(
      stages, [&](const Stage& stage) { return std::ranges::find(allowed, stage.lane) != allowed.end(); });
  if (!within) variant.lanes.reset();
  variant.cuts = cutsOf(model, placement, before);
  const std::vector<LaneId> lanes = lanesForCuts(variant, variantLanes(experiment, variant));
  if (lanes.size() > variant.cuts->size() && placementByCuts(model, *variant.cuts, lanes) == placement) return single;
  variant.cuts.reset();
  std::map<std::string, int> lane_of;
  for (std::size_t i = 0; i < model.blocks.size(); ++i)
    lane_of[model.blocks[i].name] = placement.lane_of_block[i].value;
  variant.placement = std::move(lane_of);
  return single;
}

void setSchedule(const Experiment& experiment, const ModelSpec& model, ScheduleKind schedule, VariantConfig& variant) {
  if (schedule == variant.schedule && !variant.actions) return;
  const bool kept = schedule == variant.schedule;
  const std::vector<Stage> stages = stagesOf(model, variant, readPlacement(experiment, model, variant));
  variant.schedule = schedule;
  setActions(std::nullopt, variant);
  if (kept) return;
  changeSchedule(variant, variant.schedule);
  const std::vector<LaneId> lanes =
      isReplicated(variant) ? replicaSplit(experiment, variant).lanes.front() : variantLanes(experiment, variant);
  const bool doubled = stages.size() == 2 * lanes.size() && lanes.size() > 1;
  std::vector<std::string> cuts;
  for (const Stage& stage : stages) {
    const bool stays = goesRoundTheLanes(schedule) || !doubled || stage.id.value % 2 == 0;
    if (stage.first.value > 0 && stays) cuts.push_back(model.blocks[stage.first.index()].name);
  }
  if (!lanes.empty() && !takesStages(schedule, stages.size(), lanes.size())) {
    const std::vector<std::string> even = balancedCuts(model, 0, model.blocks.size(), 2 * lanes.size());
    cuts = stages.size() == lanes.size() ? halvedCuts(model, stages) : even;
    if (cuts.empty()) return;
  }
  const bool was_cut = variant.cuts.has_value();
  if (!was_cut && !goesRoundTheLanes(schedule)) return;
  if (!goesRoundTheLanes(schedule) && cuts.size() >= lanes.size())
    cuts = balancedCuts(model, 0, model.blocks.size(), lanes.size());
  variant.cuts = cuts;
  variant.placement.reset();
}

void setActions(const std::optional<Schedule>& schedule, VariantConfig& variant) {
  variant.actions.reset();
  if (!schedule && variant.schedule == ScheduleKind::Custom) variant.schedule = ScheduleKind::Gpipe;
  if (!schedule) return;
  std::vector<std::string> rows;
  for (const std::vector<Action>& row : schedule->lanes) {
    const std::string csv = toCsv({schedule->stages, schedule->micro_batches, {row}});
    rows.push_back(csv.substr(0, csv.size() - 1));
  }
  variant.actions = std::move(rows);
}

void setStrategy(const Experiment& experiment, const ModelSpec& model, Strategy strategy, VariantConfig& variant) {
  if (strategy == variant.strategy) return;
  const bool was_single = variant.strategy == Strategy::Single;
  const bool was_replicated = isReplicated(variant);
  const std::vector<LaneId> lanes = variantLanes(experiment, variant);
  variant.strategy = strategy;
  if (isReplicated(variant)) {
    if (was_single) variant.lanes.reset();
    return becomeReplicated(experiment, variant);
  }
  variant.replicas.reset();
  if (strategy == Strategy::Single) {
    variant.lanes = std::vector<int>{lanes.empty() ? 0 : lanes.front().value};
    variant.cuts.reset();
    variant.placement.reset();
    dropLostRecompute(variant, 1);
  }
  if (strategy == Strategy::Pipeline) {
    if (!variant.split_size) variant.split_size = std::max(1, experiment.data.batch / 4);
  } else {
    variant.split_size.reset();
    changeSchedule(variant);
  }
  const bool cut = variant.placement || (variant.cuts && (!was_replicated || !variant.cuts->empty()));
  if (strategy == Strategy::Single || (!was_single && cut)) return;
  if (was_single) variant.lanes.reset();
  const std::vector<LaneId> all = variantLanes(experiment, variant);
  if (!all.empty()) writePlacement(experiment, model, balancedPlacement(model, all), variant);
}

}  // namespace lanelab
