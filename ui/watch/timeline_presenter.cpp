// SPDX-License-Identifier: GPL-3.0-only
#include "ui/watch/timeline_presenter.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>
#include <vector>

#include "engine/advise/sweep.h"
#include "ui/bookmarks/run_bookmarks.h"
#include "ui/experiment/experiment_document.h"
#include "ui/look/elided_label.h"
#include "ui/look/plain_text.h"
#include "ui/run/run_controller.h"
#include "ui/run/shown_run.h"
#include "ui/timeline/idle/idle_table.h"
#include "ui/timeline/idle/suggestion_strip.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/watch/suggestion_presenter.h"

namespace lanelab {

namespace {

/// Whether the same repeat continues, as it does thirty times a second: then nothing else has to follow.
bool onlyGrew(const ShownTrace& before, const ShownTrace& now) {
  const auto* const was = std::get_if<LiveRun>(&before);
  const auto* const is = std::get_if<LiveRun>(&now);
  return was && is && was->trace && is->trace && was->trace->title == is->trace->title && was->unit == is->unit;
}

/// What a sweep of the open experiment runs, if it measures these split sizes.
bool isSweepOf(const Experiment& sweep, const Resolution& open) {
  std::vector<int> split_sizes;
  for (const VariantConfig& variant : sweep.variants) split_sizes.push_back(variant.split_size.value_or(0));
  const Result<Experiment> again = sweepOf(open, split_sizes);
  return again.ok() && *again == sweep;
}

/// A sweep has variants of its own, which nobody edited.
bool isEditedSince(const Experiment& run, const ExperimentDocument& document) {
  return run != document.experiment() && !isSweepOf(run, *document.resolution());
}

}  // namespace

TimelinePresenter::TimelinePresenter(const Views& views, ExperimentDocument* document, const ShownRun* run,
                                     RunBookmarks* bookmarks, std::shared_ptr<Executor> executor, PredictStep predict,
                                     QObject* parent)
    : QObject(parent),
      m_views(views),
      m_document(document),
      m_run(run),
      m_bookmarks(bookmarks),
      m_suggestions(new SuggestionPresenter(&views.idle->strip(), document, std::move(executor), this)),
      m_predict(std::move(predict)) {
  connect(m_run, &ShownRun::recordChanged, this, &TimelinePresenter::runChanged);
  connect(m_run, &ShownRun::traceLoaded, this, &TimelinePresenter::refresh);
  connect(m_run, &ShownRun::traceMissing, this, &TimelinePresenter::refresh);
  connect(m_document, &ExperimentDocument::changed, this, &TimelinePresenter::showHeadline);
  connect(m_document, &ExperimentDocument::activeVariantChanged, this, [this] {
    m_chosen.clear();
    refresh();
  });
  connect(m_bookmarks, &RunBookmarks::changed, this, &TimelinePresenter::showBookmarks);
  connect(m_suggestions, &SuggestionPresenter::found, this, &TimelinePresenter::changed);
  connect(m_views.idle, &IdleTable::jumpRequested, this, [this](int lane, TimeRange range) {
    m_jumping = true;  // a gap that is looked at leaves the table as it is: it would shrink to that gap
    const bool compared = std::holds_alternative<ComparedTraces>(m_shown);
    if (compared || !m_views.timeline->goToGap(lane, range)) goTo(range);
    m_jumping = false;
  });
  connect(m_views.idle, &IdleTable::rangeClearRequested, this, [this] { m_views.timeline->setSelection({}); });
  connect(m_views.timeline, &TimelineView::selectionChanged, this, &TimelinePresenter::followSelection);
}

KnownModel TimelinePresenter::knownModel() const { return m_document->resolution()->known(); }

const Suggestion* TimelinePresenter::suggestion() const { return m_suggestions->best(); }

std::shared_ptr<const Trace> TimelinePresenter::traceOfBookmarks(const QString& variant) const {
  const ImportedFile* const file = importedFile(m_shown);
  return variant.isEmpty() && file ? file->imported->trace : m_run->trace(variant);
}

void TimelinePresenter::show(ShownTrace shown) {
  const ShownTrace before = std::exchange(m_shown, std::move(shown));
  if (onlyGrew(before, m_shown)) return draw(std::get<LiveRun>(m_shown));
  if (m_shown != before) {
    const bool was_live = std::holds_alternative<LiveRun>(before);
    if (was_live && !isLive()) setLive(false);
    const FinishedVariant* const finished = finishedVariant(m_shown);
    m_views.timeline->setFailure(finished && finished->record ? look::shownText(finished->record->error) : QString());
    m_prediction.cancel();
    m_predicting.clear();
    std::visit([this](const auto& now) { draw(now); }, m_shown);
    if (analysedTrace(m_shown) != analysedTrace(before)) showIdle();
    if (!was_live && isLive()) setLive(true);
    showBookmarks();
  }
  showHeadline();
  Q_EMIT changed();
}

void TimelinePresenter::showLive(const std::shared_ptr<const Trace>& trace, const QString& unit) {
  for (const Track& track : trace->tracks)  // of the newest step that has ended: tracks of steps have one span a step
    if (track.kind == Track::Kind::Step && !track.spans.empty())
      m_step_lengths[QString::fromStdString(trace->title)] = track.spans.back().range().length();
  if (m_follows_run || QString::fromStdString(trace->title) == m_document->activeVariantName())
    show(LiveRun{trace, unit});
  else
    showHeadline();
}

void TimelinePresenter::showActivity(const RunProgress& progress) {
  m_activity = {look::capitalised(look::shownText(progress.phase)), progress.preparing ? QString() : progress.variant,
                progress.measuring.total > 0};
  if (isLive()) showHeadline();
}

void TimelinePresenter::setFollowsRun(bool follows) {
  m_follows_run = follows;
  if (isLive()) showWaiting();
}

/// A variant that is not followed: its last repeat, until its next one begins.
void TimelinePresenter::showWaiting() {
  const QString variant = m_document->activeVariantName();
  const auto& now = std::get<LiveRun>(m_shown).trace;
  if (m_follows_run || (now && QString::fromStdString(now->title) == variant)) return;
  show(LiveRun{m_run->trace(variant), {}});
}

/// Before the variant's first step has ended, as predicted from stored block times, or as long as those of the other
/// variants; 0 where nothing is known.
Nanoseconds TimelinePresenter::expectedStep(const QString& variant) {
  if (const auto known = m_step_lengths.find(variant); known != m_step_lengths.end()) return known->second;
  const auto predicted = m_predicted_lengths.find(variant);
  if (predicted == m_predicted_lengths.end()) predictStep(variant);
  if (predicted != m_predicted_lengths.end() && predicted->second > 0) return predicted->second;
  Nanoseconds longest = 0;
  for (const auto& [other, length] : m_step_lengths) longest = std::max(longest, length);
  return longest;
}

void TimelinePresenter::predictStep(const QString& variant) {
  if (variant == m_predicting) return;
  m_predicting = variant;
  predict({nullptr, m_document->resolution(), variant.toStdString()},
          [this, variant](const std::shared_ptr<const Trace>& predicted) {
            m_predicting.clear();
            m_predicted_lengths[variant] = predicted ? stepWindows(*predicted).front().range.length() : 0;
            const auto* const live = std::get_if<LiveRun>(&m_shown);
            if (live && live->trace && QString::fromStdString(live->trace->title) == variant)
              m_views.timeline->setExpectedStep(expectedStep(variant));
          });
}

void TimelinePresenter::predict(StepQuestion question, std::function<void(const std::shared_ptr<const Trace>&)> then) {
  m_prediction.ask([predict = m_predict, question = std::move(question),
                    then = std::move(then)](const std::stop_token& stop) -> Background::Then {
    return [then, predicted = predict(question, stop)] { then(predicted); };
  });
}

void TimelinePresenter::refresh() {
  if (isLive()) return showWaiting();
  show(nextShownTrace(m_shown, *m_run, wantedVariant()));
}

QString TimelinePresenter::wantedVariant() const {
  if (!m_chosen.isEmpty()) return m_chosen;
  const RunRecord* const record = m_run->record().get();
  const QString variant = variantToShow(record, m_document->activeVariantName());
  const bool lacks_it = m_run->isViewed() && !record->variants.empty() && !record->find(variant.toStdString());
  return lacks_it ? QString::fromStdString(record->variants.back().name) : variant;
}

void TimelinePresenter::showMeasured() {
  if (const auto* compared = std::get_if<ComparedTraces>(&m_shown)) return show(FinishedVariant(compared->measured));
  if (const auto* replayed = std::get_if<ReplayedSteps>(&m_shown))
    std::visit([this](auto measured) { show(std::move(measured)); }, MeasuredTrace(replayed->measured));
}

void TimelinePresenter::showVariant(const QString& variant) {
  m_chosen = variant;
  refresh();
}

void TimelinePresenter::showBookmarked(const QString& variant) {
  const auto is_shown = [&] { return analysedTrace(m_shown) == traceOfBookmarks(variant); };
  if (!is_shown()) showMeasured();
  if (!is_shown() && !m_run->isViewed()) m_document->activateVariant(variant);
  if (!is_shown()) showVariant(variant);
}

/// A run that ended early may have measured nothing of the variant on the board. After a whole run every variant has
/// its trace, if only in its file; what was drawn last stays until that is read.
void TimelinePresenter::endRun(bool follow) {
  if (!isLive()) return;
  const auto last = std::get<LiveRun>(m_shown).trace;
  const QString last_variant = last ? QString::fromStdString(last->title) : QString();
  if (follow && last && !m_run->trace(m_document->activeVariantName())) m_document->activateVariant(last_variant);
  const ShownTrace ended = last ? ShownTrace(FinishedVariant{m_run->record(), last_variant, last}) : NoTrace{};
  show(nextShownTrace(ended, *m_run, wantedVariant()));
}

void TimelinePresenter::goTo(TimeRange range) {
  const auto* const compared = std::get_if<ComparedTraces>(&m_shown);
  m_views.timeline->setSelection(compared ? compared->aligned->placed(RunSide::A, range) : range);
  m_views.timeline->moves().zoomToFocus();
}

void TimelinePresenter::followSelection() {
  if (m_jumping) return;
  m_range = m_views.timeline->selection();
  const bool compared = std::holds_alternative<ComparedTraces>(m_shown);
  m_views.idle->setRange(compared ? std::nullopt : m_range);
  if (compared) showHeadline();
}

/// Another run's record is there, or none.
void TimelinePresenter::runChanged() {
  m_bookmarks->showRun(m_run->folder());
  m_chosen.clear();
  if (m_run->record()) return refresh();
  show(NoTrace{});
}

void TimelinePresenter::draw(const NoTrace&) {
  m_suggestions->clear();
  drawTrace(nullptr);
}

void TimelinePresenter::draw(const LiveRun& live) {
  m_suggestions->clear();
  if (live.trace) m_views.timeline->setExpectedStep(expectedStep(QString::fromStdString(live.trace->title)));
  drawTrace(live.trace);
}

void TimelinePresenter::draw(const FinishedVariant& finished) {
  drawTrace(finished.trace);
  if (finished.trace && finished.record)
    predict({finished.record, m_document->resolution(), finished.variant.toStdString()},
            [this](const std::shared_ptr<const Trace>& predicted) { m_views.timeline->setPrediction(predicted); });
  m_suggestions->show(finished);
}

void TimelinePresenter::draw(const ImportedFile& file) {
  m_bookmarks->showFile(QFileInfo(file.path).absoluteFilePath());
  drawTrace(file.imported->trace);
  m_views.timeline->setImported(file.imported);
  m_suggestions->clear();
}

/// Idle times and suggestions stay those of the first.
void TimelinePresenter::draw(const ComparedTraces& compared) { m_views.timeline->setAligned(compared.aligned); }

void TimelinePresenter::draw(const ReplayedSteps& replayed) {
  drawTrace(replayed.trace);
  m_views.timeline->setPrediction(nullptr);
  m_views.timeline->fit();
  m_suggestions->withdraw();
}

void TimelinePresenter::drawTrace(const std::shared_ptr<const Trace>& trace) {
  if (trace != m_views.timeline->trace()) m_views.timeline->setTrace(trace);
}

void TimelinePresenter::setLive(bool live) {
  m_step_lengths.clear();
  m_predicted_lengths.clear();
  m_activity = {};
  m_views.timeline->setFollow(live);
  m_views.idle->strip().setReadOnly(live);
}

void TimelinePresenter::showIdle() {
  if (const auto* file = std::get_if<ImportedFile>(&m_shown)) return m_views.idle->setImported(file->imported);
  m_views.idle->setTrace(analysedTrace(m_shown));
}

/// Those of the analysed trace, on the drawn axis.
void TimelinePresenter::showBookmarks() {
  const auto trace = analysedTrace(m_shown);
  const auto* const compared = std::get_if<ComparedTraces>(&m_shown);
  std::vector<TimelineBookmark> shown;
  for (const Bookmark& bookmark : m_bookmarks->all()) {
    if (!trace || traceOfBookmarks(QString::fromStdString(bookmark.variant)) != trace) continue;
    shown.push_back({look::shownName(bookmark.name),
                     compared ? compared->aligned->placed(RunSide::A, bookmark.range) : bookmark.range});
  }
  m_views.timeline->setBookmarks(std::move(shown));
}

void TimelinePresenter::showHeadline() {
  m_views.headline->setText(headline());
  m_views.timeline->setEmptyText(emptyText());
}

/// Why no lane is drawn; empty where nothing was run, which the timeline says by itself.
QString TimelinePresenter::emptyText() const {
  if (isLive()) {
    if (m_activity.measures)
      return tr("%1. Predictions use these times; the variants train next, and lanes appear with the first action.")
          .arg(m_activity.phase);
    if (!m_follows_run && !m_run->all().empty())
      return tr("%1 has not run yet. Its lanes appear with its first action.").arg(m_document->activeVariantName());
    return m_activity.phase.isEmpty() ? tr("The run is being prepared. Lanes appear with the first action.")
                                      : tr("%1. Lanes appear with the first action.").arg(m_activity.phase);
  }
  if (const auto* const finished = std::get_if<FinishedVariant>(&m_shown); finished && !finished->trace)
    return tr("This run has no timeline of %1: it stored none before it ended.").arg(finished->variant);
  return m_run->record() ? tr("Reading the timeline of the run.") : QString();
}

QString TimelinePresenter::headline() {
  if (const auto* live = std::get_if<LiveRun>(&m_shown)) return headlineOf(*live);
  if (const auto* file = std::get_if<ImportedFile>(&m_shown)) {
    const ImportCounts& counts = file->imported->counts;
    return tr("%1, imported: %2, %3 (%4)")
        .arg(look::shownName(QFileInfo(file->path).fileName()),
             tr("%n span(s)", nullptr, static_cast<int>(counts.spans)),
             tr("%n flow(s)", nullptr, static_cast<int>(counts.flows)), look::shownName(file->imported->format));
  }
  if (const auto* compared = std::get_if<ComparedTraces>(&m_shown)) return comparedHeadline(*compared, m_range);
  if (const auto* replayed = std::get_if<ReplayedSteps>(&m_shown))
    return tr("What if %1: %2").arg(replayed->words, headlineOf(replayed->trace));
  const auto* const finished = std::get_if<FinishedVariant>(&m_shown);
  if (!finished || !finished->trace) return {};
  const bool edited =
      finished->record && !m_run->isViewed() && isEditedSince(finished->record->experiment, *m_document);
  return headlineOf(finished->trace) + (edited ? tr(" \u2013 before your last edits") : QString());
}

/// What the timeline draws is named second where another variant runs already, as it does until its first action.
QString TimelinePresenter::headlineOf(const LiveRun& live) const {
  const QString& now = m_activity.phase;
  const QString drawn = live.trace ? look::shownName(live.trace->title) : QString();
  if (m_activity.measures && !live.trace) return now;
  if (m_follows_run && !now.isEmpty() && !live.trace) return now;
  if (m_follows_run && !now.isEmpty() && m_activity.variant.toStdString() != live.trace->title)
    return tr("%1 (shown: last repeat of %2)").arg(now, drawn);
  if (live.trace && !live.unit.isEmpty()) return tr("%1, live: %2").arg(look::shownName(live.trace->title), live.unit);
  if (live.trace) return tr("%1: last repeat; another variant is running").arg(look::shownName(live.trace->title));
  return m_follows_run || m_run->all().empty() ? tr("Preparing the run")
                                               : tr("%1 has not run yet").arg(m_document->activeVariantName());
}

QString TimelinePresenter::headlineOf(const std::shared_ptr<const Trace>& trace) {
  if (std::exchange(m_reported, trace) != trace) m_report = watchHeadline(*trace);
  return m_report;
}

}  // namespace lanelab
