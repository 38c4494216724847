// SPDX-License-Identifier: GPL-3.0-only
// The schedule of the active variant with all that is done to it: move and split actions, go back to the schedule's own
// order, read and write CSV.
#pragma once

#include <QWidget>
#include <functional>
#include <optional>

#include "ui/experiment/experiment_document.h"
#include "ui/export/exhibit.h"

class QLabel;
class QPushButton;

namespace lanelab {

class ScheduleView;
class SentenceLabel;

class SchedulePane : public QWidget {
  Q_OBJECT

 public:
  explicit SchedulePane(ExperimentDocument* document, QWidget* parent = nullptr);
  void setReadOnly(bool read_only);  ///< during a run
  /// Reads a CSV file into the active variant. What is wrong with it is shown below the grid.
  void readCsv(const QString& path);
  void writeCsv(const QString& path);
  /// Behind the others.
  QPushButton* addButton(const QString& text, const QString& tip, const char* name, const std::function<void()>& work);

 private:
  void refresh();
  void refreshButtons();
  QString headline() const;
  Exhibit exhibit() const;
  /// None: the schedule's own order.
  void take(const std::optional<Schedule>& schedule, const QString& what);

  ExperimentDocument* m_document;
  QLabel* m_headline;
  QWidget* m_buttons;
  QPushButton* m_split;
  QPushButton* m_reset;
  QPushButton* m_read;
  QPushButton* m_write;
  ScheduleView* m_view;
  SentenceLabel* m_sentence;
  bool m_read_only = false;
};

}  // namespace lanelab
