// SPDX-License-Identifier: GPL-3.0-only
#include "ui/watch/statistics_presenter.h"

#include <memory>
#include <utility>

#include "profiler/analysis/statistics/counted_spans.h"
#include "ui/statistics/statistics_pane.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/watch/timeline_presenter.h"

namespace lanelab {

namespace {

StatisticsTrace countedTrace(const ShownTrace& shown) {
  if (const auto* const file = std::get_if<ImportedFile>(&shown)) return {file->imported->trace, file->imported};
  if (const auto* const live = std::get_if<LiveRun>(&shown)) return {live->trace};
  return {analysedTrace(shown)};
}

/// The spans of a group in a later snapshot of the trace, too, where places of names remain what they were.
SpanFinder finderOf(const std::shared_ptr<const ShownStatistics>& shown, std::uint32_t key) {
  return [shown, key](const Trace& trace, const std::stop_token& stop) -> std::vector<SpanMatch> {
    const ImportedTrace* const imported = shown->of().imported.get();
    const auto times = countedTimes(trace, imported, lanesOfWork(trace, imported), shown->figures().part);
    if (!times) return {};
    return countedSpans(trace, *times, SpanKeys(trace, imported, shown->figures().by), key, nullptr, stop);
  };
}

}  // namespace

StatisticsPresenter::StatisticsPresenter(TimelineView* timeline, StatisticsPane* pane, TimelinePresenter* presenter,
                                         QObject* parent)
    : QObject(parent), m_timeline(timeline), m_pane(pane), m_presenter(presenter) {
  connect(m_presenter, &TimelinePresenter::changed, this, &StatisticsPresenter::follow);
  connect(m_timeline, &TimelineView::selectionChanged, this, &StatisticsPresenter::follow);
  connect(m_timeline, &TimelineView::currentChanged, this, &StatisticsPresenter::followCurrent);
  connect(m_pane, &StatisticsPane::rangeClearRequested, this, [this] { m_timeline->setSelection({}); });
  connect(m_pane, &StatisticsPane::groupChosen, this,
          [this](const std::shared_ptr<const ShownStatistics>& shown, quint32 key) {
            if (!showsTwoRuns()) m_timeline->showFound(finderOf(shown, key));
          });
  connect(m_pane, &StatisticsPane::groupDropped, this, [this] { m_timeline->showFound({}); });
  connect(m_pane, &StatisticsPane::spanRequested, this, &StatisticsPresenter::goTo);
  connect(m_pane, &StatisticsPane::eventsListed, this, &StatisticsPresenter::followCurrent);
  connect(m_pane, &StatisticsPane::flameShown, this, &StatisticsPresenter::followCurrent);
}

bool StatisticsPresenter::showsTwoRuns() const { return std::holds_alternative<ComparedTraces>(m_presenter->shown()); }

void StatisticsPresenter::follow() {
  const StatisticsTrace before = std::exchange(m_counted, countedTrace(m_presenter->shown()));
  if (before != m_counted && !m_presenter->isLive())
    m_timeline->showFound({});  // until the pane has found the group there
  m_pane->setTrace(m_counted);
  m_pane->setRange(showsTwoRuns() ? std::nullopt : m_presenter->selectedRange());
}

/// Also where the trace of a run in progress has grown.
void StatisticsPresenter::followCurrent() {
  if (m_presenter->isLive()) follow();
  if ((!m_pane->showsEvents() && !m_pane->showsFlame()) || showsTwoRuns()) return;
  if (const auto current = m_timeline->currentSpan()) m_pane->selectSpan(current->track, current->span);
}

void StatisticsPresenter::goTo(const StatisticsTrace& of, const SpanMatch& span) {
  const bool shown = !showsTwoRuns() && m_timeline->goToSpan(span);
  if (!shown) m_presenter->goTo(of.trace->tracks[span.track].spans[span.span].range());
}

}  // namespace lanelab
