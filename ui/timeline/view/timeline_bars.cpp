// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/timeline_bars.h"

#include <QPainter>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStyleOptionSlider>
#include <algorithm>
#include <cmath>

#include "ui/timeline/view/timeline_moves.h"
#include "ui/timeline/view/trace_overview.h"

namespace lanelab {
namespace {

constexpr int kScrollSteps = 10000;
constexpr int kArrow = 8;
constexpr double kHighView = 120 * look::kGrid;  ///< has an overview also where lanes must be scrolled

/// A scroll bar of plain colours. The style's own has gradients over all of its length, which cost more than a picture
/// of forty lanes, each time that the view is zoomed or moved.
class FlatBar : public QScrollBar {
 public:
  FlatBar(Qt::Orientation orientation, QWidget* parent) : QScrollBar(orientation, parent) {
    setAttribute(Qt::WA_OpaquePaintEvent);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QStyleOptionSlider option;
    initStyleOption(&option);
    const auto part = [&](QStyle::SubControl control) {
      return style()->subControlRect(QStyle::CC_ScrollBar, &option, control, this);
    };
    const look::Palette& palette = look::current();
    QPainter painter(this);
    painter.fillRect(rect(), palette.window);
    painter.fillRect(orientation() == Qt::Horizontal ? QRect(0, 0, width(), 1) : QRect(0, 0, 1, height()),
                     palette.line);
    const bool held = isSliderDown() || underMouse();
    painter.fillRect(part(QStyle::SC_ScrollBarSlider).adjusted(2, 3, -2, -2),
                     look::mix(palette.line, palette.muted_text, held ? 0.7 : 0.4));
    paintArrow(painter, part(QStyle::SC_ScrollBarSubLine), false);
    paintArrow(painter, part(QStyle::SC_ScrollBarAddLine), true);
  }

 private:
  void paintArrow(QPainter& painter, const QRect& button, bool forwards) const {
    QStyleOption option;
    option.initFrom(this);
    option.rect = QRect(0, 0, kArrow, kArrow);
    option.rect.moveCenter(button.center());
    const bool across = orientation() == Qt::Horizontal;
    const QStyle::PrimitiveElement arrow =
        across ? (forwards ? QStyle::PE_IndicatorArrowRight : QStyle::PE_IndicatorArrowLeft)
               : (forwards ? QStyle::PE_IndicatorArrowDown : QStyle::PE_IndicatorArrowUp);
    style()->drawPrimitive(arrow, &option, &painter, this);
  }
};

}  // namespace

TimelineBars::TimelineBars(QWidget& view, const TimelineContent& content, TimelineViewport& viewport)
    : m_view(view),
      m_content(content),
      m_viewport(viewport),
      m_vertical(new FlatBar(Qt::Vertical, &view)),
      m_horizontal(new FlatBar(Qt::Horizontal, &view)),
      m_overview(new TraceOverview(&view, content, viewport)) {
  m_vertical->setObjectName(QStringLiteral("timelineLanesBar"));
  m_horizontal->setObjectName(QStringLiteral("timelineTimeBar"));
  for (QScrollBar* bar : {m_vertical, m_horizontal}) {
    bar->setFocusPolicy(Qt::NoFocus);
    bar->hide();
  }
  m_overview->hide();
  QObject::connect(m_vertical, &QScrollBar::valueChanged, &viewport, &TimelineViewport::scrollTo);
  QObject::connect(m_horizontal, &QScrollBar::valueChanged, &viewport, [this](int value) { moveTo(value); });
}

QRectF TimelineBars::area() const { return areaBeside(!m_vertical->isHidden()); }

QRectF TimelineBars::areaBeside(bool vertical_bar) const {
  const double right = vertical_bar ? m_vertical->sizeHint().width() : 0;
  const double bottom = m_horizontal->isHidden() ? 0 : m_horizontal->sizeHint().height();
  const double top = m_overview->isHidden() ? 0 : TraceOverview::kHeight;
  return QRectF(0, top, m_view.width() - right, std::max(m_view.height() - top - bottom, 0.0));
}

void TimelineBars::setTrace(const TraceChange& change) { m_overview->setTrace(change); }

/// Never where lanes would be less readable for it, or fewer of them seen.
bool TimelineBars::hasRoomForOverview() const {
  if (m_content.empty() || !m_viewport.arrangement().shows(RowKind::Overview)) return false;
  const double below = m_view.height() - m_horizontal->sizeHint().height();
  const double rest = below - TraceOverview::kHeight;
  if (rest >= readableHeight(*m_content.data(), m_viewport.arrangement())) return true;
  const double least = leastHeight(*m_content.data(), m_viewport.arrangement());
  return m_view.height() >= kHighView && (below < least || rest >= least);
}

void TimelineBars::moveTo(int value) {
  const TimeRange all = m_viewport.everything();
  const Nanoseconds start = all.start + std::llround(static_cast<double>(all.length()) * value / kScrollSteps);
  m_viewport.navigate([start](Navigation& navigation) { navigation.moveTo(start); });
}

void TimelineBars::update() {
  const TimeRange seen = m_viewport.visible(), all = m_viewport.everything();
  m_horizontal->setVisible(!m_content.empty() && (seen.start > all.start || seen.end < all.end));
  m_overview->setVisible(hasRoomForOverview());
  m_overview->setGeometry(0, 0, m_view.width(), TraceOverview::kHeight);
  if (m_content.empty()) return m_vertical->hide();
  // Not hidden to find out: that would paint everything again.
  const TimelineLayout alone = m_viewport.layoutIn(areaBeside(false));
  m_vertical->setVisible(alone.content_height > alone.body.height() + 0.5);
  updateVertical();
  updateHorizontal();
}

void TimelineBars::updateVertical() {
  const TimelineLayout placed = m_viewport.layout();
  const int most = std::max(0, static_cast<int>(std::ceil(placed.content_height - placed.body.height())));
  m_viewport.limitScroll(most);
  const QSignalBlocker quiet(m_vertical);
  const int across = m_vertical->sizeHint().width();
  m_vertical->setRange(0, most);
  m_vertical->setPageStep(static_cast<int>(placed.body.height()));
  m_vertical->setSingleStep(kScrollStep);
  m_vertical->setValue(static_cast<int>(m_viewport.scroll()));
  const QRect lanes = area().toRect();
  m_vertical->setGeometry(m_view.width() - across, lanes.top(), across, lanes.height());
}

void TimelineBars::updateHorizontal() {
  const TimeRange seen = m_viewport.visible(), all = m_viewport.everything();
  const double whole = std::max(1.0, static_cast<double>(all.length()));
  const auto share = [whole](Nanoseconds time) {
    return static_cast<int>(std::lround(kScrollSteps * static_cast<double>(time) / whole));
  };
  const QSignalBlocker quiet(m_horizontal);
  const int page = std::clamp(share(seen.length()), 1, kScrollSteps);
  const int down = m_horizontal->sizeHint().height();
  m_horizontal->setRange(0, kScrollSteps - page);
  m_horizontal->setPageStep(page);
  m_horizontal->setSingleStep(std::max(1, page / 10));
  m_horizontal->setValue(share(seen.start - all.start));
  // Below the vertical one too, as the overview is above it, so that what is left to paint is one rectangle: any
  // other clip is several times as slow.
  m_horizontal->setGeometry(0, m_view.height() - down, m_view.width(), down);
}

}  // namespace lanelab
