// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/board_drag.h"

#include <QApplication>
#include <QGraphicsItem>
#include <QGraphicsView>
#include <QMouseEvent>
#include <QPainter>
#include <QRubberBand>
#include <algorithm>
#include <utility>

#include "ui/board/board_view.h"
#include "ui/look/theme.h"

namespace lanelab {

/// Dashed outlines where the dragged chips were, and pale copies under the pointer.
class GhostItem : public QGraphicsItem {
 public:
  GhostItem() {
    setZValue(4);
    setVisible(false);
  }

  void show(const std::vector<QRectF>& origins, const std::vector<QString>& groups, QPointF offset) {
    prepareGeometryChange();
    m_origins = origins;
    m_groups = groups;
    m_offset = offset;
    setVisible(!origins.empty());
    update();
  }

  QRectF boundingRect() const override {
    QRectF all;
    for (const QRectF& rect : m_origins) all = all.united(rect).united(rect.translated(m_offset));
    return all.adjusted(-2, -2, 2, 2);
  }

  void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override {
    const look::Palette& palette = look::current();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(palette.muted_text, 1, Qt::DashLine));
    painter->setBrush(Qt::NoBrush);
    for (const QRectF& rect : m_origins)
      painter->drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), kChipRadius, kChipRadius);
    painter->setOpacity(0.45);
    painter->setPen(QPen(palette.block_edge, 1));
    for (std::size_t i = 0; i < m_origins.size(); ++i) {
      painter->setBrush(palette.group(m_groups[i]));
      painter->drawRoundedRect(m_origins[i].translated(m_offset).adjusted(0.5, 0.5, -0.5, -0.5), kChipRadius,
                               kChipRadius);
    }
  }

 private:
  std::vector<QRectF> m_origins;
  std::vector<QString> m_groups;
  QPointF m_offset;
};

BoardDrag::BoardDrag(QGraphicsView& view, BoardState& state, const BoardScene& scene)
    : m_view(view),
      m_state(state),
      m_scene(scene),
      m_ghost(new GhostItem),
      m_band(new QRubberBand(QRubberBand::Rectangle, view.viewport())) {
  scene.scene()->addItem(m_ghost);
}

DropTarget BoardDrag::target() const {
  DropTarget target;
  if (m_kind == Kind::Chips || m_kind == Kind::Carried || m_kind == Kind::Grip) target.row = m_lane;
  if (m_kind == Kind::Cut) target.cut = m_lane;
  return target;
}

void BoardDrag::press(const QMouseEvent& event) {
  if (event.button() != Qt::LeftButton || active()) return;
  m_start_pixel = event.position().toPoint();
  m_start = m_view.mapToScene(m_start_pixel);
  const BoardGeometry& geometry = m_scene.geometry();
  const auto cut = cutAt(geometry, m_start);
  const auto grip = gripAt(geometry, m_start);
  if (cut && !m_state.readOnly())
    m_kind = Kind::Cut, m_cut = geometry.cuts[*cut].first, m_lane = geometry.cuts[*cut].to;
  else if (grip && !m_state.readOnly())
    m_kind = Kind::Grip, m_lane = *grip;
  else if (const auto block = chipAt(geometry, m_start))
    pressOnChip(*block, event.modifiers());
  else
    pressOnRow(m_start, event.modifiers() & Qt::ControlModifier);
}

void BoardDrag::pressOnRow(QPointF point, bool extend) {
  m_kind = Kind::Band;
  m_before = m_state.choice();
  if (!extend) m_before.choose({});
  m_state.pickLane(laneAt(m_scene.geometry(), point.y()).value);
}

void BoardDrag::pressOnChip(BlockId block, Qt::KeyboardModifiers keys) {
  const bool chosen = m_state.choice().contains(block);
  if (keys & Qt::ShiftModifier) {
    m_state.walkTo(block.value, true);
  } else if (keys & Qt::ControlModifier) {
    BlockChoice next = m_state.choice();
    next.toggle(block.value);
    m_state.choose(std::move(next));
  } else if (!chosen) {
    m_state.walkTo(block.value, false);
  } else {
    m_click = block;
  }
  if (!m_state.choice().contains(block)) return;
  m_kind = Kind::Pressed;
  m_blocks = m_state.choice().blocks();
  m_lane = m_scene.geometry().chips[block.index()].lane;
}

void BoardDrag::move(const QMouseEvent& event) {
  const QPoint pixel = event.position().toPoint();
  if (!active())
    hover(pixel);
  else if (event.buttons() & Qt::LeftButton)
    dragTo(pixel);
}

void BoardDrag::hover(QPoint pixel) {
  const QPointF point = m_view.mapToScene(pixel);
  QWidget& viewport = *m_view.viewport();
  if (m_state.readOnly())
    viewport.unsetCursor();
  else if (cutAt(m_scene.geometry(), point) || gripAt(m_scene.geometry(), point))
    viewport.setCursor(Qt::SizeHorCursor);
  else if (chipAt(m_scene.geometry(), point))
    viewport.setCursor(Qt::OpenHandCursor);
  else
    viewport.unsetCursor();
}

void BoardDrag::dragTo(QPoint pixel) {
  const bool far = (pixel - m_start_pixel).manhattanLength() >= QApplication::startDragDistance();
  if (m_kind == Kind::Pressed && far && !m_state.readOnly()) {
    m_kind = Kind::Chips;
    m_view.viewport()->setCursor(Qt::ClosedHandCursor);
  }
  switch (m_kind) {
    case Kind::Chips: dragChips(m_view.mapToScene(pixel)); break;
    case Kind::Band: dragBand(pixel); break;
    case Kind::Cut: dragCut(m_view.mapToScene(pixel)); break;
    case Kind::Grip: dragGrip(m_view.mapToScene(pixel)); break;
    default: break;
  }
}

void BoardDrag::dragChips(QPointF point) {
  m_lane = laneAt(m_scene.geometry(), point.y());
  preview(withBlocksOn(m_state.document().activePlacement(), m_blocks, m_lane));
  showGhost(point);
  m_view.ensureVisible(QRectF(point, QSizeF(1, 1)), 4 * look::kGrid, 4 * look::kGrid);
}

/// Where the dragged chips were, and under the pointer.
void BoardDrag::showGhost(QPointF point) {
  const BoardGeometry& geometry = m_scene.geometry();
  const Placement base = m_state.document().activePlacement();
  std::vector<QRectF> origins;
  std::vector<QString> groups;
  for (const BlockId block : m_blocks) {
    const QRectF now = geometry.chips[block.index()].rect;
    const QRectF& band = geometry.rows[base.lane_of_block[block.index()].index()].band;
    origins.emplace_back(now.left(), band.top(), now.width(), now.height());
    groups.push_back(QString::fromStdString(m_state.model().blocks[block.index()].group));
  }
  m_ghost->show(origins, groups, point - m_start);
}

void BoardDrag::dragCut(QPointF point) {
  const Placement base = m_state.document().activePlacement();
  const BlockId new_first = boundaryNear(m_scene.geometry(), point.x(), cutRange(base, m_cut));
  preview(withCutMoved(base, m_cut, new_first));
}

/// Behind the last block the lane stays empty.
void BoardDrag::dragGrip(QPointF point) {
  const Placement base = m_state.document().activePlacement();
  const int blocks = static_cast<int>(base.lane_of_block.size());
  const BlockId first = boundaryNear(m_scene.geometry(), point.x(), {BlockId(1), BlockId(blocks)});
  preview(withStageFrom(base, first, m_lane));
}

void BoardDrag::dragBand(QPoint pixel) {
  const QRect area = QRect(m_start_pixel, pixel).normalized();
  m_band->setGeometry(area);
  m_band->show();
  std::set<int> blocks = m_before.chosen();
  for (const BlockId block : chipsIn(m_scene.geometry(), m_view.mapToScene(area).boundingRect()))
    blocks.insert(block.value);
  BlockChoice next = m_state.choice();
  next.chooseFrom(std::move(blocks));
  m_state.choose(std::move(next));
}

void BoardDrag::release(const QMouseEvent& event) {
  if (event.button() != Qt::LeftButton || carries()) return;
  const QPoint pixel = event.position().toPoint();
  if (m_kind == Kind::Chips || m_kind == Kind::Cut || m_kind == Kind::Grip) {
    dragTo(pixel);
    drop();
  } else if (m_kind == Kind::Band && m_band->isHidden()) {
    m_state.choose(m_before);
  } else if (m_kind == Kind::Pressed && m_click) {
    m_state.walkTo(m_click->value, false);
  }
  end();
  hover(pixel);
}

void BoardDrag::carry(std::vector<BlockId> blocks, LaneId lane) {
  m_kind = Kind::Carried;
  m_blocks = std::move(blocks);
  m_lane = lane;
  preview(m_state.document().activePlacement());
}

void BoardDrag::carryBy(int lanes) {
  m_lane = LaneId(std::clamp(m_lane.value + lanes, 0, m_state.lanes() - 1));
  preview(withBlocksOn(m_state.document().activePlacement(), m_blocks, m_lane));
}

void BoardDrag::preview(const Placement& placement) {
  if (!m_state.showPreview(placement)) m_view.viewport()->update();
}

QString BoardDrag::undoText() const {
  if (m_kind == Kind::Cut) return BoardView::tr("Move Cut");
  if (m_kind == Kind::Grip) return BoardView::tr("Add Stage");
  return BoardView::tr("Move %n block(s)", nullptr, static_cast<int>(m_blocks.size()));
}

void BoardDrag::drop() {
  if (!m_state.previews()) return;
  const Placement placement = m_state.placement();
  const QString text = undoText();
  end();
  m_state.document().setPlacement(text, placement);
}

void BoardDrag::end() {
  m_kind = Kind::None;
  m_blocks.clear();
  m_click.reset();
  m_band->hide();
  m_ghost->show({}, {}, {});
  m_view.viewport()->unsetCursor();
  m_state.endPreview();
}

}  // namespace lanelab
