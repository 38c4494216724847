// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/board_facts.h"

#include "base/text.h"
#include "ui/board/board_view.h"

namespace lanelab {

std::vector<LaneMemory> shownMemory(const BoardState& state) {
  const ResolvedVariant* const variant = state.shownVariant();
  if (!state.document().activePlan() || variant == nullptr) return {};
  std::vector<LaneMemory> lanes = laneMemory(*variant, state.devices());
  const VariantRecord* const measured = state.measured();
  for (std::size_t i = 0; measured && i < lanes.size() && i < measured->lanes.size(); ++i)
    lanes[i].measured = measured->lanes[i].peak_bytes;
  return lanes;
}

QString costShareText(double share) {
  const int percent = qRound(share * 100);
  return percent == 0 && share > 0 ? BoardView::tr("< 1 %") : BoardView::tr("%1 %").arg(percent);
}

QString countText(std::int64_t value) { return QString::fromStdString(formatCount(static_cast<double>(value))); }

QString parametersText(std::int64_t parameters, std::int64_t frozen) {
  if (frozen == 0) return countText(parameters);
  if (frozen == parameters) return BoardView::tr("%1, all frozen").arg(countText(parameters));
  return BoardView::tr("%1, %2 frozen").arg(countText(parameters), countText(frozen));
}

QString costName(ChipCost by) {
  switch (by) {
    case ChipCost::Macs: return BoardView::tr("MACs");
    case ChipCost::Parameters: return BoardView::tr("parameters");
    case ChipCost::Memory: return BoardView::tr("memory");
  }
  return {};
}

QString whyNoCut(const BoardState& state) {
  const ResolvedVariant* const variant = state.document().active();
  if (!variant) return BoardView::tr("There is no variant to cut. Add one in the experiment form.");
  if (variant->replicated()) return BoardView::tr("Replicas keep their number of stages. Drag a cut instead.");
  if (state.lanes() < 2) return BoardView::tr("A cut needs a second lane. Add a lane first.");
  const BlockId block(state.choice().focus());
  if (withCutBefore(state.document().activePlacement(), block, state.lanes())) return {};
  return BoardView::tr("A stage begins with this block already. Choose another block.");
}

}  // namespace lanelab
