// SPDX-License-Identifier: GPL-3.0-only
// TIME AND MEMORY: the chart, the same points as a table, which the keyboard reaches, and what to do while there are
// none. Enter in the table or a click on a point asks for it.
//
// Thread: the window's.
#pragma once

#include <QWidget>
#include <memory>

#include "ui/curve/shown_curve.h"
#include "ui/export/exhibit.h"

namespace lanelab {

class MemoryPane : public QWidget {
  Q_OBJECT

 public:
  /// Why there is no curve.
  enum class Nothing { NoPipeline, Problems, NoTimes, Predicting, Failed };

  explicit MemoryPane(QWidget* parent = nullptr);
  ~MemoryPane() override;

  void showCurve(ShownCurve curve, const QString& metadata);
  /// `sentence` is what failed.
  void showNothing(Nothing why, const QString& sentence = {});
  /// The curve is of an experiment that was edited since; it stays in sight until there is another one.
  void setStale();
  /// During a run points are not taken, and blocks not measured.
  void setReadOnly(bool read_only);
  bool hasCurve() const;
  bool isCurrent() const;  ///< it has one, and that is of the experiment as it is
  Exhibit exhibit() const;

 Q_SIGNALS:
  void pointChosen(int point);  ///< index of ShownCurve::points: its schedule and recompute are to be used
  void measureRequested();      ///< the times of the blocks
  void curveChanged();          ///< there is another one, or none
  void shown();                 ///< it came to the front

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace lanelab
