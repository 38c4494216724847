// SPDX-License-Identifier: GPL-3.0-only
// Of which time the statistics are, and what the lanes' time in it was spent on: a bar of parts with their shares. The
// tip has each lane. Thread: GUI.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "profiler/analysis/statistics/time_overview.h"

class QLabel;
class QPushButton;

namespace lanelab {

class PartsBar;

class OverviewCard : public QWidget {
  Q_OBJECT

 public:
  explicit OverviewCard(QWidget* parent = nullptr);
  /// `sentence`: the time that it is of. `selected`: it is a part that was selected, which a button clears.
  void setOverview(const TimeOverview& overview, const QString& sentence, bool selected);

 Q_SIGNALS:
  void clearRequested();

 private:
  QLabel* m_sentence;
  QPushButton* m_clear;
  PartsBar* m_bar;
  QWidget* m_legend;
  std::vector<QWidget*> m_entries;  ///< by TimePart
};

}  // namespace lanelab
