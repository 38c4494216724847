// SPDX-License-Identifier: GPL-3.0-only
#include "ui/first_steps/lesson_guide.h"

#include "ui/first_steps/lesson_pane.h"
#include "ui/look/message_strip.h"
#include "ui/look/plain_text.h"
#include "ui/run/run_controller.h"
#include "ui/run/shown_run.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/watch/timeline_presenter.h"

namespace lanelab {

LessonGuide::LessonGuide(const WindowParts& parts, LessonPane* pane, TimelineView* timeline,
                         TimelinePresenter* presenter, std::shared_ptr<RecordedRuns> recorded)
    : QObject(parts.window),
      m_parts(parts),
      m_pane(pane),
      m_timeline(timeline),
      m_presenter(presenter),
      m_recorded(std::move(recorded)) {
  connect(m_pane, &LessonPane::runRequested, this, &LessonGuide::open);
  connect(m_parts.run, &ShownRun::recordChanged, this, &LessonGuide::showWorld);
  connect(m_parts.run, &ShownRun::traceLoaded, this, &LessonGuide::showWorld);
  connect(m_timeline, &TimelineView::currentChanged, this, &LessonGuide::showSelected);
}

void LessonGuide::open(const QString& run, const QString& variant) {
  if (refusedWhileRunning(*m_parts.controller, *m_parts.messages)) return;
  m_reading.ask([this, recorded = m_recorded, run, variant](const std::stop_token&) -> Background::Then {
    return [this, variant, read = recorded->read(run)] {
      if (!read.ok()) return m_parts.messages->reportError(look::shownText(read.error()));
      if (m_parts.controller->running()) return;
      m_folder = read->folder;
      Q_EMIT runOpened(read->record, m_folder, tr("of the lesson %1").arg(m_pane->lesson().title));
      m_presenter->showVariant(variant);
    };
  });
}

void LessonGuide::showWorld() {
  const ShownRun& run = *m_parts.run;
  const bool shown = run.record() && run.folder() == m_folder;
  m_pane->setWorld(shown ? LessonWorld{run.record(), run.all()} : LessonWorld{});
}

void LessonGuide::showSelected() {
  if (const std::optional<GapDetails> gap = m_timeline->gapDetails())
    return m_pane->setSelected(gap->causes, gap->title);
  const std::optional<SpanDetails> span = m_timeline->spanDetails();
  m_pane->setSelected(span ? std::optional(span->span) : std::nullopt, span ? span->title : QString());
}

}  // namespace lanelab
