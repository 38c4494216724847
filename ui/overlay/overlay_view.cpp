// SPDX-License-Identifier: GPL-3.0-only
#include "ui/overlay/overlay_view.h"

#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/overlay/overlay_words.h"

namespace lanelab {

namespace {
constexpr qreal kReach = 24;  ///< pixels from the mouse
constexpr QSize kLeastPlot(320, 200);
}  // namespace

OverlayView::OverlayView(QWidget* parent) : QWidget(parent) {
  setObjectName("overlayChart");
  setMouseTracking(true);
  setMinimumSize(kLeastPlot);
}

void OverlayView::setOverlay(const Overlay& overlay) {
  m_overlay = overlay;
  m_plot = plotOf(overlay);
  m_highlighted = -1;
  m_pointed.reset();
  setAccessibleName(overlay_words::heading(overlay.choice));
  setAccessibleDescription(overlay_words::spoken(overlay));
  update();
}

QRectF OverlayView::plotRect() const { return QRectF(rect()).adjusted(2 * look::kGrid, look::kGrid, 0, 0); }

void OverlayView::highlight(int curve) {
  if (curve == m_highlighted) return;
  m_highlighted = curve;
  update();
}

void OverlayView::point(const std::optional<PlotPlace>& place) {
  if (place == m_pointed) return;
  m_pointed = place;
  if (!place) QToolTip::hideText();
  update();
  Q_EMIT curveEntered(place ? place->curve : -1);
}

void OverlayView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  point(PlotFrame(m_plot, plotRect()).nearest(at, kReach));
  if (!m_pointed) return;
  const OverlayCurve& curve = m_overlay.curves[static_cast<std::size_t>(m_pointed->curve)];
  QToolTip::showText(event->globalPosition().toPoint(),
                     overlay_words::point(m_overlay, curve, curve.points[m_pointed->point]), this);
}

/// What the mouse is on was said at once; Qt's own, later, would take it away.
bool OverlayView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) return true;
  return QWidget::event(event);
}

void OverlayView::leaveEvent(QEvent* event) {
  point({});
  QWidget::leaveEvent(event);
}

void OverlayView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), look::current().surface);
  if (!m_plot.curves.empty()) paintPlot(painter, plotRect(), look::current(), m_plot, m_highlighted, m_pointed);
}

}  // namespace lanelab
