// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/trace_overview.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <cmath>

#include "ui/timeline/layout/ticks.h"
#include "ui/timeline/model/timeline_texts.h"
#include "ui/timeline/paint/overview_picture.h"

namespace lanelab {
namespace {

constexpr int kMargin = 2;         ///< pixels above and below the lanes
constexpr double kKeyStep = 0.15;  ///< of what is seen
constexpr double kKeyPull = 0.1;   ///< likewise
constexpr int kUnseenShade = 110;  ///< of 255, over what is not seen
constexpr double kEdgeHeight = 8;  ///< pixels of the grip of an edge
constexpr double kEdgeWidth = 3;

}  // namespace

TraceOverview::TraceOverview(QWidget* parent, const TimelineContent& content, TimelineViewport& viewport)
    : QWidget(parent), m_content(content), m_viewport(viewport) {
  setObjectName(QStringLiteral("traceOverview"));
  setAccessibleName(tr("Overview of the trace"));
  setToolTip(
      tr("All of the trace. Drag the window to move what is seen, its edges to zoom, click to go there. With the "
         "keyboard: arrows, Shift+arrows, Page Up, Page Down, Home, End"));
  setFocusPolicy(Qt::TabFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAttribute(Qt::WA_Hover);  // so that it is painted when the pointer comes or goes
  connect(&viewport, &TimelineViewport::moved, this, [this] {
    if (isHidden()) return;
    update();
    if (hasFocus()) describe();
  });
}

void TraceOverview::setTrace(const TraceChange& change) {
  const auto grown = static_cast<double>(m_viewport.everything().end - m_pictured.end);
  const double pixel = static_cast<double>(m_pictured.length()) / std::max(m_picture.width(), 1);
  const bool ended = m_content.data() && m_content.data()->trace().live.empty();
  if (!change.continued || ended || grown >= pixel) m_pictured = {};
  if (!change.continued) m_held.reset();
  update();
}

OverviewWindow TraceOverview::windowNow() const {
  const QRectF across = m_viewport.layout().ruler;
  return {{m_viewport.everything(), across.left(), across.width()}, m_viewport.visible()};
}

bool TraceOverview::event(QEvent* event) {
  // A window's shortcut would have the key before the widget.
  if (event->type() == QEvent::ShortcutOverride) {
    const auto& key = *static_cast<QKeyEvent*>(event);
    const bool own = key.key() == Qt::Key_PageUp || key.key() == Qt::Key_PageDown || key.key() == Qt::Key_End;
    if (own && key.modifiers() == Qt::NoModifier) event->accept();
  }
  return QWidget::event(event);
}

// Painting

void TraceOverview::renewPicture(const TimeScale& strip) {
  const qreal ratio = devicePixelRatioF();
  const QSize size = (QSizeF(strip.width, height() - 2 * kMargin - 1) * ratio).toSize();
  if (!m_pictured.empty() && m_picture.size() == size) return;
  m_picture = overviewPicture(*m_content.data(), strip.range, size, look::current());
  m_picture.setDevicePixelRatio(ratio);
  m_pictured = strip.range;
}

void TraceOverview::paintEvent(QPaintEvent*) {
  const look::Palette& palette = look::current();
  QPainter painter(this);
  painter.fillRect(rect(), palette.surface);
  painter.fillRect(0, height() - 1, width(), 1, palette.line);
  if (m_content.empty()) return;
  const OverviewWindow window = windowNow();
  renewPicture(window.strip);
  painter.drawImage(QPointF(window.strip.left, kMargin), m_picture);
  painter.setFont(look::smallFont());
  painter.setPen(palette.muted_text);
  const QRectF title(2.0 * look::kGrid, 0, window.strip.left - 4.0 * look::kGrid, height());
  const QFontMetricsF metrics(painter.font());
  painter.drawText(title, Qt::AlignVCenter | Qt::AlignLeft,
                   metrics.elidedText(tr("overview"), Qt::ElideRight, title.width()));
  paintWindow(painter, window);
  if (!hasFocus()) return;
  painter.setPen(palette.focusRing());
  painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
}

/// What is not seen is in the shade.
void TraceOverview::paintWindow(QPainter& painter, const OverviewWindow& window) const {
  const look::Palette& palette = look::current();
  const double left = std::round(window.left()), right = std::round(window.right()), end = height() - 1.0;
  QColor shade = palette.window;
  shade.setAlpha(kUnseenShade);
  painter.fillRect(QRectF(window.strip.left, 0, left - window.strip.left, end), shade);
  painter.fillRect(QRectF(right, 0, window.strip.left + window.strip.width - right, end), shade);
  const QColor line = m_held || underMouse() ? palette.text : palette.muted_text;
  for (const double y : {0.0, end - 1}) painter.fillRect(QRectF(left, y, right - left, 1), line);
  for (const double x : {left, right - 1}) painter.fillRect(QRectF(x, 0, 1, end), line);
  if (right - left < 3 * kEdgeHeight) return;
  for (const double x : {left - kEdgeWidth / 2 + 0.5, right - kEdgeWidth / 2 - 0.5})
    painter.fillRect(QRectF(std::round(x), std::round((end - kEdgeHeight) / 2), kEdgeWidth, kEdgeHeight), line);
}

void TraceOverview::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) m_pictured = {};
  QWidget::changeEvent(event);
}

// Mouse

void TraceOverview::showRange(TimeRange range) {
  m_viewport.navigate([range](Navigation& navigation) { navigation.showInGesture(range); });
}

void TraceOverview::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || m_content.empty()) return QWidget::mousePressEvent(event);
  const double x = event->position().x();
  OverviewWindow window = windowNow();
  OverviewPart part = window.partAt(x);
  if (part == OverviewPart::Outside) {
    showRange(window.centredAt(x));
    window = windowNow();
    part = OverviewPart::Window;
  }
  m_held = Held{part, x, window};
  showCursor(x);
}

void TraceOverview::mouseMoveEvent(QMouseEvent* event) {
  const double x = event->position().x();
  if (m_held && m_held->part == OverviewPart::Window)
    showRange(m_held->window.movedBy(x - m_held->x));
  else if (m_held)
    showRange(m_held->window.pulled(m_held->part, x));
  else
    showCursor(x);
}

void TraceOverview::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mouseReleaseEvent(event);
  m_held.reset();
  showCursor(event->position().x());
  update();
}

void TraceOverview::showCursor(double x) {
  if (m_content.empty()) return unsetCursor();
  switch (m_held ? m_held->part : windowNow().partAt(x)) {
    case OverviewPart::LeftEdge:
    case OverviewPart::RightEdge: return setCursor(Qt::SizeHorCursor);
    case OverviewPart::Window: return setCursor(m_held ? Qt::ClosedHandCursor : Qt::OpenHandCursor);
    case OverviewPart::Outside: return setCursor(Qt::PointingHandCursor);
  }
}

// Keys

void TraceOverview::keyPressEvent(QKeyEvent* event) {
  if (m_content.empty() || !move(*event)) QWidget::keyPressEvent(event);
}

bool TraceOverview::move(const QKeyEvent& event) {
  const TimeRange seen = m_viewport.visible(), all = m_viewport.everything();
  const bool shift = event.modifiers() == Qt::ShiftModifier;
  if (event.modifiers() != Qt::NoModifier && !shift) return false;
  const auto part = [&](double share) -> Nanoseconds {
    return std::llround(static_cast<double>(seen.length()) * share);
  };
  const auto beside = [&](int direction) {
    return shift ? TimeRange{seen.start, std::max(seen.start + kShortestRange, seen.end + direction * part(kKeyPull))}
                 : panned(seen, direction * part(kKeyStep));
  };
  switch (event.key()) {
    case Qt::Key_Left: return showRange(beside(-1)), true;
    case Qt::Key_Right: return showRange(beside(+1)), true;
    case Qt::Key_PageUp: return showRange(panned(seen, -seen.length())), true;
    case Qt::Key_PageDown: return showRange(panned(seen, seen.length())), true;
    case Qt::Key_Home: return showRange(panned(seen, all.start - seen.start)), true;
    case Qt::Key_End: return showRange(panned(seen, all.end - seen.end)), true;
    default: return false;
  }
}

void TraceOverview::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  describe();
}

void TraceOverview::describe() {
  if (m_content.empty()) return;
  const TimeRange all = m_content.data()->range();
  setAccessibleDescription(
      TimelineTexts::tr("In sight: %1").arg(rangeText(intersection(m_viewport.visible(), all), all.start)));
}

}  // namespace lanelab
