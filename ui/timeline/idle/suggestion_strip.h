// SPDX-License-Identifier: GPL-3.0-only
// Over the tables of idle time: what would reduce it, with the button that tries it, and the figures by which pipelines
// are compared.
#pragma once

#include <QFrame>
#include <QString>
#include <optional>

#include "profiler/analysis/idle_causes.h"

class QLabel;
class QPushButton;

namespace lanelab::look {
class BriefLabel;
}

namespace lanelab {

class SuggestionStrip : public QFrame {
  Q_OBJECT

 public:
  explicit SuggestionStrip(QWidget* parent = nullptr);

  /// Bubble, utilisation and critical path of the trace that these causes are of.
  /// `range`: what part of the trace these are of; nothing: all of it.
  void setFigures(const Trace& trace, const IdleCauses& causes, std::optional<TimeRange> range = {});
  /// What makes the times of this trace doubtful: cores that others had, a repeat that does not count; empty: nothing.
  void setDoubt(const QString& sentence, const QString& tip);
  /// Why lanes idle more than the schedule promises, from its own share to the measured one; empty: not known.
  void setWaterfall(const QString& text, const QString& tip);
  /// What recording cost, as the run measured it; an empty text where it did not.
  void setRecordingCost(const QString& text, const QString& tip);
  /// What came of an earlier suggestion: "predicted 11 % faster, measured ..."; empty: nothing.
  void setOutcome(const QString& sentence);
  /// The sentence of the best suggestion, or why there is none; `more` (the others, and notes) is its tip. `runnable`:
  /// a click may try it.
  void setSuggestion(const QString& sentence, const QString& more, bool runnable);
  /// Whether the button is offered that predicts and measures other micro-batch sizes, which the suggestions lack.
  void offerSizes(bool offered);
  /// Whether the open experiment, which that button sweeps, is that of the suggestions; else it is hidden.
  void setSweepsShownRun(bool sweeps);
  /// While a run goes nothing can be tried.
  void setReadOnly(bool read_only);

  /// Changes were tried and none helps, so what usually helps is no advice here.
  bool rulesOutFixes() const;

 Q_SIGNALS:
  void suggestionChanged();
  void runRequested();     ///< the suggestion as a further variant
  void sizesRequested();   ///< other micro-batch sizes, predicted and measured
  void whatIfRequested();  ///< the dialog that plays the step again

 private:
  void updateButtons();

  look::BriefLabel* m_doubt;
  look::BriefLabel* m_outcome;
  look::BriefLabel* m_suggestion;
  QPushButton* m_run;
  QPushButton* m_sizes;
  QPushButton* m_what_if;
  QLabel* m_bubble;
  QLabel* m_utilisation;
  QLabel* m_path;
  QLabel* m_recording;
  QLabel* m_waterfall;
  bool m_runnable = false;
  bool m_offers_sizes = false;
  bool m_sweeps_shown = true;
  bool m_read_only = false;
  bool m_explained = false;  ///< there are actions, so the step can be played again
};

}  // namespace lanelab
