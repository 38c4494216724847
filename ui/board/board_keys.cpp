// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/board_keys.h"

#include <QMenu>
#include <algorithm>
#include <utility>

#include "engine/experiment/lane_cores.h"
#include "ui/board/board_view.h"
#include "ui/look/plain_text.h"

namespace lanelab {

bool BoardKeys::press(const QKeyEvent& event) {
  if (m_drag.active() && event.key() == Qt::Key_Escape) return m_drag.end(), true;
  if (m_drag.carries()) return carryKey(event);
  return !m_drag.active() && (editKey(event) || walkKey(event));
}

bool BoardKeys::carryKey(const QKeyEvent& event) {
  switch (event.key()) {
    case Qt::Key_Up: return carryBy(-1), true;
    case Qt::Key_Down: return carryBy(+1), true;
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
      m_drag.drop();
      m_drag.end();
      m_state.announceFocus();
      return true;
    default: return false;
  }
}

void BoardKeys::carryBy(int lanes) {
  m_drag.carryBy(lanes);
  Q_EMIT m_state.focusMoved();
  m_state.announceFocus();
}

bool BoardKeys::editKey(const QKeyEvent& event) {
  const bool control = event.modifiers() & Qt::ControlModifier;
  const int key = event.key();
  if (m_state.model().blocks.empty()) return false;
  const auto focus = static_cast<std::size_t>(m_state.choice().focus());
  const LaneId lane = m_state.document().activePlacement().lane_of_block[focus];
  const std::vector<BlockId> blocks = m_state.choice().blocksForKeys();
  if (control && (key == Qt::Key_Up || key == Qt::Key_Down))
    moveToLane(blocks, LaneId(lane.value + (key == Qt::Key_Up ? -1 : 1)));
  else if (control && (key == Qt::Key_Left || key == Qt::Key_Right))
    moveCut(key == Qt::Key_Left ? -1 : 1);
  else if (!control && key >= Qt::Key_0 && key <= Qt::Key_9)
    moveToLane(blocks, LaneId(key - Qt::Key_0));
  else if (key == Qt::Key_Space && !m_state.readOnly() && m_state.lanes() > 0)
    pickUp(blocks, lane);
  else
    return false;
  return true;
}

void BoardKeys::pickUp(const std::vector<BlockId>& blocks, LaneId lane) {
  m_drag.carry(blocks, lane);
  Q_EMIT m_state.described(
      BoardView::tr("%n block(s) picked up. Up and Down choose the lane, Enter drops, Esc cancels.", nullptr,
                    static_cast<int>(blocks.size())));
}

bool BoardKeys::walkKey(const QKeyEvent& event) {
  const bool extend = event.modifiers() & Qt::ShiftModifier;
  const int focus = m_state.choice().focus(), last = static_cast<int>(m_state.model().blocks.size()) - 1;
  switch (event.key()) {
    case Qt::Key_Left: return m_state.walkTo(focus - 1, extend), true;
    case Qt::Key_Right: return m_state.walkTo(focus + 1, extend), true;
    case Qt::Key_Home: return m_state.walkTo(0, extend), true;
    case Qt::Key_End: return m_state.walkTo(last, extend), true;
    case Qt::Key_Escape: return !m_state.choice().chosen().empty() && choose({});
    case Qt::Key_A: return event.modifiers() & Qt::ControlModifier && chooseAll();
    default: return false;
  }
}

bool BoardKeys::chooseAll() {
  std::set<int> all;
  for (int i = 0; i < static_cast<int>(m_state.model().blocks.size()); ++i) all.insert(i);
  return choose(std::move(all));
}

bool BoardKeys::choose(std::set<int> blocks) {
  BlockChoice next = m_state.choice();
  next.choose(std::move(blocks));
  m_state.choose(std::move(next));
  return true;
}

void BoardKeys::fillMoveMenu(QMenu& menu) {
  menu.setEnabled(!m_state.readOnly() && !m_state.choice().chosen().empty());
  const std::vector<std::string> titles = laneTitles(m_state.experiment().lanes);
  for (int lane = 0; lane < m_state.lanes(); ++lane) {
    const QString title = look::buttonText(titles[static_cast<std::size_t>(lane)]);
    const QString number = lane < 10 ? QStringLiteral("&%1").arg(lane) : QString::number(lane);
    menu.addAction(BoardView::tr("%1: %2").arg(number, title),
                   [this, lane] { moveToLane(m_state.choice().blocksForKeys(), LaneId(lane)); });
  }
}

void BoardKeys::moveToLane(const std::vector<BlockId>& blocks, LaneId lane) {
  if (m_state.readOnly() || lane.value < 0 || lane.value >= m_state.lanes()) return;
  m_state.document().setPlacement(BoardView::tr("Move %n block(s)", nullptr, static_cast<int>(blocks.size())),
                                  withBlocksOn(m_state.document().activePlacement(), blocks, lane));
  m_state.announceFocus();
}

/// The cut before the stage that the keyboard is in; of the first stage the one behind it.
void BoardKeys::moveCut(int by) {
  const Placement placement = m_state.document().activePlacement();
  const std::vector<Stage> stages = stagesOf(placement);
  if (m_state.readOnly() || stages.size() < 2) return;
  const int focus = m_state.choice().focus();
  const auto here =
      std::find_if(stages.begin(), stages.end(), [&](const Stage& stage) { return focus < stage.end.value; });
  const BlockId cut = here == stages.begin() ? here->end : here->first;
  const CutRange range = cutRange(placement, cut);
  const BlockId moved(std::clamp(cut.value + by, range.lowest.value, range.highest.value));
  m_state.document().setPlacement(BoardView::tr("Move Cut"), withCutMoved(placement, cut, moved));
  m_state.announceFocus();
}

}  // namespace lanelab
