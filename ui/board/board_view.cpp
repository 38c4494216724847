// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/board_view.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <utility>

#include "ui/look/theme.h"

namespace lanelab {

BoardView::BoardView(ExperimentDocument* document, std::vector<DeviceInfo> devices, QWidget* parent)
    : QGraphicsView(parent),
      m_state(*document, std::move(devices)),
      m_scene(m_state, this),
      m_lane_actions(m_state),
      m_columns(m_state, m_lane_actions, this),
      m_drag(*this, m_state, m_scene),
      m_keys(m_state, m_drag) {
  setObjectName("board");
  setAccessibleName(tr("Lane board"));
  setScene(m_scene.scene());
  setFrameShape(QFrame::NoFrame);
  setAlignment(Qt::AlignLeft | Qt::AlignTop);
  setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
  setFocusPolicy(Qt::StrongFocus);
  setViewportMargins(BoardColumns::headerWidth(), 0, BoardColumns::sharesWidth(), 0);
  viewport()->setMouseTracking(true);
  followParts();
  m_state.refresh();
}

void BoardView::followParts() {
  connect(&m_state.document(), &ExperimentDocument::changed, this, [this] {
    if (m_drag.active()) m_drag.end();
    m_state.refresh();
  });
  connect(&m_state.document(), &ExperimentDocument::activeVariantChanged, &m_state, &BoardState::refresh);
  connect(&m_state, &BoardState::blocksChanged, this, &BoardView::refreshBlocks);
  connect(&m_state, &BoardState::lanesChanged, this, &BoardView::refreshLanes);
  connect(&m_state, &BoardState::focusMoved, this,
          [this] { ensureVisible(m_scene.chip(m_state.choice().focus()), 4 * look::kGrid, look::kGrid); });
  connect(&m_state, &BoardState::described, this, [this](const QString& words) {
    setAccessibleDescription(words);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
  });
  connect(&m_state, &BoardState::previewChanged, this, &BoardView::previewChanged);
  connect(&m_state, &BoardState::previewEnded, this, &BoardView::previewEnded);
  connect(&m_lane_actions, &BoardLaneActions::renameWanted, this, &BoardView::renameSelectedLane);
}

QSize BoardView::sizeHint() const { return {225 * look::kGrid, 55 * look::kGrid}; }
QSize BoardView::minimumSizeHint() const {
  return {BoardColumns::headerWidth() + BoardColumns::sharesWidth() + 40 * look::kGrid, 28 * look::kGrid};
}

void BoardView::setReadOnly(bool read_only) {
  if (read_only && m_drag.active()) m_drag.end();
  m_state.setReadOnly(read_only);
  viewport()->unsetCursor();
}

void BoardView::renameSelectedLane() {
  if (!m_state.readOnly()) m_columns.startRename(m_state.lane());
}

void BoardView::refreshBlocks() {
  m_scene.refresh(QSizeF(viewport()->size()), hasFocus(), m_drag.target());
  setSceneRect(QRectF(QPointF(0, 0), m_scene.geometry().size));
  viewport()->update();
}

void BoardView::refreshLanes() {
  m_columns.refresh(m_scene.geometry().rows);
  placeColumns();
}

void BoardView::placeColumns() {
  m_columns.place(m_scene.geometry().rows, viewport()->geometry(), verticalScrollBar()->value());
}

void BoardView::resizeEvent(QResizeEvent* event) {
  QGraphicsView::resizeEvent(event);
  m_state.refresh();
}

void BoardView::scrollContentsBy(int dx, int dy) {
  QGraphicsView::scrollContentsBy(dx, dy);
  placeColumns();
}

void BoardView::changeEvent(QEvent* event) {
  QGraphicsView::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) m_state.refresh();
}

void BoardView::focusInEvent(QFocusEvent* event) {
  QGraphicsView::focusInEvent(event);
  refreshBlocks();
  m_state.announceFocus();
}

void BoardView::focusOutEvent(QFocusEvent* event) {
  QGraphicsView::focusOutEvent(event);
  if (m_drag.carries() && event->reason() != Qt::PopupFocusReason) m_drag.end();
  refreshBlocks();
}

void BoardView::drawBackground(QPainter* painter, const QRectF& rect) {
  m_scene.paintRows(*painter, rect, mapToScene(viewport()->rect()).boundingRect(), m_drag.target());
}

void BoardView::drawForeground(QPainter* painter, const QRectF&) {
  m_scene.paintMissing(*painter, mapToScene(viewport()->rect()).boundingRect());
}

bool BoardView::viewportEvent(QEvent* event) {
  if (!isEnabled()) return QGraphicsView::viewportEvent(event);
  switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick: m_drag.press(*static_cast<QMouseEvent*>(event)); return true;
    case QEvent::MouseMove: m_drag.move(*static_cast<QMouseEvent*>(event)); return true;
    case QEvent::MouseButtonRelease: m_drag.release(*static_cast<QMouseEvent*>(event)); return true;
    default: return QGraphicsView::viewportEvent(event);
  }
}

void BoardView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_F2 && !m_drag.active()) return renameSelectedLane();
  if (!m_keys.press(*event)) event->ignore();
}

void BoardView::contextMenuEvent(QContextMenuEvent* event) {
  if (m_drag.active()) return;
  QPoint where = event->globalPos();
  if (event->reason() == QContextMenuEvent::Keyboard && !m_scene.geometry().chips.empty())
    where = viewport()->mapToGlobal(mapFromScene(m_scene.chip(m_state.choice().focus()).bottomLeft()));
  else
    m_state.chooseAt(m_scene.geometry(), mapToScene(viewport()->mapFromGlobal(where)));
  QMenu menu(this);
  m_keys.fillMoveMenu(*menu.addMenu(tr("&Move to lane")));
  menu.addSeparator();
  m_lane_actions.fillMenu(menu, m_state.lane());
  menu.exec(where);
}

}  // namespace lanelab
