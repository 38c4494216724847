// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/timeline_view.h"

#include <QCoreApplication>
#include <QEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QPicture>
#include <algorithm>
#include <cmath>

#include "ui/look/theme.h"
#include "ui/timeline/layout/span_text.h"
#include "ui/timeline/paint/counter_painter.h"
#include "ui/timeline/paint/difference_painter.h"
#include "ui/timeline/paint/frame_painter.h"
#include "ui/timeline/paint/match_painter.h"
#include "ui/timeline/paint/path_painter.h"
#include "ui/timeline/paint/timeline_painter.h"
#include "ui/timeline/view/flat_bar.h"
#include "ui/timeline/view/timeline_state.h"

namespace lanelab {
namespace {

constexpr int kScrollSteps = 10000;

/// Spans of a track are sorted, so that this costs a look at each track.
std::optional<Nanoseconds> startOf(const Trace& trace) {
  std::optional<Nanoseconds> start;
  for (const Track& track : trace.tracks) {
    if (!track.spans.empty()) start = std::min(start.value_or(track.spans.startOf(0)), track.spans.startOf(0));
  }
  return start;
}

/// Whether `next` is the same run a little later, not another one.
bool continues(const Trace& before, const Trace& next) {
  const auto sameLane = [](const LaneInfo& a, const LaneInfo& b) { return a.name == b.name && a.device == b.device; };
  return before.title == next.title && before.origin == next.origin && startOf(before) == startOf(next) &&
         std::equal(before.lanes.begin(), before.lanes.end(), next.lanes.begin(), next.lanes.end(), sameLane);
}

/// Four rectangles, as the stroke of one would be filled line by line.
void paintFocus(QPainter& painter, const QRect& rect, const QColor& color) {
  constexpr int kWidth = 2;
  const QRect inner = rect.adjusted(kWidth, kWidth, -kWidth, -kWidth);
  for (const QRect& side : QRegion(rect) - QRegion(inner)) painter.fillRect(side, color);
}

}  // namespace

TimelineView::Impl::Impl(TimelineView& owner)
    : view(owner),
      vertical(new FlatBar(Qt::Vertical, &owner)),
      horizontal(new FlatBar(Qt::Horizontal, &owner)),
      labels(look::smallFont()) {
  vertical->setObjectName(QStringLiteral("timelineLanesBar"));
  horizontal->setObjectName(QStringLiteral("timelineTimeBar"));
  for (QScrollBar* bar : {vertical, horizontal}) {
    bar->setFocusPolicy(Qt::NoFocus);
    bar->hide();
  }
  QObject::connect(&finder, &SpanFinder::foundChanged, &view, [this] { foundChanged(); });
  QObject::connect(vertical, &QScrollBar::valueChanged, &view, [this](int value) { scrollTo(value); });
  QObject::connect(horizontal, &QScrollBar::valueChanged, &view, [this](int value) {
    const TimeRange before = navigation.visible(), all = navigation.everything();
    navigation.moveTo(all.start + std::llround(static_cast<double>(all.length()) * value / kScrollSteps));
    setFollow(false);
    viewChanged(before);
  });
}

QRectF TimelineView::Impl::area() const { return areaBeside(!vertical->isHidden()); }

QRectF TimelineView::Impl::areaBeside(bool vertical_bar) const {
  const double right = vertical_bar ? vertical->sizeHint().width() : 0;
  const double bottom = horizontal->isHidden() ? 0 : horizontal->sizeHint().height();
  return QRectF(0, 0, view.width() - right, view.height() - bottom);
}

TimelineLayout TimelineView::Impl::layout() const { return layOut(*data, area(), arrangement, scroll); }

void TimelineView::Impl::setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const AlignedRuns> aligned) {
  const TimeRange before = navigation.visible();
  const bool continued =
      data && trace && !aligned && !data->aligned() && !data->empty() && continues(data->trace(), *trace);
  if (!continued) {
    predicted.reset();
    labels.clear();
  }
  imported.reset();
  const std::shared_ptr<const TimelineData> shown = data;
  if (aligned)
    data = std::make_shared<const TimelineData>(std::move(aligned));
  else if (continued)
    data = std::make_shared<const TimelineData>(std::move(trace), predicted.get(), *data);
  else
    data = trace ? std::make_shared<const TimelineData>(std::move(trace), nullptr) : nullptr;
  marks.current.reset();  // before anything asks for its arrows
  setHovered({});
  setCurrent({});  // rows may have been added: positions of the old trace mean nothing in the new one
  keepArrangement(shown ? &shown->trace() : nullptr);
  if (!continued) {
    setSelection({});
    scroll = 0;
  }
  navigation.setTrace(data ? data->range() : TimeRange{}, data ? data->steps() : std::vector<StepWindow>{}, !continued);
  if (follow && data) navigation.follow(newestSteps(data->steps(), data->range()));
  if (marks.selection) setSelection(marks.selection);
  updatePaths();
  invalidate();
  viewChanged(before);
  searchAgain();
}

void TimelineView::Impl::setPrediction(std::shared_ptr<const Trace> trace) {
  if (!data || data->aligned() || trace == predicted) return;
  predicted = std::move(trace);
  data = std::make_shared<const TimelineData>(data->shared(), predicted.get(),
                                              *data);  // the same rows, so that marks keep their meaning
  invalidate();
  searchAgain();
}

void TimelineView::Impl::setSelection(std::optional<TimeRange> range) {
  if (range && range->empty()) range.reset();
  const bool changed = range != marks.selection;
  marks.selection = range;
  selected_busy.clear();
  if (range && !empty()) {
    for (int lane = 0; lane < static_cast<int>(data->trace().lanes.size()); ++lane) {
      selected_busy.push_back(static_cast<double>(data->busyWithin(lane, *range)) /
                              static_cast<double>(range->length()));
    }
  }
  updateAll();
  if (changed) Q_EMIT view.selectionChanged();
}

QString TimelineView::Impl::sentenceOf(SpanRef ref) const {
  const QString sentence = spanSentence(*data, ref);
  return data->trace().failed(data->span(ref)) && !marks.failure.isEmpty()
             ? sentence + QStringLiteral("  ·  ") + marks.failure
             : sentence;
}

void TimelineView::Impl::setCurrent(std::optional<SpanRef> ref) {
  marks.current = ref;
  if (ref) {
    const QString sentence = sentenceOf(*ref);
    view.setAccessibleDescription(sentence);
    Q_EMIT view.hoverChanged(sentence);
  }
  updateArrows();
  updateAll();
  if (!finder.text().isEmpty()) Q_EMIT view.searchChanged();
}

void TimelineView::Impl::setHovered(std::optional<SpanRef> ref) {
  if (ref == marks.hovered) {
    if (ref) updateHoverMarks();
    return;
  }
  marks.hovered = ref;
  updateArrows();
  Q_EMIT view.hoverChanged(ref ? sentenceOf(*ref) : QString());
  updateHoverMarks();
}

/// Frames, arrow and facts are drawn into nothing to learn where they lie; those of the current span give way to the
/// hovered one's.
QRect TimelineView::Impl::hoverMarks() const {
  if (empty()) return {};
  const TimelineLayout placed = layout();
  const OverlayPainter overlay(*data, placed, navigation.visible(), look::current());
  QRect covered;
  TimelineMarks alone = marks;
  alone.selection.reset();
  for (const bool hovered : {true, false}) {
    alone.hovered = hovered ? marks.hovered : std::nullopt;
    alone.current = hovered ? std::nullopt : marks.current;
    QPicture traced;
    QPainter painter(&traced);
    overlay.paint(painter, alone);
    painter.end();
    if (!traced.boundingRect().isEmpty()) covered |= traced.boundingRect().adjusted(-4, -4, 4, 4);
  }
  return covered;
}

void TimelineView::Impl::updateHoverMarks() { view.update(painted_marks | hoverMarks()); }

void TimelineView::Impl::setFollow(bool on) {
  if (follow == on) return;
  follow = on;
  if (on && !empty()) {
    const TimeRange before = navigation.visible();
    navigation.follow(newestSteps(data->steps(), data->range()));
    viewChanged(before);
  }
  Q_EMIT view.followChanged(on);
}

void TimelineView::Impl::viewChanged(TimeRange before) {
  updateScrollBars();
  base_valid = false;
  updateAll();
  if (navigation.visible() != before) Q_EMIT view.visibleRangeChanged();
}

void TimelineView::Impl::invalidate() {
  base_valid = false;
  headers_of.reset();
  updateAll();
}

/// But for the scroll bars, which know by themselves when they change: painting them costs as much as half of all
/// lanes.
void TimelineView::Impl::updateAll() { view.update(area().toAlignedRect()); }

/// The vertical bar is there only when lanes do not fit; the horizontal one when not all of the time is seen.
void TimelineView::Impl::updateScrollBars() {
  const TimeRange seen = navigation.visible(), all = navigation.everything();
  horizontal->setVisible(!empty() && (seen.start > all.start || seen.end < all.end));
  if (empty()) return vertical->hide();
  // Not hidden to find out: that would paint everything anew.
  const TimelineLayout alone = layOut(*data, areaBeside(false), arrangement, scroll);
  vertical->setVisible(alone.content_height > alone.body.height() + 0.5);
  const TimelineLayout placed = layout();
  const int most = std::max(0, static_cast<int>(std::ceil(placed.content_height - placed.body.height())));
  scroll = std::clamp(scroll, 0.0, static_cast<double>(most));
  const QSignalBlocker quiet_vertical(vertical), quiet_horizontal(horizontal);
  const int across = vertical->sizeHint().width(), down = horizontal->sizeHint().height();
  vertical->setRange(0, most);
  vertical->setPageStep(static_cast<int>(placed.body.height()));
  vertical->setSingleStep(5 * look::kGrid);
  vertical->setValue(static_cast<int>(scroll));
  vertical->setGeometry(view.width() - across, 0, across, static_cast<int>(area().height()));
  const auto share = [&](Nanoseconds time) {
    return static_cast<int>(
        std::lround(kScrollSteps * static_cast<double>(time) / std::max(1.0, static_cast<double>(all.length()))));
  };
  const int page = std::clamp(share(seen.length()), 1, kScrollSteps);
  horizontal->setRange(0, kScrollSteps - page);
  horizontal->setPageStep(page);
  horizontal->setSingleStep(std::max(1, page / 10));
  horizontal->setValue(share(seen.start - all.start));
  // Below the vertical one too, so that what is left to paint is one rectangle: any other clip is several times as
  // slow.
  horizontal->setGeometry(0, view.height() - down, view.width(), down);
}

void TimelineView::Impl::scrollTo(double offset) {
  scroll = offset;
  updateScrollBars();
  invalidate();
}

void TimelineView::Impl::paintBase() {
  const qreal ratio = view.devicePixelRatioF();
  const QSize size = (QSizeF(view.size()) * ratio).toSize();
  if (base.size() != size) base = QImage(size, QImage::Format_RGB32);
  base.setDevicePixelRatio(ratio);
  raster.clear(base, look::current().surface.rgb());
  const TimelineLayout placed = layout();
  for (const TimelineLayout& part : placed.parts()) paintPart(part, placed.pinned_height > 0);
  QPainter painter(&base);
  if (placed.pinned_height > 0)
    painter.fillRect(QRectF(placed.area.left(), placed.body.top() + placed.pinned_height - 1, placed.area.width(), 1),
                     look::current().muted_text);
  FramePainter(*data, placed, navigation.visible(), look::current()).paint(painter);
  if (differs()) DifferencePainter(*data, placed, navigation.visible(), look::current()).paintLegend(painter);
  BookmarkPainter(placed, navigation.visible(), look::current()).paint(painter, bookmarks);
  base_valid = true;
}

/// Rows by pixels where a pixel of the picture is one of the screen. What is pinned covers what scrolls below it.
void TimelineView::Impl::paintPart(const TimelineLayout& part, bool covers) {
  const look::Palette& palette = look::current();
  const QRectF clip(part.area.left(), part.body.top(), part.area.width(), part.body.height() + 1);
  const TimelinePainter lanes(*data, part, navigation.visible(), palette);
  const bool plain = base.devicePixelRatio() == 1;
  if (plain) {
    if (covers) QPainter(&base).fillRect(clip.adjusted(0, 0, 0, -1), palette.surface);
    lanes.paintBody(base, clip.toRect(), raster, labels);
  }
  QPainter painter(&base);
  painter.setClipRect(clip);
  if (!plain) {
    if (covers) painter.fillRect(clip.adjusted(0, 0, 0, -1), palette.surface);
    lanes.paintBody(painter);
  }
  CounterPainter(*data, part, navigation.visible(), palette).paint(painter);
  DifferencePainter difference(*data, part, navigation.visible(), palette);
  difference.paintEnds(painter);
  if (differs()) difference.paintBody(painter);
  PathPainter(*data, part, navigation.visible(), palette).paint(painter, paths);
  if (const auto& found = finder.found(); found && &found->data() == data.get())
    MatchPainter(*found, part, navigation.visible(), palette).paint(painter);
}

/// Over a copy of the base, where lanes have their lines.
void TimelineView::Impl::paintHeaders(const TimelineLayout& placed) {
  HeadersKey key{placed.headers, {}, headerMarks(placed), &look::current(), base.devicePixelRatioF()};
  for (const LaneBox& lane : placed.lanes) key.boxes.push_back(lane.rect);
  for (const RowBox& row : placed.rows) key.boxes.push_back(row.rect);
  if (headers_of == key) return;
  const QRectF device(placed.headers.topLeft() * key.ratio, placed.headers.size() * key.ratio);
  headers = base.copy(device.toRect());
  QPainter painter(&headers);
  painter.translate(-placed.headers.topLeft());
  for (const TimelineLayout& part : placed.parts()) {
    painter.setClipRect(QRectF(part.area.left(), part.body.top(), part.area.width(), part.body.height()));
    HeaderPainter(*data, part, look::current()).paint(painter, key.marks);
  }
  headers_of = std::move(key);
}

void TimelineView::Impl::paint(QPainter& painter, const QRect& dirty) {
  if (!base_valid || base.devicePixelRatioF() != view.devicePixelRatioF()) paintBase();
  const qreal ratio = base.devicePixelRatioF();
  painter.drawImage(QRectF(dirty), base, QRectF(QPointF(dirty.topLeft()) * ratio, QSizeF(dirty.size()) * ratio));
  const TimelineLayout placed = layout();
  if (QRectF(dirty).intersects(placed.headers)) {
    paintHeaders(placed);
    painter.drawImage(placed.headers.topLeft(), headers);
  }
  painter.setClipRect(placed.area);
  if (const auto drop = headerMarks(placed).drop_line)
    painter.fillRect(QRectF(placed.body.left(), *drop - 1, placed.body.width(), 2), look::current().accent);
  OverlayPainter(*data, placed, navigation.visible(), look::current()).paint(painter, marks);
  painter.setClipping(false);
  painted_marks = hoverMarks();
}

QString TimelineView::Impl::whatIsMissing() const {
  if (empty())
    return TimelineView::tr(
        "Nothing has run yet. Press Run: what each lane does is drawn here while it happens, and where it stands "
        "idle.");
  if (!layout().lanes.empty()) return {};
  return TimelineView::tr(
      "All rows of this trace are of kinds that are hidden. Show them with View > Timeline Rows, or a right click "
      "here.");
}

TimelineView::TimelineView(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>(*this)) {
  setObjectName(QStringLiteral("timelineView"));
  setAccessibleName(tr("Timeline"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

TimelineView::~TimelineView() = default;

void TimelineView::setPrediction(std::shared_ptr<const Trace> predicted) {
  m_impl->setPrediction(std::move(predicted));
}
void TimelineView::setTrace(std::shared_ptr<const Trace> trace) { m_impl->setTrace(std::move(trace)); }
std::shared_ptr<const Trace> TimelineView::trace() const { return m_impl->data ? m_impl->data->shared() : nullptr; }
void TimelineView::setFailure(const QString& sentence) {
  m_impl->marks.failure = sentence;
  update();
}
void TimelineView::setFollow(bool follow) { m_impl->setFollow(follow); }
bool TimelineView::follows() const { return m_impl->follow; }
TimeRange TimelineView::visibleRange() const { return m_impl->navigation.visible(); }
std::optional<TimeRange> TimelineView::selection() const { return m_impl->marks.selection; }
void TimelineView::setSelection(std::optional<TimeRange> range) { m_impl->setSelection(range); }
bool TimelineView::showsDetails() const { return m_impl->arrangement.showsDetails(); }

void TimelineView::setVisibleRange(TimeRange range) {
  const TimeRange before = visibleRange();
  m_impl->navigation.show(range);
  m_impl->setFollow(false);
  m_impl->viewChanged(before);
}

void TimelineView::setShowDetails(bool show) {
  RowArrangement next = m_impl->arrangement;
  next.showDetails(show);
  m_impl->arrange(std::move(next));
}

void TimelineView::fit() {
  if (!m_impl->empty()) setVisibleRange(m_impl->navigation.everything());
}

void TimelineView::zoomToSelection() { m_impl->zoomToFocus(); }

void TimelineView::previousZoom() {
  const TimeRange before = visibleRange();
  if (m_impl->navigation.previous()) m_impl->viewChanged(before);
}

void TimelineView::nextStep() {
  const TimeRange before = visibleRange();
  m_impl->navigation.nextStep();
  m_impl->setFollow(false);
  m_impl->viewChanged(before);
}

void TimelineView::previousStep() {
  const TimeRange before = visibleRange();
  m_impl->navigation.previousStep();
  m_impl->setFollow(false);
  m_impl->viewChanged(before);
}

QSize TimelineView::sizeHint() const { return {800, 240}; }
QSize TimelineView::minimumSizeHint() const { return {320, 130}; }

void TimelineView::paintEvent(QPaintEvent* event) {
  const look::Palette& palette = look::current();
  QPainter painter(this);
  const QString missing = m_impl->whatIsMissing();
  if (!missing.isEmpty()) {
    painter.fillRect(rect(), palette.surface);
    painter.setPen(palette.muted_text);
    painter.setFont(look::textFont());
    painter.drawText(QRectF(rect()).adjusted(24, 8, -24, -8), Qt::AlignCenter | Qt::TextWordWrap, missing);
  } else {
    m_impl->paint(painter, event->rect());
  }
  if (hasFocus()) paintFocus(painter, rect(), palette.accent);
}

void TimelineView::resizeEvent(QResizeEvent*) {
  m_impl->updateScrollBars();
  m_impl->invalidate();
}

void TimelineView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    m_impl->labels = LabelCache(look::smallFont());
    m_impl->invalidate();
  }
  QWidget::changeEvent(event);
}

}  // namespace lanelab
