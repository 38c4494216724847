// SPDX-License-Identifier: GPL-3.0-only
// One metric of several stored runs in one chart: which metric, against what, how smooth, of which variants. Runs are
// read and curves computed off the window's thread. Thread: GUI.
#pragma once

#include <QDialog>
#include <memory>
#include <vector>

#include "engine/library/overlay/run_overlay.h"
#include "engine/library/run_entry.h"
#include "ui/export/exhibit.h"
#include "ui/look/latest_work.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QStackedLayout;

namespace lanelab {

class OverlayLegend;
class OverlayView;

class OverlayDialog : public QDialog {
  Q_OBJECT

 public:
  /// In the order in which curves are listed.
  OverlayDialog(std::vector<RunEntry> runs, QWidget* parent);

  OverlayChoice choice() const;
  const Overlay& overlay() const { return *m_overlay; }
  Picture picture() const;
  std::string csv() const;

 Q_SIGNALS:
  void shown();  ///< the curves of the latest choice

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QLayout* makeChoices();
  QWidget* makeChart();
  void chooseMetric();
  void chooseAxis();
  /// Of the runs, once they are read.
  void ask();
  void showOverlay(Overlay overlay);
  /// Many names scroll, so that the chart retains its room.
  void fitNotes();
  Exhibit exhibit() const;

  std::shared_ptr<const std::vector<OverlaidRun>> m_runs;  ///< null: not read yet
  std::shared_ptr<const Overlay> m_overlay = std::make_shared<Overlay>();
  QComboBox* m_metric;
  QComboBox* m_axis;
  QLabel* m_smoothing_label;
  QDoubleSpinBox* m_smoothing;
  QCheckBox* m_all_variants;
  QStackedLayout* m_pages;
  QLabel* m_empty;
  OverlayView* m_view;
  OverlayLegend* m_legend;
  QLabel* m_notes;
  QScrollArea* m_notes_area;
  QPushButton* m_export;
  LatestWork m_work;  ///< last: it ends before what it uses
};

}  // namespace lanelab
