// SPDX-License-Identifier: GPL-3.0-only
#include "ui/watch/details_presenter.h"

#include <algorithm>
#include <utility>

#include "ui/look/plain_text.h"
#include "ui/timeline/details/details_pane.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/watch/timeline_presenter.h"

namespace lanelab {

namespace {

/// The gap of a GPU or a thread that ends where the span begins.
std::optional<IdleBefore> gapBefore(const IdleCauses& causes, const Span& span) {
  for (const LaneCauses& lane : causes.lanes) {
    const auto gap = std::ranges::lower_bound(lane.gaps, span.start, {}, [](const auto& one) { return one.range.end; });
    if (gap == lane.gaps.end() || gap->range.end != span.start || gap->before != span.name) continue;
    return IdleBefore{gap->range.length(), lane.causesOf(*gap)};
  }
  return {};
}

}  // namespace

DetailsPresenter::DetailsPresenter(TimelineView* timeline, DetailsPane* pane, const TimelinePresenter* presenter,
                                   QObject* parent)
    : QObject(parent), m_timeline(timeline), m_pane(pane), m_presenter(presenter) {
  connect(m_timeline, &TimelineView::currentChanged, this, &DetailsPresenter::show);
  connect(m_pane, &DetailsPane::spanRequested, this, [this](SpanRef span) { m_timeline->moves().goTo(span); });
}

void DetailsPresenter::show() {
  if (std::optional<GapDetails> gap = m_timeline->gapDetails()) return showGap(*std::move(gap));
  std::optional<SpanDetails> details = m_timeline->spanDetails();
  if (details == m_shown && !m_shown_gap) return;
  m_shown = details;
  m_shown_gap.reset();
  m_reading.cancel();
  m_pane->setDetails(std::move(details));
  const ImportedFile* const file = std::get_if<ImportedFile>(&m_presenter->shown());
  if (m_shown && file && file->imported->trace == m_timeline->trace()) read(*file, *m_shown);
}

void DetailsPresenter::showGap(GapDetails gap) {
  if (gap == m_shown_gap) return;
  m_shown.reset();
  m_shown_gap = gap;
  m_reading.cancel();
  m_pane->setGap(std::move(gap));
  if (m_shown_gap->causes.total() == 0) explain(*m_shown_gap);
}

void DetailsPresenter::explain(const GapDetails& gap) {
  if (m_explained_trace != m_timeline->trace()) m_trace_causes.reset();
  m_explained_trace = m_timeline->trace();
  m_reading.run([this, gap, trace = m_explained_trace, causes = m_trace_causes](const WorkControl& control) {
    const auto found = causes || control.stop.stop_requested()
                           ? causes
                           : std::make_shared<const IdleCauses>(explainIdle(*trace, WindowKind::Step));
    return LongWork::Then([this, gap, found] {
      m_trace_causes = found;
      if (found && m_shown_gap == gap) m_pane->setGap(explainedBy(*found, gap));
    });
  });
}

void DetailsPresenter::read(const ImportedFile& file, const SpanDetails& details) {
  const auto sought = soughtEvent(*file.imported, details.track, details.span);
  if (sought) m_pane->setNote(tr("Reading..."));
  if (m_explained != file.imported) m_causes.reset();
  m_explained = file.imported;
  m_reading.run([this, sought, details, imported = file.imported, path = file.path.toStdString(),
                 causes = m_causes](const WorkControl& control) -> LongWork::Then {
    FromFile read;
    if (sought) {
      const auto arguments = readArguments(path, *sought, {.stop = control.stop});
      if (arguments.ok()) read.arguments = *arguments;
      if (!arguments.ok()) read.note = look::shownText(arguments.error());
    }
    read.causes =
        causes || control.stop.stop_requested() ? causes : std::make_shared<const IdleCauses>(explainIdle(*imported));
    return [this, details, read] { showRead(details, read); };
  });
}

void DetailsPresenter::showRead(const SpanDetails& details, const FromFile& read) {
  if (m_shown != details) return;
  m_causes = read.causes;
  SpanDetails full = details;
  for (const auto& [name, value] : read.arguments)
    full.arguments.emplace_back(look::shownName(name), look::shownName(value));
  if (!full.idle && m_causes) full.idle = gapBefore(*m_causes, full.span);
  m_pane->setDetails(std::move(full));
  m_pane->setNote(read.note);
}

}  // namespace lanelab
