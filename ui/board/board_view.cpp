// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/board_view.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <utility>

#include "engine/experiment/lane_cores.h"
#include "engine/schedule/generate.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {

BoardView::BoardView(ExperimentDocument* document, std::vector<DeviceInfo> devices, QWidget* parent)
    : QGraphicsView(parent),
      m_state(*document, std::move(devices)),
      m_forecast(m_state),
      m_scene(m_state, this),
      m_lane_actions(m_state),
      m_columns(m_state, m_lane_actions, this),
      m_strip(new PlacementStrip(this)),
      m_drag(*this, m_state, m_scene),
      m_keys(m_state, m_drag) {
  setObjectName("board");
  setAccessibleName(tr("Lane board"));
  setScene(m_scene.scene());
  setFrameShape(QFrame::NoFrame);
  setAlignment(Qt::AlignLeft | Qt::AlignTop);
  setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
  setFocusPolicy(Qt::StrongFocus);
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
  connect(&m_state, &BoardState::lanesChanged, this, [this] {
    m_columns.refresh(m_scene.geometry().rows);
    refreshStrip();
    placeColumns();
  });
  connect(&m_state, &BoardState::focusMoved, this,
          [this] { ensureVisible(m_scene.chip(m_state.choice().focus()), 4 * look::kGrid, look::kGrid); });
  connect(&m_state, &BoardState::described, this, [this](const QString& words) {
    setAccessibleDescription(words);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
  });
  connect(&m_state, &BoardState::previewChanged, this, &BoardView::previewChanged);
  connect(&m_state, &BoardState::previewEnded, this, &BoardView::previewEnded);
  connect(&m_forecast, &PlacementForecast::changed, this, &BoardView::refreshStrip);
  connect(m_strip, &PlacementStrip::gatherWanted, this, [this] {
    if (m_state.readOnly() || m_drag.active()) return;
    if (const auto together = withTiesOnOneLane(m_state.model(), m_state.document().activePlacement()))
      m_state.document().setPlacement(tr("Keep on One Lane"), *together);
  });
  connect(&m_lane_actions, &BoardLaneActions::renameWanted, this, &BoardView::renameSelectedLane);
}

QSize BoardView::sizeHint() const { return {225 * look::kGrid, 55 * look::kGrid}; }
QSize BoardView::minimumSizeHint() const {
  return {look::kLaneColumn + BoardColumns::sharesWidth(0) + 40 * look::kGrid, 28 * look::kGrid};
}

void BoardView::setReadOnly(bool read_only) {
  if (read_only && m_drag.active()) m_drag.end();
  m_state.setReadOnly(read_only);
  refreshStrip();
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

void BoardView::placeColumns() {
  const QRect lanes = viewport()->geometry();
  m_columns.place(m_scene.geometry().rows, lanes, verticalScrollBar()->value());
  const QScrollBar& bar = *verticalScrollBar();
  const int right = bar.isVisible() ? width() - bar.width() : width();
  m_strip->setGeometry(lanes.left(), lanes.bottom() + 1, right - lanes.left(), m_strip->sizeHint().height());
}

void BoardView::refreshStrip() {
  m_strip->showPrediction(predictionText(m_forecast, m_state.previews(), m_columns.memory(), m_columns.titles()),
                          predictionTip(m_forecast));
  m_strip->showMemory(m_columns.memory());
  m_strip->showWarning(QString::fromStdString(namedLanesWarning(m_state.experiment(), coreCount(m_state.devices()))));
  refreshNotes();
  const QMargins margins(look::kLaneColumn, 0, BoardColumns::sharesWidth(width()), m_strip->sizeHint().height());
  if (margins != viewportMargins()) setViewportMargins(margins);
}

void BoardView::refreshNotes() {
  const ModelSpec& model = m_state.model();
  const ResolvedVariant* const variant = m_state.shownVariant();
  const QString ties = variant == nullptr ? QString() : tiesNote(model, variant->stages());
  const bool movable = !ties.isEmpty() && !m_state.readOnly() && !m_state.previews() && !variant->replicated() &&
                       withTiesOnOneLane(model, m_state.placement());
  m_strip->showNotes({samplesNote(model, m_state.experiment().data.batch), ties}, movable);
}

void BoardView::moveBlocks(const std::vector<BlockId>& blocks, LaneId lane) {
  if (!m_drag.active()) m_keys.moveToLane(blocks, lane);
}

void BoardView::cutBeforeBlock() {
  if (m_state.readOnly() || m_drag.active() || m_state.model().blocks.empty()) return;
  const QString why_not = whyNoCut(m_state);
  if (!why_not.isEmpty()) return Q_EMIT noticed(why_not);
  const BlockId block(m_state.choice().focus());
  const auto cut = withCutBefore(m_state.document().activePlacement(), block, m_state.lanes());
  m_state.document().setPlacement(tr("Cut Before Block"), *cut);
  m_state.announceFocus();
}

void BoardView::balance() {
  ExperimentDocument& document = m_state.document();
  const ResolvedVariant* const variant = document.active();
  if (m_state.readOnly() || m_drag.active() || variant == nullptr || m_forecast.predictor() == nullptr) return;
  m_balancing.ask([this, resolution = document.resolution(), asked = document.activeVariant(),
                   predictor = *m_forecast.predictor()](const auto&) -> Background::Then {
    const ResolvedVariant& present = resolution->variants()[static_cast<std::size_t>(asked)];
    return [this, resolution, asked, balanced = balanced(present, predictor)] {
      const bool same = m_state.document().resolution() == resolution && m_state.document().activeVariant() == asked;
      if (same && !m_state.readOnly() && !m_drag.active()) useBalanced(balanced);
    };
  });
}

void BoardView::useBalanced(const Result<VariantConfig>& balanced) {
  ExperimentDocument& document = m_state.document();
  if (!balanced.ok()) return Q_EMIT noticed(look::shownText(balanced.error()));
  if (*balanced == document.active()->config()) return Q_EMIT noticed(tr("The stages are balanced already."));
  document.edit(tr("Balance Stages"), [&](Experiment& experiment) { *document.activeIn(experiment) = *balanced; });
  m_state.announceFocus();
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

/// Ctrl+F means the blocks while the keyboard is here, else what the timeline shows.
bool BoardView::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Find)) {
    event->accept();
    return true;
  }
  return QGraphicsView::event(event);
}

void BoardView::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Find)) return Q_EMIT findWanted();
  if (event->key() == Qt::Key_F2 && !m_drag.active()) return renameSelectedLane();
  const bool plain = !m_drag.active() && event->modifiers() == Qt::NoModifier;
  if (plain && event->key() == Qt::Key_C) return cutBeforeBlock();
  if (plain && event->key() == Qt::Key_B) return balance();
  if (!m_keys.press(*event)) event->ignore();
}

void BoardView::fillBlockMenu(QMenu& menu) {
  const bool editable = !m_state.readOnly() && !m_state.model().blocks.empty();
  menu.addAction(tr("&Cut Before This Block\tC"), this, &BoardView::cutBeforeBlock)
      ->setEnabled(editable && whyNoCut(m_state).isEmpty());
  menu.addAction(tr("&Balance Stages\tB"), this, &BoardView::balance)->setEnabled(editable);
  m_keys.fillMoveMenu(*menu.addMenu(tr("Move to &Lane")));
  for (QAction* const entry : m_further) menu.addAction(entry);
}

void BoardView::contextMenuEvent(QContextMenuEvent* event) {
  if (m_drag.active()) return;
  QPoint where = event->globalPos();
  if (event->reason() == QContextMenuEvent::Keyboard && !m_scene.geometry().chips.empty())
    where = viewport()->mapToGlobal(mapFromScene(m_scene.chip(m_state.choice().focus()).bottomLeft()));
  else
    m_state.chooseAt(m_scene.geometry(), mapToScene(viewport()->mapFromGlobal(where)));
  QMenu menu(this);
  menu.setObjectName("blockMenu");
  fillBlockMenu(menu);
  menu.addSeparator();
  m_lane_actions.fillMenu(menu, m_state.lane());
  menu.exec(where);
}

}  // namespace lanelab
