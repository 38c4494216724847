// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/board_state.h"

#include <algorithm>
#include <utility>

#include "engine/experiment/edits/placement_edits.h"
#include "ui/board/board_view.h"
#include "ui/look/plain_text.h"

namespace lanelab {

BoardState::BoardState(ExperimentDocument& document, std::vector<DeviceInfo> devices)
    : m_document(document), m_devices(std::move(devices)) {}

const VariantRecord* BoardState::measured() const {
  if (!m_run || m_preview || !variant() || m_run->experiment != experiment()) return nullptr;
  return m_run->find(variant()->name);
}

const ResolvedVariant* BoardState::shownVariant() const {
  if (!m_preview || !variant()) return m_document.active();
  if (!m_previewed) {
    VariantConfig placed = *variant();
    writePlacement(experiment(), model(), *m_preview, placed);
    m_previewed = m_document.resolution()->with(placed);
  }
  return &m_previewed->variants().front();
}

std::shared_ptr<const Resolution> BoardState::shownResolution() const {
  shownVariant();
  return m_previewed ? m_previewed : m_document.resolution();
}

bool BoardState::showPreview(const Placement& placement) {
  if (m_preview && *m_preview == placement) return false;
  m_preview = placement;
  m_previewed.reset();
  Q_EMIT blocksChanged();
  Q_EMIT lanesChanged();
  Q_EMIT previewChanged(placement);
  return true;
}

void BoardState::endPreview() {
  const bool previewed = std::exchange(m_preview, std::nullopt).has_value();
  m_previewed.reset();
  Q_EMIT blocksChanged();
  Q_EMIT lanesChanged();
  if (previewed) Q_EMIT previewEnded();
}

void BoardState::choose(BlockChoice choice) {
  if (choice == m_choice) return;
  m_choice = std::move(choice);
  Q_EMIT blocksChanged();
}

void BoardState::walkTo(int block, bool extend) {
  const int last = static_cast<int>(model().blocks.size()) - 1;
  if (last < 0) return;
  m_choice.walkTo(std::clamp(block, 0, last), extend);
  pickLane(placement().lane_of_block[static_cast<std::size_t>(m_choice.focus())].value);
  Q_EMIT blocksChanged();
  Q_EMIT focusMoved();
  announceFocus();
}

void BoardState::chooseAt(const BoardGeometry& geometry, QPointF point) {
  const auto block = chipAt(geometry, point);
  if (!block)
    pickLane(laneAt(geometry, point.y()).value);
  else if (!m_choice.contains(*block))
    walkTo(block->value, false);
}

void BoardState::announceFocus() {
  if (model().blocks.empty()) return;
  const auto focus = static_cast<std::size_t>(m_choice.focus());
  const LaneId lane = placement().lane_of_block[focus];
  Q_EMIT described(
      BoardView::tr("%1 on lane %2, %n block(s) selected", nullptr, static_cast<int>(m_choice.chosen().size()))
          .arg(look::shownName(model().blocks[focus].name), QString::number(lane.value)));
}

void BoardState::pickLane(int lane) {
  if (lane == m_lane || lane < 0 || lane >= lanes()) return;
  m_lane = lane;
  Q_EMIT lanesChanged();
}

void BoardState::setWidthBy(ChipCost by) {
  m_width_by = by;
  refresh();
}

void BoardState::setReadOnly(bool read_only) {
  m_read_only = read_only;
  Q_EMIT blocksChanged();
}

void BoardState::setRun(std::shared_ptr<const RunRecord> run) {
  m_run = std::move(run);
  Q_EMIT lanesChanged();
}

void BoardState::refresh() {
  m_choice.limit(static_cast<int>(model().blocks.size()));
  m_lane = std::clamp(m_lane, 0, std::max(0, lanes() - 1));
  Q_EMIT blocksChanged();
  Q_EMIT lanesChanged();
}

}  // namespace lanelab
