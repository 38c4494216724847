// SPDX-License-Identifier: GPL-3.0-only
// The board's mouse and keys: what is chosen, dragged, carried. What a drop means is in board_layout; the document
// makes the edit.
#include <QAccessible>
#include <QApplication>
#include <QGraphicsScene>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QRubberBand>
#include <algorithm>

#include "base/text.h"
#include "ui/board/board_items.h"
#include "ui/board/board_view.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {

void BoardView::choose(std::set<int> blocks) {
  if (blocks == m_selected) return;
  m_selected = std::move(blocks);
  refreshItems();
  Q_EMIT selectionChanged();
}

void BoardView::setFocusBlock(int block, bool extend) {
  const int last = static_cast<int>(m_geometry.chips.size()) - 1;
  if (last < 0) return;
  m_focus = std::clamp(block, 0, last);
  if (!extend) m_anchor = m_focus;
  std::set<int> chosen;
  for (int i = std::min(m_anchor, m_focus); i <= std::max(m_anchor, m_focus); ++i) chosen.insert(i);
  choose(std::move(chosen));
  const BoardGeometry::Chip& chip = m_geometry.chips[static_cast<std::size_t>(m_focus)];
  pickLane(chip.lane.value);
  refreshItems();
  ensureVisible(chip.rect, 4 * look::kGrid, look::kGrid);
  speakFocus();
}

void BoardView::speakFocus() {
  const auto& blocks = m_document->model().blocks;
  if (blocks.empty()) return;
  const BlockSpec& block = blocks[static_cast<std::size_t>(m_focus)];
  const LaneId lane = shownPlacement().lane_of_block[static_cast<std::size_t>(m_focus)];
  setAccessibleDescription(tr("%1 on lane %2, %n block(s) chosen", nullptr, static_cast<int>(m_selected.size()))
                               .arg(look::shownName(block.name), QString::number(lane.value)));
  QAccessibleEvent told(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&told);
}

// --- mouse
// -------------------------------------------------------------------------------------------------------------------------------

void BoardView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || m_gesture.kind != Gesture::Kind::None) return;
  const QPoint pixel = event->position().toPoint();
  const QPointF scene_point = mapToScene(pixel);
  m_gesture.start = scene_point;
  m_gesture.start_pixel = pixel;
  const auto cut = cutAt(m_geometry, scene_point);
  if (cut && !m_read_only) {
    m_gesture.kind = Gesture::Kind::Cut;
    m_gesture.cut = m_geometry.cuts[*cut].first;
    m_gesture.lane = m_geometry.cuts[*cut].to;
    return;
  }
  if (const auto block = chipAt(m_geometry, scene_point)) {
    pressOnChip(*block, *event);
    return;
  }
  m_gesture.kind = Gesture::Kind::Band;
  m_gesture.selected_before = event->modifiers() & Qt::ControlModifier ? m_selected : std::set<int>{};
  pickLane(laneAt(m_geometry, scene_point.y()).value);
}

void BoardView::pressOnChip(BlockId block, const QMouseEvent& event) {
  const bool chosen = m_selected.contains(block.value);
  if (event.modifiers() & Qt::ShiftModifier) {
    setFocusBlock(block.value, true);
  } else if (event.modifiers() & Qt::ControlModifier) {
    std::set<int> blocks = m_selected;
    if (chosen)
      blocks.erase(block.value);
    else
      blocks.insert(block.value);
    m_focus = m_anchor = block.value;
    choose(std::move(blocks));
  } else if (!chosen) {
    setFocusBlock(block.value, false);
  } else {
    m_gesture.click = block;
  }
  if (!m_selected.contains(block.value)) return;
  m_gesture.kind = Gesture::Kind::Pressed;
  m_gesture.blocks = selectedBlocks();
  m_gesture.lane = m_geometry.chips[block.index()].lane;
}

void BoardView::mouseMoveEvent(QMouseEvent* event) {
  const QPoint pixel = event->position().toPoint();
  if (m_gesture.kind == Gesture::Kind::None) {
    hover(pixel);
    return;
  }
  if (event->buttons() & Qt::LeftButton) moveGesture(mapToScene(pixel), pixel);
}

void BoardView::hover(QPoint pixel) {
  const QPointF point = mapToScene(pixel);
  if (m_read_only)
    viewport()->unsetCursor();
  else if (cutAt(m_geometry, point))
    viewport()->setCursor(Qt::SizeHorCursor);
  else if (chipAt(m_geometry, point))
    viewport()->setCursor(Qt::OpenHandCursor);
  else
    viewport()->unsetCursor();
}

void BoardView::moveGesture(QPointF scene_point, QPoint pixel) {
  const bool far = (pixel - m_gesture.start_pixel).manhattanLength() >= QApplication::startDragDistance();
  if (m_gesture.kind == Gesture::Kind::Pressed && far && !m_read_only) {
    m_gesture.kind = Gesture::Kind::Chips;
    viewport()->setCursor(Qt::ClosedHandCursor);
  }
  switch (m_gesture.kind) {
    case Gesture::Kind::Chips: dragChips(scene_point); break;
    case Gesture::Kind::Band: dragBand(pixel); break;
    case Gesture::Kind::Cut: {
      const Placement base = m_document->activePlacement();
      const BlockId new_first = boundaryNear(m_geometry, scene_point.x(), cutRange(base, m_gesture.cut));
      showPreview(withCutMoved(base, m_gesture.cut, new_first));
      break;
    }
    default: break;
  }
}

void BoardView::dragChips(QPointF scene_point) {
  m_gesture.lane = laneAt(m_geometry, scene_point.y());
  const Placement base = m_document->activePlacement();
  showPreview(withBlocksOn(base, m_gesture.blocks, m_gesture.lane));
  std::vector<QRectF> origins;
  std::vector<QString> groups;
  for (const BlockId block : m_gesture.blocks) {
    const QRectF now = m_geometry.chips[block.index()].rect;
    const QRectF& band = m_geometry.rows[base.lane_of_block[block.index()].index()].band;
    origins.emplace_back(now.left(), band.top(), now.width(), now.height());
    groups.push_back(QString::fromStdString(m_document->model().blocks[block.index()].group));
  }
  m_ghost->show(origins, groups, scene_point - m_gesture.start);
  ensureVisible(QRectF(scene_point, QSizeF(1, 1)), 4 * look::kGrid, 4 * look::kGrid);
}

void BoardView::dragBand(QPoint pixel) {
  const QRect area = QRect(m_gesture.start_pixel, pixel).normalized();
  m_band->setGeometry(area);
  m_band->show();
  std::set<int> blocks = m_gesture.selected_before;
  for (const BlockId block : chipsIn(m_geometry, mapToScene(area).boundingRect())) blocks.insert(block.value);
  if (!blocks.empty()) m_focus = m_anchor = *blocks.begin();
  choose(std::move(blocks));
}

void BoardView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || m_gesture.kind == Gesture::Kind::Carried) return;
  const QPoint pixel = event->position().toPoint();
  if (m_gesture.kind == Gesture::Kind::Chips || m_gesture.kind == Gesture::Kind::Cut) {
    moveGesture(mapToScene(pixel), pixel);
    drop();
  } else if (m_gesture.kind == Gesture::Kind::Band && m_band->isHidden()) {
    choose(m_gesture.selected_before);
  } else if (m_gesture.kind == Gesture::Kind::Pressed && m_gesture.click) {
    setFocusBlock(m_gesture.click->value, false);
  }
  endGesture();
  hover(pixel);
}

void BoardView::mouseDoubleClickEvent(QMouseEvent* event) { mousePressEvent(event); }

// --- preview and drop
// --------------------------------------------------------------------------------------------------------------------

void BoardView::showPreview(const Placement& placement) {
  if (m_preview && *m_preview == placement) {
    viewport()->update();
    return;
  }
  m_preview = placement;
  refreshItems();
  refreshLanes();
  Q_EMIT previewChanged(placement);
}

void BoardView::drop() {
  if (!m_preview) return;
  const Placement placement = *m_preview;
  const bool cut = m_gesture.kind == Gesture::Kind::Cut;
  const QString text =
      cut ? tr("Move cut") : tr("Move %n block(s)", nullptr, static_cast<int>(m_gesture.blocks.size()));
  endGesture();
  m_document->setPlacement(text, placement);
}

void BoardView::endGesture() {
  const bool previewed = m_preview.has_value();
  m_gesture = Gesture{};
  m_preview.reset();
  m_band->hide();
  m_ghost->show({}, {}, {});
  viewport()->unsetCursor();
  refreshItems();
  refreshLanes();
  if (previewed) Q_EMIT previewEnded();
}

// --- keys
// --------------------------------------------------------------------------------------------------------------------------------

std::vector<BlockId> BoardView::blocksForKeys() const {
  return m_selected.empty() ? std::vector<BlockId>{BlockId(m_focus)} : selectedBlocks();
}

void BoardView::moveToLane(const std::vector<BlockId>& blocks, LaneId lane) {
  if (m_read_only || lane.value < 0 || lane.value >= laneCount()) return;
  m_document->setPlacement(tr("Move %n block(s)", nullptr, static_cast<int>(blocks.size())),
                           withBlocksOn(m_document->activePlacement(), blocks, lane));
  speakFocus();
}

void BoardView::moveCutByKey(int by) {
  const Placement placement = m_document->activePlacement();
  const std::vector<Stage> stages = stagesOf(placement);
  if (m_read_only || stages.size() < 2) return;
  const auto here =
      std::find_if(stages.begin(), stages.end(), [&](const Stage& stage) { return m_focus < stage.end.value; });
  const BlockId cut = here == stages.begin() ? here->end : here->first;
  const CutRange range = cutRange(placement, cut);
  const BlockId moved(std::clamp(cut.value + by, range.lowest.value, range.highest.value));
  m_document->setPlacement(tr("Move cut"), withCutMoved(placement, cut, moved));
  speakFocus();
}

void BoardView::keyPressEvent(QKeyEvent* event) {
  if (m_gesture.kind != Gesture::Kind::None && event->key() == Qt::Key_Escape) {
    endGesture();
    return;
  }
  if (m_gesture.kind == Gesture::Kind::Carried) {
    if (carryKey(*event)) return;
  } else if (m_gesture.kind == Gesture::Kind::None && (editKey(*event) || walkKey(*event))) {
    return;
  }
  event->ignore();
}

bool BoardView::carryKey(const QKeyEvent& event) {
  const auto carryTo = [this](int lane) {
    m_gesture.lane = LaneId(std::clamp(lane, 0, laneCount() - 1));
    showPreview(withBlocksOn(m_document->activePlacement(), m_gesture.blocks, m_gesture.lane));
    ensureVisible(m_geometry.chips[static_cast<std::size_t>(m_focus)].rect, 4 * look::kGrid, look::kGrid);
    speakFocus();
  };
  switch (event.key()) {
    case Qt::Key_Up: carryTo(m_gesture.lane.value - 1); return true;
    case Qt::Key_Down: carryTo(m_gesture.lane.value + 1); return true;
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
      drop();
      endGesture();
      speakFocus();
      return true;
    default: return false;
  }
}

bool BoardView::editKey(const QKeyEvent& event) {
  const bool control = event.modifiers() & Qt::ControlModifier;
  const int key = event.key();
  if (m_geometry.chips.empty()) return false;
  const LaneId lane = m_document->activePlacement().lane_of_block[static_cast<std::size_t>(m_focus)];
  if (control && (key == Qt::Key_Up || key == Qt::Key_Down)) {
    moveToLane(blocksForKeys(), LaneId(lane.value + (key == Qt::Key_Up ? -1 : 1)));
  } else if (control && (key == Qt::Key_Left || key == Qt::Key_Right)) {
    moveCutByKey(key == Qt::Key_Left ? -1 : 1);
  } else if (!control && key >= Qt::Key_0 && key <= Qt::Key_9) {
    moveToLane(blocksForKeys(), LaneId(key - Qt::Key_0));
  } else if (key == Qt::Key_Space && !m_read_only && laneCount() > 0) {
    m_gesture.kind = Gesture::Kind::Carried;
    m_gesture.blocks = blocksForKeys();
    m_gesture.lane = lane;
    showPreview(m_document->activePlacement());
  } else {
    return false;
  }
  return true;
}

bool BoardView::walkKey(const QKeyEvent& event) {
  const bool extend = event.modifiers() & Qt::ShiftModifier;
  switch (event.key()) {
    case Qt::Key_Left: setFocusBlock(m_focus - 1, extend); return true;
    case Qt::Key_Right: setFocusBlock(m_focus + 1, extend); return true;
    case Qt::Key_Home: setFocusBlock(0, extend); return true;
    case Qt::Key_End: setFocusBlock(static_cast<int>(m_geometry.chips.size()) - 1, extend); return true;
    case Qt::Key_F2: renameSelectedLane(); return true;
    case Qt::Key_Escape:
      if (m_selected.empty()) return false;
      choose({});
      return true;
    case Qt::Key_A: {
      if (!(event.modifiers() & Qt::ControlModifier)) return false;
      std::set<int> all;
      for (int i = 0; i < static_cast<int>(m_geometry.chips.size()); ++i) all.insert(i);
      choose(std::move(all));
      return true;
    }
    default: return false;
  }
}

void BoardView::focusInEvent(QFocusEvent* event) {
  QGraphicsView::focusInEvent(event);
  refreshItems();
  speakFocus();
}

void BoardView::focusOutEvent(QFocusEvent* event) {
  QGraphicsView::focusOutEvent(event);
  if (m_gesture.kind == Gesture::Kind::Carried && event->reason() != Qt::PopupFocusReason) endGesture();
  refreshItems();
}

void BoardView::contextMenuEvent(QContextMenuEvent* event) {
  if (m_gesture.kind != Gesture::Kind::None) return;
  QPoint where = event->globalPos();
  if (event->reason() == QContextMenuEvent::Keyboard && !m_geometry.chips.empty()) {
    const QRectF rect = m_geometry.chips[static_cast<std::size_t>(m_focus)].rect;
    where = viewport()->mapToGlobal(mapFromScene(rect.bottomLeft()));
  } else {
    const QPointF point = mapToScene(viewport()->mapFromGlobal(where));
    const auto block = chipAt(m_geometry, point);
    if (block && !m_selected.contains(block->value)) setFocusBlock(block->value, false);
    if (!block) pickLane(laneAt(m_geometry, point.y()).value);
  }
  QMenu menu(this);
  QMenu* move = menu.addMenu(tr("&Move to lane"));
  move->setEnabled(!m_read_only && !m_selected.empty());
  const std::vector<LaneConfig>& lanes = m_document->experiment().lanes;
  for (int lane = 0; lane < laneCount(); ++lane) {
    const QString title = look::buttonText(lanes[static_cast<std::size_t>(lane)].title());
    move->addAction(tr("%1: %2").arg(lane < 10 ? QStringLiteral("&%1").arg(lane) : QString::number(lane), title), this,
                    [this, lane] { moveToLane(blocksForKeys(), LaneId(lane)); });
  }
  menu.addSeparator();
  fillLaneMenu(menu, m_lane);
  menu.exec(where);
}

}  // namespace lanelab
