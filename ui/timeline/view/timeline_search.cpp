// SPDX-License-Identifier: GPL-3.0-only
// Finding, following arrows and the critical path in a TimelineView.
#include <algorithm>

#include "ui/timeline/paint/difference_painter.h"
#include "ui/timeline/view/timeline_state.h"

namespace lanelab {
namespace {

constexpr double kNarrowestFound = 12;  ///< pixels; a span below that is zoomed to
constexpr double kFoundShare = 8;       ///< a span that was zoomed to takes this part of the width
constexpr double kWidestFound = 0.8;    ///< of the width; a longer one is zoomed out of
constexpr double kRowMargin = 8;

}  // namespace

/// The row is shown and scrolled to; the time is panned and, where the span would be a speck or more than the view,
/// zoomed.
void TimelineView::Impl::reveal(SpanRef ref) {
  const TimeRange before = navigation.visible();
  const TimeRange range = data->span(ref).range();
  scrollToRow(ref.row);
  const double pixels = static_cast<double>(range.length()) / std::max(scale().nanosecondsPerPixel(), 1e-9);
  const double share =
      static_cast<double>(range.length()) / static_cast<double>(std::max<Nanoseconds>(before.length(), 1));
  if (pixels < kNarrowestFound)
    navigation.show(movedInto(widened(range, kFoundShare / 2), navigation.everything()));
  else if (share > kWidestFound)
    navigation.show(widened(range, (1 / kWidestFound - 1) / 2));
  else
    navigation.reveal(range);
  movedByHand();
  viewChanged(before);
}

void TimelineView::Impl::scrollToRow(std::size_t row) {
  if (!layout().boxOf(row)) showRowKind(row);
  const TimelineLayout placed = layout();
  const RowBox* box = placed.boxOf(row);
  if (!box || box->pinned) return;
  const QRectF sight = placed.sightOf(*box);
  const double above = sight.top() + kRowMargin - box->rect.top(),
               below = box->rect.bottom() - (sight.bottom() - kRowMargin);
  if (above > 0)
    scrollTo(scroll - above);
  else if (below > 0)
    scrollTo(scroll + below);
}

void TimelineView::Impl::search(const QString& text) { finder.find(empty() ? nullptr : data, text); }

/// Where a search of a long trace goes on while the trace grows, its answer is awaited first: else it would never end.
void TimelineView::Impl::searchAgain() {
  if (!finder.text().isEmpty() && !(follow && finder.searching())) search(finder.text());
}

void TimelineView::Impl::foundChanged() {
  if (finder.found() && &finder.found()->data() != data.get()) return search(finder.text());
  invalidate();
  Q_EMIT view.searchChanged();
}

void TimelineView::Impl::find(int direction) {
  const auto found = finder.found();
  if (!found || found->count() == 0) return;
  std::size_t place =
      marks.current ? found->next(*marks.current, direction) : found->next(navigation.visible().start, direction);
  std::optional<SpanRef> ref = found->refOf(place);
  for (std::size_t tried = 1; !ref && tried < found->count(); ++tried) {
    place = (place + (direction > 0 ? 1 : found->count() - 1)) % found->count();
    ref = found->refOf(place);
  }
  if (!ref) return;
  reveal(*ref);
  setCurrent(*ref);
}

void TimelineView::Impl::followArrow(int direction) {
  if (empty() || !marks.current) return;
  const Dependencies dependencies(*data, imported.get());
  const auto next = direction < 0 ? dependencies.waitedOn(*marks.current) : dependencies.waiting(*marks.current);
  if (!next) {
    Q_EMIT view.hoverChanged(direction < 0 ? TimelineView::tr("It waited on nothing else in its step")
                                           : TimelineView::tr("Nothing else in its step waited on it"));
    return;
  }
  reveal(*next);
  setCurrent(*next);
}

void TimelineView::Impl::updateArrows() {
  marks.arrows.clear();
  const std::optional<SpanRef> told = marks.hovered ? marks.hovered : marks.current;
  if (told && data) marks.arrows = Dependencies(*data, imported.get()).arrowsOf(*told);
}

void TimelineView::Impl::updatePaths() {
  paths.clear();
  if (!shows_path || empty()) return;
  paths = data->aligned() ? data->aligned()->paths : criticalPaths(data->trace());
}

bool TimelineView::Impl::differs() const { return shows_differences && data && lanelab::hasDifferences(*data); }

std::optional<std::size_t> TimelineView::Impl::bookmarkAt(QPointF point) const {
  if (empty()) return {};
  const TimelineLayout placed = layout();
  return BookmarkPainter(placed, navigation.visible(), look::current()).at(point, bookmarks);
}

void TimelineView::setSearch(const QString& text) {
  if (text != m_impl->finder.text()) m_impl->search(text);
}
QString TimelineView::search() const { return m_impl->finder.text(); }

TimelineView::SearchState TimelineView::searchState() const {
  const auto& found = m_impl->finder.found();
  SearchState state;
  state.searching = m_impl->finder.searching();
  if (!found) return state;
  state.count = found->count();
  if (m_impl->marks.current && &found->data() == m_impl->data.get())
    state.place = found->placeOf(*m_impl->marks.current);
  return state;
}

void TimelineView::findNext() { m_impl->find(+1); }
void TimelineView::findPrevious() { m_impl->find(-1); }
void TimelineView::goToWaitedOn() { m_impl->followArrow(-1); }
void TimelineView::goToWaiting() { m_impl->followArrow(+1); }

void TimelineView::setImported(std::shared_ptr<const ImportedTrace> imported) {
  m_impl->imported =
      imported && m_impl->data && imported->trace == m_impl->data->shared() ? std::move(imported) : nullptr;
  m_impl->updateArrows();
  update();
}

void TimelineView::setAligned(std::shared_ptr<const AlignedRuns> aligned) {
  const std::shared_ptr<const Trace> trace = aligned ? aligned->trace : nullptr;
  m_impl->setTrace(trace, std::move(aligned));
}

void TimelineView::setBookmarks(std::vector<TimelineBookmark> bookmarks) {
  m_impl->bookmarks = std::move(bookmarks);
  m_impl->invalidate();
}

bool TimelineView::hasDifferences() const { return m_impl->data && lanelab::hasDifferences(*m_impl->data); }
bool TimelineView::showsDifferences() const { return m_impl->shows_differences; }

void TimelineView::setShowDifferences(bool show) {
  if (m_impl->shows_differences == show) return;
  m_impl->shows_differences = show;
  m_impl->invalidate();
}

bool TimelineView::showsCriticalPath() const { return m_impl->shows_path; }

void TimelineView::setShowCriticalPath(bool show) {
  if (m_impl->shows_path == show) return;
  m_impl->shows_path = show;
  m_impl->updatePaths();
  m_impl->invalidate();
}

}  // namespace lanelab
