// SPDX-License-Identifier: GPL-3.0-only
// SWEEP: step time by micro-batch size. The line is predicted, the points are measured, with error bars; above them the
// recommendation.
#pragma once

#include <QWidget>
#include <memory>
#include <string>

#include "engine/advise/sweep.h"
#include "engine/record/run_record.h"
#include "ui/export/exhibit.h"

class QLabel;
class QPushButton;

namespace lanelab {

class ChartCanvas;

class SweepView : public QWidget {
  Q_OBJECT

 public:
  explicit SweepView(QWidget* parent = nullptr);

  /// The curve of a run; null, or a run that says nothing of split sizes: a sentence on what will be here.
  void setRun(const std::shared_ptr<const RunRecord>& record);
  /// Whether a sweep can be asked for now.
  void setCanAsk(bool can);
  bool hasCurve() const { return !m_points.empty(); }
  Picture picture() const;
  std::string csv() const;
  Exhibit exhibit() const;

 Q_SIGNALS:
  void adviceRequested();                         ///< predict the usual split sizes, measure the best three
  void sweepRequested();                          ///< predict and measure them all
  void splitSizeChosen(int split_size);           ///< the advised one is to be used
  void variantActivated(const QString& variant);  ///< a measured point was clicked: its trace is to be shown

 private:
  QLayout* makeWords();
  QLayout* makeButtons();
  void showCurve();

  std::vector<SweepPoint> m_points;
  QString m_metadata;
  QLabel *m_advice, *m_caption;
  QPushButton *m_use, *m_advise, *m_measure;
  ChartCanvas* m_canvas;
};

/// Whether a run has anything to draw here: two split sizes or more.
bool hasSweep(const RunRecord& record);
Picture sweepPicture(const RunRecord& record);

}  // namespace lanelab
