// SPDX-License-Identifier: GPL-3.0-only
// What if a stage, a block or a link were faster or slower, or the micro-batch size another: the step before and after,
// with its critical path. Replays and simulations run on a worker; the latest change is answered.
#pragma once

#include <QDialog>
#include <QTimer>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/advise/what_if_answer.h"
#include "ui/export/exhibit.h"
#include "ui/look/latest_work.h"
#include "ui/timeline/paint/path_picture.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSlider;

namespace lanelab {

class PictureView;

class WhatIfDialog : public QDialog {
  Q_OBJECT

 public:
  explicit WhatIfDialog(QWidget* parent = nullptr);

  /// `known` says what micro-batches of other sizes take; without it their number stays, and `why_not` says why. The
  /// trace is not null.
  void setTrace(std::shared_ptr<const Trace> trace, std::optional<MeasuredVariant> known, const QString& why_not);
  /// Sets the factor of the chosen stage, block or link.
  void setFactor(double factor);

 Q_SIGNALS:
  /// The replayed or simulated trace, for the timeline; `words` say what was changed.
  void showRequested(std::shared_ptr<const lanelab::Trace> trace, const QString& words);
  /// The timeline may show what was measured again.
  void restoreRequested();

 private:
  void fillTargets();
  void fillSplitSizes(const QString& why_not);
  void chooseTarget();
  void reset();
  void askSoon();
  void ask();
  void showAnswer(const std::optional<WhatIfAnswer>& answer);
  void showSteps(std::vector<PathStep> steps);
  double& factorOfTarget();
  QString words() const;
  Exhibit exhibit() const;

  std::shared_ptr<const Trace> m_trace;
  std::shared_ptr<const MeasuredVariant> m_known;  ///< null: nothing but the trace
  WhatIfQuestion m_question;
  std::shared_ptr<const Trace> m_after;
  struct Row {
    std::string step;  ///< "before", "after"
    std::shared_ptr<const Trace> trace;
    Nanoseconds length = 0;
  };
  std::vector<Row> m_rows;
  std::vector<PathStep> m_paths;  ///< of m_rows
  QComboBox* m_target;
  QSlider* m_slider;
  QDoubleSpinBox* m_factor;
  QComboBox* m_micro_batches;
  QLabel* m_changes;
  QLabel* m_result;
  PictureView* m_steps;
  QPushButton* m_show;
  QPushButton* m_reset;
  QTimer m_soon;  ///< a drag of the slider asks once it rests for a moment
  LatestWork m_answering;
};

}  // namespace lanelab
