// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/board_facts.h"

#include <algorithm>

#include "base/text.h"
#include "engine/experiment/experiment_edits.h"
#include "engine/experiment/replica_edits.h"
#include "ui/board/board_view.h"
#include "ui/look/plain_text.h"

namespace lanelab {

int shownSamples(const BoardState& state) {
  const Experiment& experiment = state.experiment();
  const VariantConfig* const variant = state.variant();
  return variant ? splitSizeOf(experiment, *variant) : std::max(1, experiment.data.batch);
}

std::vector<int> shownRepeatedLanes(const BoardState& state) {
  const VariantConfig* const variant = state.variant();
  return variant ? repeatedLanes(state.experiment(), *variant) : std::vector<int>{};
}

std::vector<int> shownReplicas(const BoardState& state) {
  const Experiment& experiment = state.experiment();
  const VariantConfig* const variant = state.variant();
  std::vector<int> replicas(experiment.lanes.size(), -1);
  if (!variant || !isReplicated(*variant)) return replicas;
  const StageLanes lanes = replicaSplitOf(experiment, *variant).lanes;
  for (std::size_t lane = 0; lane < replicas.size(); ++lane) replicas[lane] = replicaOfLane(lanes, LaneId(lane));
  return replicas;
}

std::vector<LaneMemory> shownMemory(const BoardState& state) {
  const Experiment& experiment = state.experiment();
  if (!state.variant() || !state.document().activePlan()) return {};
  VariantConfig variant = *state.variant();
  if (state.previews()) writePlacement(experiment, state.model(), state.placement(), variant);
  std::vector<LaneMemory> lanes = laneMemory(experiment, state.model(), variant, state.devices());
  const VariantRecord* const measured = state.measured();
  for (std::size_t i = 0; measured && i < lanes.size() && i < measured->lanes.size(); ++i)
    lanes[i].measured = measured->lanes[i].peak_bytes;
  return lanes;
}

QString costName(ChipCost by) {
  switch (by) {
    case ChipCost::Macs: return BoardView::tr("MACs");
    case ChipCost::Parameters: return BoardView::tr("parameters");
    case ChipCost::Memory: return BoardView::tr("memory");
  }
  return {};
}

QString chipTip(const BlockSpec& block, double share, ChipCost by) {
  return BoardView::tr("%1 (%2)\n%3 parameters, %4 MACs a sample\n%5 % of all %6, output %7")
      .arg(look::shownName(block.name), QString::fromStdString(block.type),
           QString::fromStdString(formatCount(static_cast<double>(block.parameters))),
           QString::fromStdString(formatCount(static_cast<double>(block.macs))),
           QString::fromStdString(formatNumber(share * 100, 2)), costName(by),
           QString::fromStdString(formatShape(block.output)));
}

}  // namespace lanelab
