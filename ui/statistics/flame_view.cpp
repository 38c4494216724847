// SPDX-License-Identifier: GPL-3.0-only
#include "ui/statistics/flame_view.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <utility>

#include "ui/look/name_colors.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"
#include "ui/timeline/layout/ticks.h"

namespace lanelab {

namespace {

constexpr int kFrameHeight = 5 * look::kGrid;
constexpr double kNarrowest = 1;       ///< pixels of a frame that is drawn
constexpr double kNarrowestName = 24;  ///< pixels of one that has its name in it
constexpr double kNameMargin = 3;
constexpr double kUnmatched = 0.7;  ///< from the colour of a frame to the surface

bool holdsFrame(const FlameFrame& outer, const FlameFrame& inner) {
  return inner.depth >= outer.depth && inner.left >= outer.left && inner.left + inner.total <= outer.left + outer.total;
}

}  // namespace

FlameView::FlameView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("flameView"));
  setAccessibleName(tr("Flame graph"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
}

void FlameView::setFlame(std::shared_ptr<const ShownFlame> flame) {
  const std::shared_ptr<const ShownFlame> before = std::exchange(m_shown, std::move(flame));
  const auto again = [&](std::optional<std::uint32_t> frame) {
    return before && m_shown ? sameFrame(*before, frame) : std::nullopt;
  };
  m_wide = again(m_wide);
  m_hovered.reset();
  setCurrent(again(m_current));
  setMinimumHeight(kFrameHeight * static_cast<int>(m_shown ? m_shown->tree.depth : 0) + 1);
  update();
}

void FlameView::setFilter(const QString& text) {
  m_filter = text;
  update();
}

// Frames

/// By its path of names.
std::optional<std::uint32_t> FlameView::sameFrame(const ShownFlame& before, std::optional<std::uint32_t> frame) const {
  if (!frame) return std::nullopt;
  const FlameFrame& old = before.tree.frames[*frame];
  std::optional<std::uint32_t> parent;
  if (old.parent != FlameFrame::kNone) {
    parent = sameFrame(before, old.parent);
    if (!parent) return std::nullopt;
  }
  const std::string name = FlameTree::nameOf(*before.of.trace, old);
  for (std::uint32_t i = 0; i < frames().size(); ++i)
    if (frames()[i].parent == parent.value_or(FlameFrame::kNone) &&
        FlameTree::nameOf(*m_shown->of.trace, frames()[i]) == name)
      return i;
  return std::nullopt;
}

QString FlameView::nameOf(std::uint32_t frame) const {
  return look::shownName(FlameTree::nameOf(*m_shown->of.trace, frames()[frame]));
}

QString FlameView::textOf(std::uint32_t place) const {
  const FlameFrame& frame = frames()[place];
  const auto share = [this](Nanoseconds time) {
    return shareText(m_shown->tree.total > 0 ? static_cast<double>(time) / static_cast<double>(m_shown->tree.total)
                                             : 0);
  };
  const QStringList lines{
      nameOf(place), tr("Total: %1 (%2 of all)").arg(durationText(frame.total), share(frame.total)),
      tr("Self: %1 (%2 of all)").arg(durationText(frame.self), share(frame.self)),
      tr("%n span(s), the longest %1", nullptr, static_cast<int>(frame.count)).arg(durationText(frame.longest))};
  return lines.join('\n');
}

QColor FlameView::colorOf(std::uint32_t place) const {
  const FlameFrame& frame = frames()[place];
  const look::Palette& palette = look::current();
  const bool by_name = frame.category != Category::Action && frame.category != Category::Communication;
  const QColor color = by_name
                           ? look::nameColors(palette)[look::nameColorOf(FlameTree::nameOf(*m_shown->of.trace, frame))]
                           : palette.span(frame.category, frame.phase);
  const bool matches = m_filter.trimmed().isEmpty() || look::hasWords(nameOf(place), m_filter);
  return matches ? color : look::mix(color, palette.surface, kUnmatched);
}

QRectF FlameView::rectOf(std::uint32_t place) const {
  const FlameFrame& frame = frames()[place];
  const double y = frame.depth * static_cast<double>(kFrameHeight);
  const FlameFrame* const wide = m_wide ? &frames()[*m_wide] : nullptr;
  if (wide && holdsFrame(frame, *wide)) return {0, y, static_cast<double>(width()), kFrameHeight};
  if (wide && !holdsFrame(*wide, frame)) return {};
  const double all = static_cast<double>(std::max<Nanoseconds>(wide ? wide->total : m_shown->tree.total, 1));
  const double scale = width() / all;
  return {static_cast<double>(frame.left - (wide ? wide->left : 0)) * scale, y,
          static_cast<double>(frame.total) * scale, kFrameHeight};
}

std::optional<std::uint32_t> FlameView::frameAt(QPointF point) const {
  if (!m_shown) return std::nullopt;
  const auto depth = static_cast<std::uint32_t>(std::max(point.y(), 0.0) / kFrameHeight);
  for (std::uint32_t i = 0; i < frames().size(); ++i)
    if (frames()[i].depth == depth && rectOf(i).contains(point)) return i;
  return std::nullopt;
}

/// The largest; without a frame the largest of all.
std::optional<std::uint32_t> FlameView::childOf(std::optional<std::uint32_t> frame) const {
  std::optional<std::uint32_t> largest;
  for (std::uint32_t i = 0; i < frames().size(); ++i)
    if (frames()[i].parent == frame.value_or(FlameFrame::kNone) &&
        (!largest || frames()[i].left < frames()[*largest].left))
      largest = i;
  return largest;
}

/// The next one of its level to the left or right, also of another parent, as far as it is in sight.
std::optional<std::uint32_t> FlameView::besides(std::uint32_t frame, int direction) const {
  std::optional<std::uint32_t> next;
  const auto distance = [&](std::uint32_t other) { return direction * (frames()[other].left - frames()[frame].left); };
  for (std::uint32_t i = 0; i < frames().size(); ++i) {
    if (frames()[i].depth != frames()[frame].depth || distance(i) <= 0 || rectOf(i).isEmpty()) continue;
    if (!next || distance(i) < distance(*next)) next = i;
  }
  return next;
}

// Painting

void FlameView::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  painter.fillRect(event->rect(), look::current().surface);
  if (!m_shown) return;
  painter.setFont(look::smallFont());
  for (std::uint32_t i = 0; i < frames().size(); ++i) paintFrame(painter, i);
  const look::Palette& palette = look::current();
  for (const auto& [frame, color] :
       {std::pair(m_hovered, palette.muted_text), std::pair(m_current, hasFocus() ? palette.accent : palette.text)}) {
    if (!frame || rectOf(*frame).isEmpty()) continue;
    painter.setPen(QPen(color, 2));
    painter.drawRect(rectOf(*frame).adjusted(1, 1, -1, -1));
  }
}

void FlameView::paintFrame(QPainter& painter, std::uint32_t frame) const {
  const QRectF rect = rectOf(frame);
  if (rect.width() < kNarrowest) return;
  const QColor color = colorOf(frame);
  const double gap = rect.width() > 3 * kNarrowest ? 1 : 0;
  painter.fillRect(rect.adjusted(0, 0, -gap, -1), color);
  if (rect.width() < kNarrowestName) return;
  const QRectF room = rect.adjusted(kNameMargin, 0, -kNameMargin, 0);
  painter.setPen(look::inkOn(color));
  painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft,
                   QFontMetricsF(painter.font()).elidedText(nameOf(frame), Qt::ElideRight, room.width()));
}

// Mouse and keys

bool FlameView::event(QEvent* event) {
  if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto& help = *static_cast<QHelpEvent*>(event);
  const auto frame = frameAt(help.pos());
  frame ? QToolTip::showText(help.globalPos(), textOf(*frame), this) : QToolTip::hideText();
  return true;
}

void FlameView::setCurrent(std::optional<std::uint32_t> frame) {
  m_current = frame;
  setAccessibleDescription(currentText());
  update();
}

void FlameView::open(std::uint32_t frame) {
  setCurrent(frame);
  m_wide = frame;
  Q_EMIT spanRequested(m_shown->of, frames()[frame].longest_span);
}

/// To the frame around the widened one; false if none is.
bool FlameView::goBack() {
  if (!m_wide) return false;
  const std::uint32_t parent = frames()[*m_wide].parent;
  m_wide = parent == FlameFrame::kNone ? std::nullopt : std::optional(parent);
  update();
  return true;
}

void FlameView::mousePressEvent(QMouseEvent* event) {
  const auto frame = event->button() == Qt::LeftButton ? frameAt(event->position()) : std::nullopt;
  if (!frame) return QWidget::mousePressEvent(event);
  open(*frame);
}

void FlameView::mouseMoveEvent(QMouseEvent* event) {
  const auto frame = frameAt(event->position());
  if (std::exchange(m_hovered, frame) != frame) update();
}

void FlameView::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  m_hovered.reset();
  update();
}

void FlameView::keyPressEvent(QKeyEvent* event) {
  if (!m_shown || frames().empty() || !step(event->key())) QWidget::keyPressEvent(event);
}

bool FlameView::step(int key) {
  if (key == Qt::Key_Escape) return goBack();
  if (key == Qt::Key_Return || key == Qt::Key_Enter) return m_current ? open(*m_current), true : false;
  std::optional<std::uint32_t> next;
  if (key == Qt::Key_Down || (key == Qt::Key_Up && !m_current))
    next = childOf(m_current);
  else if (key == Qt::Key_Up && frames()[*m_current].parent != FlameFrame::kNone)
    next = frames()[*m_current].parent;
  else if (key == Qt::Key_Left || key == Qt::Key_Right)
    next = m_current ? besides(*m_current, key == Qt::Key_Left ? -1 : +1) : childOf({});
  else if (key != Qt::Key_Up)
    return false;
  if (next) setCurrent(next);
  return true;
}

}  // namespace lanelab
