// SPDX-License-Identifier: GPL-3.0-only
// TIME AND MEMORY: the chart, the same points as a table, which the keyboard reaches, and what to do while there are
// none. Enter in the table or a click on a point asks for it.
//
// Thread: the window's.
#pragma once

#include <QWidget>
#include <optional>

#include "ui/curve/shown_curve.h"
#include "ui/export/exhibit.h"

class QLabel;
class QPushButton;
class QTableWidget;

namespace lanelab {

class ChartCanvas;

class MemoryPane : public QWidget {
  Q_OBJECT

 public:
  /// Why there is no curve.
  enum class Nothing { NoPipeline, Problems, NoTimes, Predicting, Failed };

  explicit MemoryPane(QWidget* parent = nullptr);

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
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QLayout* makeWords();
  void makeTable();
  void fillTable();
  void fillRow(std::size_t index);
  std::optional<std::size_t> chosen() const;
  void take(int row);
  std::optional<std::size_t> pointUnder(QPoint at) const;
  void pointAt(QPoint at);
  void clickAt(const QMouseEvent& event);
  void arrange();
  void draw();

  ShownCurve m_curve;
  QString m_metadata;
  bool m_stale = false, m_read_only = false, m_can_measure = false;
  ChartCanvas* m_canvas;
  QTableWidget* m_table;
  QLabel *m_headline, *m_caption;
  QPushButton* m_measure;
  QWidget* m_stretch;
};

}  // namespace lanelab
