// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/board_facts.h"

#include "engine/experiment/experiment_edits.h"
#include "ui/board/board_view.h"

namespace lanelab {

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

QString shortBlockName(const QString& name) { return name.startsWith("layer") ? name.mid(5) : name; }

}  // namespace lanelab
