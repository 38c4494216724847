// SPDX-License-Identifier: GPL-3.0-only
// Puts one ShownTrace on the screen: timeline, sentence over it, idle times, suggestions and bookmarks follow from the
// value alone. Listens to the run and the document, and is notified of the rest.
//
// Thread: the window's. Views, document, run and bookmarks must outlive it.
#pragma once

#include <QObject>
#include <map>
#include <memory>
#include <optional>

#include "ui/look/latest_work.h"
#include "ui/watch/shown_trace.h"
#include "ui/watch/stored_prediction.h"

namespace lanelab {

class ElidedLabel;
class Executor;
class ExperimentDocument;
class IdleTable;
class RunBookmarks;
class SuggestionPresenter;
class TimelineView;
struct KnownModel;
struct RunProgress;
struct Suggestion;

/// The sentence over the timeline, whose trace it is and what cost most in it: "Pipeline, measured, 3 steps: idle 18 %
/// of the step time (cpu:0 12 %, cpu:1 24 %); longest gap 45 ms on cpu:1 before F0 (stage 1)". Walks all spans once.
QString watchHeadline(const Trace& trace);

class TimelinePresenter : public QObject {
  Q_OBJECT

 public:
  struct Views {
    TimelineView* timeline;
    IdleTable* idle;
    ElidedLabel* headline;
  };
  TimelinePresenter(const Views& views, ExperimentDocument* document, const ShownRun* run, RunBookmarks* bookmarks,
                    std::shared_ptr<Executor> executor, PredictStep predict, QObject* parent);

  const ShownTrace& shown() const { return m_shown; }
  bool isLive() const { return std::holds_alternative<LiveRun>(m_shown); }
  /// Of the open experiment, which mostly has the network of what is shown.
  KnownModel knownModel() const;
  /// Null while none is found for the shown variant.
  const Suggestion* suggestion() const;
  /// The trace that bookmarks of a variant are of, empty for those of an imported file; null if it is not there.
  std::shared_ptr<const Trace> traceOfBookmarks(const QString& variant) const;

  void show(ShownTrace shown);
  /// What the run in progress records now; `unit` as RunController::traceGrew() has it.
  void showLive(const std::shared_ptr<const Trace>& trace, const QString& unit);
  /// What the run in progress does now, which headline and empty timeline say between two traces.
  void showActivity(const RunProgress& progress);
  /// Whether a run in progress shows the variant that runs (as at first), or only the one that the board shows.
  void setFollowsRun(bool follows);
  /// Shows the board's variant again, or the chosen one of a sweep; a run in progress stays in sight.
  void refresh();
  /// What was measured, in place of a comparison or a replay.
  void showMeasured();
  /// A variant that the board need not have, until the board's changes.
  void showVariant(const QString& variant);
  /// As showVariant(), by the board where it has the variant. Also an imported file: `variant` is empty then.
  void showBookmarked(const QString& variant);
  /// The run is over. `follow`: if it measured nothing of the board's variant, the board goes to the one drawn last.
  void endRun(bool follow);
  /// The part of the shown axis that the user selected, nothing: all of it. Exports are of it, and idle times, or the
  /// comparison of two runs.
  std::optional<TimeRange> selectedRange() const { return m_range; }
  /// Selects a range of the analysed trace's own axis and zooms to it.
  void goTo(TimeRange range);

 Q_SIGNALS:
  void changed();  ///< shown() or suggestion()

 private:
  QString wantedVariant() const;
  void runChanged();
  void draw(const NoTrace&);
  void draw(const LiveRun& live);
  void draw(const FinishedVariant& finished);
  void draw(const ImportedFile& file);
  void draw(const ComparedTraces& compared);
  void draw(const ReplayedSteps& replayed);
  void drawTrace(const std::shared_ptr<const Trace>& trace);
  void setLive(bool live);
  void showWaiting();
  Nanoseconds expectedStep(const QString& variant);
  void predictStep(const QString& variant);
  void predict(StepQuestion question, std::function<void(const std::shared_ptr<const Trace>&)> then);
  void showIdle();
  void followSelection();
  void showBookmarks();
  void showHeadline();
  QString emptyText() const;
  QString headline();
  QString headlineOf(const LiveRun& live) const;
  QString headlineOf(const std::shared_ptr<const Trace>& trace);

  Views m_views;
  ExperimentDocument* m_document;
  const ShownRun* m_run;
  RunBookmarks* m_bookmarks;
  SuggestionPresenter* m_suggestions;
  const PredictStep m_predict;
  ShownTrace m_shown;
  std::optional<TimeRange> m_range;
  bool m_jumping = false;  ///< the selection shows a gap of the table, and is not the user's
  bool m_follows_run = true;
  struct Activity {
    QString phase;          ///< "Warm-up of Pipeline"; empty before the first progress
    QString variant;        ///< that runs; empty while the run prepares or measures
    bool measures = false;  ///< blocks, for predictions
  };
  Activity m_activity;                                 ///< of the run in progress
  std::map<QString, Nanoseconds> m_step_lengths;       ///< by variant, of the run in progress
  std::map<QString, Nanoseconds> m_predicted_lengths;  ///< likewise, as predicted; 0 where nothing can be said
  QString m_predicting;                                ///< the variant whose step is asked for; empty: none
  QString m_chosen;                         ///< the variant to show in place of the board's; empty: the board's
  std::shared_ptr<const Trace> m_reported;  ///< whose sentence m_report is: it walks all spans, so once per trace
  QString m_report;
  LatestWork m_prediction;
};

}  // namespace lanelab
