// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/board_facts.h"

#include <algorithm>

#include "base/text.h"
#include "engine/experiment/experiment_edits.h"
#include "ui/board/board_view.h"
#include "ui/look/plain_text.h"

namespace lanelab {

int shownSamples(const BoardState& state) {
  const ResolvedVariant* const variant = state.document().active();
  return variant ? variant->splitSize() : std::max(1, state.experiment().data.batch);
}

std::vector<int> shownRepeatedLanes(const BoardState& state) {
  const ResolvedVariant* const variant = state.document().active();
  return variant ? variant->repeatedLanes() : std::vector<int>{};
}

std::vector<int> shownReplicas(const BoardState& state) {
  const ResolvedVariant* const variant = state.document().active();
  std::vector<int> replicas(state.experiment().lanes.size(), -1);
  if (!variant || !variant->replicated()) return replicas;
  for (std::size_t lane = 0; lane < replicas.size(); ++lane)
    replicas[lane] = replicaOfLane(variant->replicaLanes(), LaneId(lane));
  return replicas;
}

namespace {

/// As if the blocks were dropped where they are drawn.
std::vector<LaneMemory> previewedMemory(const BoardState& state) {
  VariantConfig variant = *state.variant();
  writePlacement(state.experiment(), state.model(), state.placement(), variant);
  const auto previewed = state.document().resolution()->with(variant);
  return laneMemory(previewed->variants().front(), state.devices());
}

}  // namespace

std::vector<LaneMemory> shownMemory(const BoardState& state) {
  const ResolvedVariant* const variant = state.document().active();
  if (!state.document().activePlan()) return {};
  std::vector<LaneMemory> lanes = state.previews() ? previewedMemory(state) : laneMemory(*variant, state.devices());
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

QString shortBlockName(const QString& name) { return name.startsWith("layer") ? name.mid(5) : name; }

}  // namespace lanelab
