// SPDX-License-Identifier: GPL-3.0-only
#include "ui/accessible/accessible_board.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "engine/experiment/lane_cores.h"
#include "ui/board/board_facts.h"
#include "ui/look/plain_text.h"

namespace lanelab {
namespace {

constexpr std::size_t kMostSelectionEvents = 16;  ///< more blocks that become selected at once are one event
const QString kSelect = QStringLiteral("select");
const QString kMoveToLane = QStringLiteral("moveToLane");

class BoardLane : public AccessiblePart {
  Q_DECLARE_TR_FUNCTIONS(AccessibleBoard)

 public:
  BoardLane(const AccessibleBoard& owner, LaneId lane) : AccessiblePart(owner.board()), m_owner(owner), m_lane(lane) {}

  LaneId lane() const { return m_lane; }
  QAccessible::Role role() const override { return QAccessible::List; }
  QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(&m_owner.board()); }
  int childCount() const override { return static_cast<int>(blocks().size()); }
  QAccessibleInterface* child(int index) const override {
    const bool has = index >= 0 && index < childCount();
    return has ? m_owner.block(blocks()[static_cast<std::size_t>(index)]) : nullptr;
  }
  int indexOfChild(const QAccessibleInterface* child) const override;
  QAccessible::State state() const override {
    QAccessible::State state;
    state.selectable = true;
    state.selected = m_owner.board().state().lane() == m_lane.value;
    return state;
  }

 protected:
  bool exists() const override { return m_lane.index() < geometry().rows.size(); }
  QString name() const override {
    const BoardGeometry::Row& shown = row();
    return tr("%1, %n block(s), %2 of all %3", nullptr, shown.blocks)
        .arg(m_owner.titleOf(m_lane), costShareText(shown.share), costName(m_owner.board().state().widthBy()));
  }
  QRect area() const override { return m_owner.areaOf(row().band); }

 private:
  const BoardGeometry& geometry() const { return m_owner.board().geometryNow(); }
  const BoardGeometry::Row& row() const { return geometry().rows[m_lane.index()]; }
  const std::vector<BlockId>& blocks() const { return m_owner.blocksOf(m_lane); }

  const AccessibleBoard& m_owner;
  LaneId m_lane;
};

class BoardBlock : public AccessiblePart {
  Q_DECLARE_TR_FUNCTIONS(AccessibleBoard)

 public:
  BoardBlock(const AccessibleBoard& owner, BlockId block)
      : AccessiblePart(owner.board()), m_owner(owner), m_block(block) {}

  BlockId block() const { return m_block; }
  QAccessibleInterface* parent() const override { return exists() ? m_owner.lane(chip().lane) : nullptr; }
  QAccessible::State state() const override;
  QStringList actionNames() const override;
  QString localizedActionName(const QString& action) const override;
  void doAction(const QString& action) override;

 protected:
  bool exists() const override {
    const std::size_t chips = m_owner.board().geometryNow().chips.size();
    return m_block.index() < std::min(chips, m_owner.board().model().blocks.size());
  }
  QString name() const override {
    const BlockSpec& block = spec();
    return tr("%1, on lane %2, %3 parameters, %4 MACs")
        .arg(look::shownName(block.name), m_owner.titleOf(chip().lane),
             parametersText(block.parameters, block.frozen_parameters), countText(block.macs));
  }
  QString description() const override {
    return tr("%1, %2 of all %3, output %4")
        .arg(look::shownName(spec().type), costShareText(chip().share), costName(m_owner.board().state().widthBy()),
             QString::fromStdString(formatShape(spec().output)));
  }
  QRect area() const override { return m_owner.areaOf(chip().rect); }

 private:
  const BoardGeometry::Chip& chip() const { return m_owner.board().geometryNow().chips[m_block.index()]; }
  const BlockSpec& spec() const { return m_owner.board().model().blocks[m_block.index()]; }

  const AccessibleBoard& m_owner;
  BlockId m_block;
};

int BoardLane::indexOfChild(const QAccessibleInterface* child) const {
  const auto* const part = dynamic_cast<const BoardBlock*>(child);
  if (!part) return -1;
  const auto found = std::ranges::lower_bound(blocks(), part->block().value, {}, &BlockId::value);
  return found != blocks().end() && *found == part->block() ? static_cast<int>(found - blocks().begin()) : -1;
}

QAccessible::State BoardBlock::state() const {
  QAccessible::State state;
  if (!exists()) return state;
  const BoardView& board = m_owner.board();
  state.focusable = state.selectable = state.multiSelectable = state.extSelectable = true;
  state.focused = board.hasFocus() && board.state().choice().focus() == m_block.value;
  state.selected = board.state().choice().contains(m_block);
  state.offscreen = !board.viewport()->geometry().intersects(area());
  return state;
}

QStringList BoardBlock::actionNames() const {
  QStringList names{kSelect, setFocusAction()};
  if (!exists() || m_owner.board().state().readOnly()) return names;
  for (int lane = 0; lane < m_owner.board().state().lanes(); ++lane)
    if (lane != chip().lane.value) names << kMoveToLane + QString::number(lane);
  return names;
}

QString BoardBlock::localizedActionName(const QString& action) const {
  if (action == kSelect) return tr("Select");
  if (!action.startsWith(kMoveToLane)) return QAccessibleActionInterface::localizedActionName(action);
  return tr("Move to lane %1").arg(m_owner.titleOf(LaneId(action.mid(kMoveToLane.size()).toInt())));
}

void BoardBlock::doAction(const QString& action) {
  if (!actionNames().contains(action)) return;
  BoardView& board = m_owner.board();
  if (action.startsWith(kMoveToLane))
    return board.moveBlocks({m_block}, LaneId(action.mid(kMoveToLane.size()).toInt()));
  board.showBlock(m_block);
  if (action == setFocusAction()) board.setFocus();
}

}  // namespace

AccessibleBoard::AccessibleBoard(BoardView& board)
    : AccessibleView(board), m_board(board), m_selected(board.state().choice().chosen()) {
  follow();
}

void AccessibleBoard::follow() {
  const BoardState* const state = &m_board.state();
  QObject::connect(state, &BoardState::blocksChanged, context(), [this] {
    m_blocks_known = false;
    announceSelection();
  });
  QObject::connect(state, &BoardState::described, context(), [this] { announceCurrent(); });
}

const std::vector<BlockId>& AccessibleBoard::blocksOf(LaneId lane) const {
  static const std::vector<BlockId> none;
  if (!m_blocks_known) {
    m_blocks.assign(m_board.geometryNow().rows.size(), {});
    for (const BoardGeometry::Chip& chip : m_board.geometryNow().chips)
      if (chip.lane.index() < m_blocks.size()) m_blocks[chip.lane.index()].push_back(chip.block);
    m_blocks_known = true;
  }
  return lane.index() < m_blocks.size() ? m_blocks[lane.index()] : none;
}

QAccessibleInterface* AccessibleBoard::lane(LaneId lane) const {
  if (lane.index() >= m_board.geometryNow().rows.size()) return nullptr;
  return m_lane_parts.get(lane.value, [&] { return new BoardLane(*this, lane); });
}

QAccessibleInterface* AccessibleBoard::block(BlockId block) const {
  if (block.index() >= m_board.geometryNow().chips.size()) return nullptr;
  return m_block_parts.get(block.value, [&] { return new BoardBlock(*this, block); });
}

QString AccessibleBoard::titleOf(LaneId lane) const {
  const std::vector<std::string> titles = laneTitles(m_board.state().experiment().lanes);
  return lane.index() < titles.size() ? look::shownName(titles[lane.index()]) : QString::number(lane.value);
}

QRect AccessibleBoard::areaOf(const QRectF& scene) const {
  const QRect in_viewport = m_board.mapFromScene(scene).boundingRect();
  return {m_board.viewport()->mapTo(&m_board, in_viewport.topLeft()), in_viewport.size()};
}

int AccessibleBoard::placeOf(const QAccessibleInterface& part) const {
  const auto* const lane = dynamic_cast<const BoardLane*>(&part);
  return lane && lane->lane().value < laneCount() ? lane->lane().value : -1;
}

QAccessibleInterface* AccessibleBoard::partAt(QPoint point) const {
  if (!m_board.viewport()->geometry().contains(point)) return nullptr;
  const QPointF in_scene = m_board.mapToScene(m_board.viewport()->mapFrom(&m_board, point));
  if (const auto hit = chipAt(m_board.geometryNow(), in_scene)) return block(*hit);
  for (const BoardGeometry::Row& row : m_board.geometryNow().rows)
    if (row.band.contains(in_scene)) return lane(row.lane);
  return nullptr;
}

QAccessibleInterface* AccessibleBoard::currentPart() const { return block(BlockId(m_board.state().choice().focus())); }

void AccessibleBoard::announceSelection() {
  const std::set<int> now = m_board.state().choice().chosen();
  std::vector<int> changed;
  std::ranges::set_symmetric_difference(now, m_selected, std::back_inserter(changed));
  m_selected = now;
  if (changed.size() > kMostSelectionEvents) {
    QAccessibleEvent all(&m_board, QAccessible::SelectionWithin);
    return QAccessible::updateAccessibility(&all);
  }
  for (const int number : changed) {
    QAccessibleInterface* const part = block(BlockId(number));
    if (!part) continue;
    QAccessibleEvent event(part, now.contains(number) ? QAccessible::SelectionAdd : QAccessible::SelectionRemove);
    QAccessible::updateAccessibility(&event);
  }
}

}  // namespace lanelab
