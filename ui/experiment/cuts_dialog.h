// SPDX-License-Identifier: GPL-3.0-only
// Where to cut: each way's predicted step, by measured block times, as bars, and a button that places the best.
// Measures the blocks first where that was not done yet. Thread: the window's; workers measure and predict.
#pragma once

#include <QDialog>
#include <memory>

#include "engine/advise/cut_choices.h"
#include "engine/advise/profile_of.h"
#include "engine/lanes/executor.h"
#include "ui/experiment/experiment_document.h"
#include "ui/export/exhibit.h"
#include "ui/look/latest_work.h"
#include "ui/look/work.h"

class QLabel;
class QPushButton;

namespace lanelab {

class PictureView;

class CutsDialog : public QDialog {
  Q_OBJECT

 public:
  CutsDialog(ExperimentDocument& document, std::shared_ptr<Executor> executor, ProfileStore store,
             QWidget* parent = nullptr);

  bool measuring() const { return m_measuring.busy(); }
  Work& measurement() { return m_measuring; }

 Q_SIGNALS:
  void blocksMeasured();  ///< and their times stored

 private:
  /// Shows the document's active variant as it is now.
  void refresh();
  void compare();
  void showChoices(const CutChoices& choices, const LaneProfiles& profiles);
  void askForMeasurement(const QString& why, bool possible);
  void measure();
  void measured(const Result<LaneProfiles>& profiles);
  void growInPlace();

  ExperimentDocument& m_document;
  std::shared_ptr<Executor> m_executor;
  ProfileStore m_store;
  QLabel* m_headline;
  PictureView* m_bars;
  Exhibit m_exhibit;  ///< empty until there are bars
  QPushButton* m_measure;
  QPushButton* m_place;
  VariantConfig m_best;
  LongWork m_measuring;
  LatestWork m_comparing;
};

}  // namespace lanelab
