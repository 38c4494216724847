// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/board_facts.h"

#include <QStringList>
#include <algorithm>

#include "base/text.h"
#include "engine/placement/tied_stages.h"
#include "ui/board/board_view.h"
#include "ui/look/plain_text.h"

namespace lanelab {
namespace {

QString stagesText(const std::vector<StageId>& stages) {
  QStringList numbers;
  for (const StageId stage : stages) numbers << QString::number(stage.value);
  const QString last = numbers.takeLast();
  return BoardView::tr("Stages %1 and %2").arg(numbers.join(QStringLiteral(", ")), last);
}

/// All blocks from the first user to the last on one lane.
Placement gathered(Placement placement, const SharedParameter& shared, LaneId lane) {
  const auto first = placement.lane_of_block.begin();
  std::fill(first + shared.blocks.front().value, first + shared.blocks.back().value + 1, lane);
  return placement;
}

/// On the lane of the first user or of the last, where as many stages are left.
std::optional<Placement> gatheredSomewhere(const Placement& placement, const SharedParameter& shared) {
  const std::size_t stages = stagesOf(placement).size();
  for (const BlockId user : {shared.blocks.front(), shared.blocks.back()}) {
    Placement moved = gathered(placement, shared, placement.lane_of_block[user.index()]);
    if (stagesOf(moved).size() == stages) return moved;
  }
  return std::nullopt;
}

}  // namespace

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

QString samplesNote(const ModelSpec& model, int batch) {
  const QString name = look::shownName(model.arch);
  const int least = model.least_samples, most = model.most_samples;
  if (most > 0 && most == least)
    return BoardView::tr("%1 takes %n sample(s) in a micro-batch.", nullptr, most).arg(name);
  if (most > 0 && most < batch)
    return BoardView::tr("%1 takes %2 to %3 samples in a micro-batch.").arg(name).arg(least).arg(most);
  if (least > 1) return BoardView::tr("%1 takes at least %2 samples in a micro-batch.").arg(name).arg(least);
  return {};
}

QString tiesNote(const ModelSpec& model, const std::vector<Stage>& stages) {
  const TiedStages tied = tiedStages(model, stages);
  if (tied.empty()) return {};
  const auto& [name, users] = *tied.begin();
  const QString parameter = look::shownName(name);
  const int others = static_cast<int>(tied.size()) - 1;
  const QString held =
      others > 0 ? BoardView::tr("%1 and %n other parameter(s)", nullptr, others).arg(parameter) : parameter;
  const QString who = stagesText(users);
  const QString holds = users.size() == 2 ? BoardView::tr("%1 both hold %2") : BoardView::tr("%1 all hold %2");
  return BoardView::tr("%1; their gradients are added up in each step, so sums round in another order.")
      .arg(holds.arg(who, held));
}

std::optional<Placement> withTiesOnOneLane(const ModelSpec& model, const Placement& placement) {
  Placement together = placement;
  for (const SharedParameter& shared : model.shared) {
    if (!tiedStages(model, stagesOf(together)).contains(shared.name)) continue;
    const std::optional<Placement> moved = gatheredSomewhere(together, shared);
    if (!moved) return std::nullopt;
    together = *moved;
  }
  if (together == placement) return std::nullopt;
  return together;
}

}  // namespace lanelab
