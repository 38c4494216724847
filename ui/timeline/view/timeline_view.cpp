// SPDX-License-Identifier: GPL-3.0-only
// Composes the parts of a timeline: what one reports the others follow, and each event goes to the part it is for.
#include "ui/timeline/view/timeline_view.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>
#include <QtMath>
#include <utility>

#include "ui/look/theme.h"
#include "ui/timeline/view/timeline_commands.h"
#include "ui/timeline/view/timeline_picture.h"

namespace lanelab {
namespace {

/// Four rectangles, as the stroke of one would be filled line by line.
void paintFocusFrame(QPainter& painter, const QRect& rect, const QColor& color) {
  constexpr int kWidth = 2;
  const QRect inner = rect.adjusted(kWidth, kWidth, -kWidth, -kWidth);
  for (const QRect& side : QRegion(rect) - QRegion(inner)) painter.fillRect(side, color);
}

}  // namespace

TimelineView::TimelineView(QWidget* parent)
    : QWidget(parent),
      m_viewport(m_content, [this] { return m_bars.area(); }),
      m_bars(*this, m_content, m_viewport),
      m_focus(m_content, m_viewport),
      m_search(m_content),
      m_moves(m_content, m_viewport, m_focus),
      m_pulling(*this, m_content, m_viewport, m_focus, m_changes),
      m_pointer(*this, m_content, m_viewport, m_focus, m_moves, m_pulling),
      m_canvas(m_content, m_viewport, m_focus) {
  setObjectName(QStringLiteral("timelineView"));
  setAccessibleName(tr("Timeline"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  followParts();
}

void TimelineView::followParts() {
  connect(&m_viewport, &TimelineViewport::moved, this, [this] {
    m_bars.update();
    m_canvas.invalidateLanes();
    updateAll();
  });
  connect(&m_viewport, &TimelineViewport::scrolled, this, &TimelineView::showArranged);
  connect(&m_viewport, &TimelineViewport::arrangementChanged, this, [this] {
    m_focus.dropHidden();
    showArranged();
    measureHeight();
    Q_EMIT arrangementChanged();
  });
  connect(&m_focus, &TimelineFocus::selectionChanged, this, [this] {
    updateAll();
    Q_EMIT selectionChanged();
  });
  connect(&m_focus, &TimelineFocus::currentChanged, this, [this] {
    updateAll();
    if (!m_search.text().isEmpty()) Q_EMIT searchChanged();
    Q_EMIT currentChanged();
  });
  connect(&m_focus, &TimelineFocus::hoverChanged, this, [this] { update(m_canvas.dirtyMarks()); });
  connect(&m_focus, &TimelineFocus::headersChanged, this,
          [this] { update(m_viewport.layout().headers.toAlignedRect()); });
  connect(&m_focus, &TimelineFocus::laneChosen, this, &TimelineView::updateAll);
  connect(&m_focus, &TimelineFocus::described, this, &QWidget::setAccessibleDescription);
  connect(&m_focus, &TimelineFocus::sentenceChanged, this, &TimelineView::hoverChanged);
  connect(&m_changes, &TimelineChanges::shownChanged, this, [this] {
    const auto& shown = m_changes.shown();
    const bool named_stages = m_content.namesStages();
    m_content.setChanged(shown ? shown->timeline : nullptr);
    if (m_content.namesStages() != named_stages) m_canvas.clearLabels();
    m_focus.setHovered({});
    repaintAll();
  });
  connect(&m_search, &TimelineSearch::foundChanged, this, [this] {
    repaintAll();
    Q_EMIT searchChanged();
  });
}

// What is shown

void TimelineView::replaceTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const AlignedRuns> aligned) {
  m_pulling.cancel();
  const TraceChange change = m_content.setTrace(std::move(trace), std::move(aligned));
  m_changes.setMeasured(m_content.data());
  if (!change.continued || !change.same_names) m_canvas.clearLabels();
  m_focus.setTrace(change);
  m_viewport.setTrace(change);
  m_bars.setTrace(change);
  repaintAll();
  measureHeight();
  m_search.searchAgain(m_viewport.follows());
}

void TimelineView::measureHeight() {
  const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent);  // as soon as not all of the time is seen
  const int least = m_content.data() ? qCeil(leastHeight(*m_content.data(), arrangement())) + bar : 0;
  if (std::exchange(m_least_height, least) != least) Q_EMIT leastHeightChanged(least);
}

void TimelineView::setAligned(std::shared_ptr<const AlignedRuns> aligned) {
  const std::shared_ptr<const Trace> trace = aligned ? aligned->trace : nullptr;
  replaceTrace(trace, std::move(aligned));
}

void TimelineView::setPrediction(std::shared_ptr<const Trace> predicted) {
  if (!m_content.setPrediction(std::move(predicted))) return;
  m_changes.setMeasured(m_content.data());
  repaintAll();
  m_search.searchAgain(m_viewport.follows());
}

void TimelineView::setImported(std::shared_ptr<const ImportedTrace> imported) {
  m_content.setImported(std::move(imported));
  m_focus.updateArrows();
  update();
}

void TimelineView::setFailure(const QString& sentence) {
  m_focus.setFailure(sentence);
  update();
}

void TimelineView::setEmptyText(const QString& sentence) {
  if (m_canvas.setEmptyText(sentence) && m_content.empty()) update();
}

void TimelineView::setBookmarks(std::vector<TimelineBookmark> bookmarks) {
  m_content.setBookmarks(std::move(bookmarks));
  repaintAll();
}

void TimelineView::setShowDifferences(bool show) {
  if (m_content.setShowDifferences(show)) repaintAll();
}

void TimelineView::setShowCriticalPath(bool show) {
  if (m_content.setShowCriticalPath(show)) repaintAll();
}

std::optional<GapDetails> TimelineView::gapDetails() const {
  if (m_content.empty() || !m_focus.currentGap()) return {};
  return detailsOf(*m_content.data(), m_content.dependencies(), *m_focus.currentGap());
}

bool TimelineView::goToGap(int lane, TimeRange range) {
  if (m_content.empty() || lane < 0 || lane >= m_content.lanes()) return false;
  const auto gap = gapAt(*m_content.data(), lane, range.start + range.length() / 2);
  if (!gap) return false;
  m_moves.goTo(*gap);
  m_moves.zoomTo(*gap);
  return true;
}

/// A later snapshot of a run may have merged spans before it.
bool TimelineView::goToSpan(const SpanMatch& place) {
  if (m_content.empty() || place.track >= m_content.data()->trace().tracks.size()) return false;
  const SpanColumns& spans = m_content.data()->trace().tracks[place.track].spans;
  const bool same = place.span < spans.size() && spans.startOf(place.span) == place.start;
  const std::size_t index = same ? place.span : spans.firstFrom(place.start);
  if (index >= spans.size() || spans.startOf(index) != place.start) return false;
  const auto ref = m_content.data()->refOf(place.track, index);
  if (!ref) return false;
  m_moves.goTo(*ref);
  return true;
}

std::optional<SpanMatch> TimelineView::currentSpan() const {
  if (m_content.empty() || !m_focus.current()) return {};
  const SpanRef ref = *m_focus.current();
  const Row& row = m_content.data()->rows()[ref.row];
  return SpanMatch{m_content.data()->span(ref).start, static_cast<std::uint32_t>(row.track), row.spans[ref.position]};
}

std::optional<SpanDetails> TimelineView::spanDetails() const {
  if (m_content.empty() || !m_focus.current()) return {};
  return detailsOf(*m_content.data(), m_content.dependencies(), *m_focus.current());
}

void TimelineView::setShowFacts(bool show) {
  m_shows_facts = show;
  m_focus.showFacts(show && isActiveWindow());
}

void TimelineView::setFinding(bool finding) {
  m_finding = finding;
  m_focus.showBoxes(!finding);
}

Picture TimelineView::picture(std::optional<TimeRange> part) const {
  return timelinePicture(m_content.data(), part.value_or(visibleRange()), arrangement(), showsDifferences());
}

// Which part of it is seen

void TimelineView::setVisibleRange(TimeRange range) {
  m_viewport.navigate([range](Navigation& navigation) { navigation.show(range); });
}

void TimelineView::fit() {
  if (!m_content.empty()) setVisibleRange(m_viewport.everything());
}

void TimelineView::find(int direction) {
  if (const auto match = m_search.next(m_focus.current(), visibleRange().start, direction)) m_moves.goTo(*match);
}

void TimelineView::showArranged() {
  m_bars.update();
  repaintAll();
}

void TimelineView::repaintAll() {
  m_canvas.invalidate();
  updateAll();
}

/// But for the scroll bars, which know by themselves when they change: painting them costs as much as half of all
/// lanes.
void TimelineView::updateAll() { update(m_viewport.area().toAlignedRect()); }

// Events

bool TimelineView::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && isTimelineKey(*static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
  }
  if (event->type() == QEvent::WindowDeactivate) m_pointer.leave();
  if (event->type() == QEvent::WindowDeactivate || event->type() == QEvent::WindowActivate) {
    const bool active = event->type() == QEvent::WindowActivate;  // else a dialog may be up
    m_focus.showFacts(m_shows_facts && active);
    m_focus.showBoxes(active && !m_finding);
  }
  if (event->type() == QEvent::ToolTip) {
    const auto& help = *static_cast<QHelpEvent*>(event);
    const QString tip = tipAt(help.pos());
    tip.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help.globalPos(), tip, this);
    return true;
  }
  return QWidget::event(event);
}

/// Of what is there, on the ruler of the wheel.
QString TimelineView::tipAt(QPoint point) const {
  const TimelineHits hits = m_pointer.hits();
  const QString tip = hits.tip(point);
  if (!tip.isEmpty() || !hits.layout().ruler.united(hits.layout().steps).contains(point)) return tip;
  return m_pointer.wheel() == look::WheelUse::Zooms
             ? tr("The wheel zooms, Ctrl+wheel scrolls the lanes, Shift+wheel moves left and right (Settings > Mouse "
                  "wheel)")
             : tr("The wheel scrolls the lanes, Ctrl+wheel zooms, Shift+wheel moves left and right (Settings > Mouse "
                  "wheel)");
}

void TimelineView::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  if (!m_canvas.paintMissing(painter, rect())) {
    const TimelineLayout placed = m_viewport.layout();
    m_canvas.paint(painter, event->rect(), size(), devicePixelRatioF(),
                   {placed, m_pointer.headerMarks(placed), m_search.found(), !m_pulling.isPulling()});
  }
  const auto& pointer = m_focus.marks().pointer;
  if (const QStringList card = m_pulling.card(); !card.isEmpty() && pointer)
    paintChangeCard(painter, m_viewport.layout(), *pointer, card);
  if (hasFocus()) paintFocusFrame(painter, rect(), look::current().accent);
}

void TimelineView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    m_canvas.changeFont();
    updateAll();
  }
  QWidget::changeEvent(event);
}

void TimelineView::wheelEvent(QWheelEvent* event) { event->setAccepted(m_pointer.turnWheel(*event)); }
void TimelineView::mousePressEvent(QMouseEvent* event) {
  const auto entry = m_pointer.hits().legendEntry(event->position());
  if (!entry || entry->item != LegendItem::More || event->button() != Qt::LeftButton) return m_pointer.press(*event);
  QMenu* const menu = newMenu();
  fillRowsMenu(*menu, *this, m_content);
  menu->popup(event->globalPosition().toPoint());
}
void TimelineView::mouseMoveEvent(QMouseEvent* event) { m_pointer.move(event->position(), event->modifiers()); }

void TimelineView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Alt) m_pointer.holdAlt(true);
  if (m_content.empty() || !isTimelineKey(*event)) return QWidget::keyPressEvent(event);
  pressTimelineKey(*event, {*this, m_moves, m_focus, m_pointer, m_changes, m_pulling});
}

void TimelineView::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Alt) m_pointer.holdAlt(false);
  if (event->key() != Qt::Key_Space || event->isAutoRepeat()) return QWidget::keyReleaseEvent(event);
  m_pointer.releaseSpace();
}

void TimelineView::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  update();
}

void TimelineView::focusOutEvent(QFocusEvent* event) {
  m_pointer.forgetSpace();
  QWidget::focusOutEvent(event);
  update();
}

QMenu* TimelineView::newMenu() {
  auto* const menu = new QMenu(this);
  menu->setObjectName("timelineContextMenu");
  menu->setAttribute(Qt::WA_DeleteOnClose);
  return menu;
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event) {
  if (m_content.empty()) return;
  const bool by_mouse = event->reason() == QContextMenuEvent::Mouse;
  const TimelineHits hits = m_pointer.hits();
  if (by_mouse && (hits.span(event->pos()) || hits.gap(event->pos()))) m_pointer.choose(event->pos());
  auto* menu = newMenu();
  if (by_mouse && hits.inHeaders(event->pos())) {
    m_focus.chooseLane(hits.lane(event->pos()));
    fillRowsMenu(*menu, *this, m_content);
  } else {
    fillSpanMenu(*menu, *this, m_content, m_focus);
    menu->addSeparator();
    if (m_exhibit) addExhibitEntries(*menu, this, m_exhibit());
  }
  menu->popup(event->globalPos());
}

}  // namespace lanelab
