// SPDX-License-Identifier: GPL-3.0-only
// Composes the parts of a timeline: what one reports the others follow, and each event goes to the part it is for.
#include "ui/timeline/view/timeline_view.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <utility>

#include "ui/look/theme.h"
#include "ui/timeline/view/timeline_bars.h"
#include "ui/timeline/view/timeline_canvas.h"
#include "ui/timeline/view/timeline_keys.h"
#include "ui/timeline/view/timeline_menus.h"
#include "ui/timeline/view/timeline_picture.h"
#include "ui/timeline/view/timeline_search.h"

namespace lanelab {
namespace {

/// Four rectangles, as the stroke of one would be filled line by line.
void paintFocusFrame(QPainter& painter, const QRect& rect, const QColor& color) {
  constexpr int kWidth = 2;
  const QRect inner = rect.adjusted(kWidth, kWidth, -kWidth, -kWidth);
  for (const QRect& side : QRegion(rect) - QRegion(inner)) painter.fillRect(side, color);
}

}  // namespace

struct TimelineView::Impl {
  explicit Impl(TimelineView& owner);

  void followParts();
  void setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const AlignedRuns> aligned = nullptr);
  void setPrediction(std::shared_ptr<const Trace> predicted);
  void showMoved();     ///< other times are seen
  void showArranged();  ///< rows lie elsewhere
  void repaintAll();    ///< and the cached pictures with it
  void updateAll();
  void find(int direction);
  void paint(QPainter& painter, const QRect& dirty);
  void showMenu(const QContextMenuEvent& event);

  TimelineView& view;
  TimelineContent content;
  TimelineViewport viewport;
  TimelineBars bars;
  TimelineFocus focus;
  TimelineSearch search;
  TimelineMoves moves;
  LaneActions lanes;
  HeaderGestures headers;
  PointerGestures pointer;
  TimelineKeys keys;
  TimelineCanvas canvas;
};

TimelineView::Impl::Impl(TimelineView& owner)
    : view(owner),
      viewport(content, [this] { return bars.area(); }),
      bars(owner, content, viewport),
      focus(content, viewport),
      search(content),
      moves(content, viewport, focus),
      lanes(content, viewport, focus),
      headers(owner, viewport, focus, lanes),
      pointer(owner, content, viewport, focus, moves, headers),
      keys(owner, moves, focus, pointer),
      canvas(content, viewport, focus) {
  followParts();
}

void TimelineView::Impl::followParts() {
  connect(&viewport, &TimelineViewport::moved, &view, [this] { showMoved(); });
  connect(&viewport, &TimelineViewport::scrolled, &view, [this] { showArranged(); });
  connect(&viewport, &TimelineViewport::arrangementChanged, &view, [this] {
    focus.dropHidden();
    showArranged();
    Q_EMIT view.arrangementChanged();
  });
  connect(&focus, &TimelineFocus::selectionChanged, &view, [this] {
    updateAll();
    Q_EMIT view.selectionChanged();
  });
  connect(&focus, &TimelineFocus::currentChanged, &view, [this] {
    updateAll();
    if (!search.text().isEmpty()) Q_EMIT view.searchChanged();
  });
  connect(&focus, &TimelineFocus::hoverChanged, &view, [this] { view.update(canvas.dirtyMarks()); });
  connect(&focus, &TimelineFocus::headersChanged, &view,
          [this] { view.update(viewport.layout().headers.toAlignedRect()); });
  connect(&focus, &TimelineFocus::laneChosen, &view, [this] { updateAll(); });
  connect(&focus, &TimelineFocus::described, &view, &QWidget::setAccessibleDescription);
  connect(&focus, &TimelineFocus::sentenceChanged, &view, &TimelineView::hoverChanged);
  connect(&search, &TimelineSearch::foundChanged, &view, [this] {
    repaintAll();
    Q_EMIT view.searchChanged();
  });
}

void TimelineView::Impl::setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const AlignedRuns> aligned) {
  const TraceChange change = content.setTrace(std::move(trace), std::move(aligned));
  if (!change.continued) canvas.clearLabels();
  focus.setTrace(change);
  viewport.setTrace(change);
  repaintAll();
  search.searchAgain(viewport.follows());
}

void TimelineView::Impl::setPrediction(std::shared_ptr<const Trace> predicted) {
  if (!content.setPrediction(std::move(predicted))) return;
  repaintAll();
  search.searchAgain(viewport.follows());
}

void TimelineView::Impl::showMoved() {
  bars.update();
  canvas.invalidateLanes();
  updateAll();
}

void TimelineView::Impl::showArranged() {
  bars.update();
  repaintAll();
}

void TimelineView::Impl::repaintAll() {
  canvas.invalidate();
  updateAll();
}

/// But for the scroll bars, which know by themselves when they change: painting them costs as much as half of all
/// lanes.
void TimelineView::Impl::updateAll() { view.update(viewport.area().toAlignedRect()); }

void TimelineView::Impl::find(int direction) {
  if (const auto match = search.next(focus.current(), viewport.visible().start, direction)) moves.goTo(*match);
}

void TimelineView::Impl::paint(QPainter& painter, const QRect& dirty) {
  if (canvas.paintMissing(painter, view.rect())) return;
  const TimelineLayout placed = viewport.layout();
  canvas.paint(painter, dirty, view.size(), view.devicePixelRatioF(), {placed, headers.marks(placed), search.found()});
}

void TimelineView::Impl::showMenu(const QContextMenuEvent& event) {
  if (content.empty()) return;
  const bool by_mouse = event.reason() == QContextMenuEvent::Mouse;
  const TimelineHits hits = pointer.hits();
  const auto span = by_mouse ? hits.span(event.pos()) : focus.current();
  if (span) focus.setCurrent(span);
  QMenu menu(&view);
  if (by_mouse && hits.inHeaders(event.pos())) {
    focus.chooseLane(hits.lane(event.pos()));
    fillRowsMenu(menu, view, content);
  } else {
    fillSpanMenu(menu, view, content, focus);
  }
  menu.exec(event.globalPos());
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

// What is shown

void TimelineView::setTrace(std::shared_ptr<const Trace> trace) { m_impl->setTrace(std::move(trace)); }

void TimelineView::setAligned(std::shared_ptr<const AlignedRuns> aligned) {
  const std::shared_ptr<const Trace> trace = aligned ? aligned->trace : nullptr;
  m_impl->setTrace(trace, std::move(aligned));
}

std::shared_ptr<const Trace> TimelineView::trace() const {
  return m_impl->content.data() ? m_impl->content.data()->shared() : nullptr;
}

void TimelineView::setPrediction(std::shared_ptr<const Trace> predicted) {
  m_impl->setPrediction(std::move(predicted));
}

void TimelineView::setImported(std::shared_ptr<const ImportedTrace> imported) {
  m_impl->content.setImported(std::move(imported));
  m_impl->focus.updateArrows();
  update();
}

void TimelineView::setFailure(const QString& sentence) {
  m_impl->focus.setFailure(sentence);
  update();
}

void TimelineView::setBookmarks(std::vector<TimelineBookmark> bookmarks) {
  m_impl->content.setBookmarks(std::move(bookmarks));
  m_impl->repaintAll();
}

bool TimelineView::hasDifferences() const { return m_impl->content.hasDifferences(); }
bool TimelineView::showsDifferences() const { return m_impl->content.showsDifferences(); }
void TimelineView::setShowDifferences(bool show) {
  if (m_impl->content.setShowDifferences(show)) m_impl->repaintAll();
}

bool TimelineView::showsCriticalPath() const { return m_impl->content.showsCriticalPath(); }
void TimelineView::setShowCriticalPath(bool show) {
  if (m_impl->content.setShowCriticalPath(show)) m_impl->repaintAll();
}

Picture TimelineView::picture() const {
  return timelinePicture(m_impl->content.data(), visibleRange(), arrangement(), showsDifferences());
}

// Which part of it is seen

TimeRange TimelineView::visibleRange() const { return m_impl->viewport.visible(); }
void TimelineView::setVisibleRange(TimeRange range) {
  m_impl->viewport.navigate([range](Navigation& navigation) { navigation.show(range); });
}
bool TimelineView::follows() const { return m_impl->viewport.follows(); }
void TimelineView::setFollow(bool follow) { m_impl->viewport.setFollow(follow); }
void TimelineView::fit() {
  if (!m_impl->content.empty()) setVisibleRange(m_impl->viewport.everything());
}
void TimelineView::zoomToSelection() { m_impl->moves.zoomToFocus(); }
void TimelineView::previousZoom() { m_impl->viewport.previousZoom(); }
void TimelineView::nextStep() { m_impl->viewport.navigate(&Navigation::nextStep); }
void TimelineView::previousStep() { m_impl->viewport.navigate(&Navigation::previousStep); }

const RowArrangement& TimelineView::arrangement() const { return m_impl->viewport.arrangement(); }
void TimelineView::setArrangement(RowArrangement arrangement) { m_impl->viewport.arrange(std::move(arrangement)); }
bool TimelineView::showsDetails() const { return arrangement().showsDetails(); }
void TimelineView::setShowDetails(bool show) {
  RowArrangement next = arrangement();
  next.showDetails(show);
  setArrangement(std::move(next));
}

void TimelineView::collapseLane() { m_impl->lanes.toggleCollapsed(); }
void TimelineView::collapseReplica() { m_impl->lanes.toggleReplica(); }
void TimelineView::pinLane() { m_impl->lanes.togglePinned(); }
void TimelineView::moveLaneUp() { m_impl->lanes.move(-1); }
void TimelineView::moveLaneDown() { m_impl->lanes.move(+1); }
void TimelineView::collapseLanes() { m_impl->lanes.collapseAll(true); }
void TimelineView::expandLanes() { m_impl->lanes.collapseAll(false); }
void TimelineView::forgetLanes() { m_impl->lanes.resetLanes(); }

// What the user points at

std::optional<TimeRange> TimelineView::selection() const { return m_impl->focus.selection(); }
void TimelineView::setSelection(std::optional<TimeRange> range) { m_impl->focus.setSelection(range); }
std::optional<int> TimelineView::currentLane() const { return m_impl->focus.currentLane(); }
void TimelineView::goToWaitedOn() { m_impl->moves.followArrow(-1); }
void TimelineView::goToWaiting() { m_impl->moves.followArrow(+1); }

void TimelineView::setSearch(const QString& text) { m_impl->search.setText(text); }
QString TimelineView::search() const { return m_impl->search.text(); }
SearchState TimelineView::searchState() const { return m_impl->search.state(m_impl->focus.current()); }
void TimelineView::findNext() { m_impl->find(+1); }
void TimelineView::findPrevious() { m_impl->find(-1); }

// Events

QSize TimelineView::sizeHint() const { return {800, 240}; }
QSize TimelineView::minimumSizeHint() const { return {320, 130}; }

bool TimelineView::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && isTimelineKey(*static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
  }
  if (event->type() == QEvent::ToolTip) {
    const auto& help = *static_cast<QHelpEvent*>(event);
    const QString tip = m_impl->pointer.hits().tip(help.pos());
    tip.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help.globalPos(), tip, this);
    return true;
  }
  return QWidget::event(event);
}

void TimelineView::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  m_impl->paint(painter, event->rect());
  if (hasFocus()) paintFocusFrame(painter, rect(), look::current().accent);
}

void TimelineView::resizeEvent(QResizeEvent*) { m_impl->showArranged(); }

void TimelineView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    m_impl->canvas.changeFont();
    m_impl->updateAll();
  }
  QWidget::changeEvent(event);
}

void TimelineView::wheelEvent(QWheelEvent* event) { event->setAccepted(m_impl->pointer.turnWheel(*event)); }
void TimelineView::mousePressEvent(QMouseEvent* event) { m_impl->pointer.press(*event); }
void TimelineView::mouseMoveEvent(QMouseEvent* event) { m_impl->pointer.move(event->position()); }
void TimelineView::mouseReleaseEvent(QMouseEvent* event) { m_impl->pointer.release(*event); }
void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) { m_impl->pointer.doubleClick(*event); }
void TimelineView::leaveEvent(QEvent*) { m_impl->pointer.leave(); }

void TimelineView::keyPressEvent(QKeyEvent* event) {
  if (m_impl->content.empty() || !isTimelineKey(*event)) return QWidget::keyPressEvent(event);
  m_impl->keys.press(*event);
}

void TimelineView::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space || event->isAutoRepeat()) return QWidget::keyReleaseEvent(event);
  m_impl->pointer.releaseSpace();
}

void TimelineView::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  update();
}

void TimelineView::focusOutEvent(QFocusEvent* event) {
  m_impl->pointer.forgetSpace();
  QWidget::focusOutEvent(event);
  update();
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event) { m_impl->showMenu(*event); }

}  // namespace lanelab
