// SPDX-License-Identifier: GPL-3.0-only
// The row above the table of runs: search, and a menu of what to show by status, strategy, tag and star.
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "engine/library/run_query.h"

class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;

namespace lanelab {

class RunsFilter : public QWidget {
  Q_OBJECT

 public:
  /// `runs` gives all runs, whose strategies and tags are offered.
  explicit RunsFilter(std::function<const std::vector<RunEntry>&()> runs, QWidget* parent = nullptr);
  /// A button that opens the menu.
  void offerGroups(QMenu* menu);
  /// Whether the table has groups, which the button says.
  void showGrouped(bool grouped);
  const RunFilter& filter() const { return m_filter; }
  void clear();
  /// "3 of 120".
  void showCount(int shown, int all);
  void focusSearch();

 Q_SIGNALS:
  void changed();

 private:
  void fillMenu();
  void addChoice(const QString& text, bool checked, const std::function<void(bool)>& choose);
  void addWords(const QString& title, const std::vector<std::string>& words, std::vector<std::string>& chosen);
  void update();

  std::function<const std::vector<RunEntry>&()> m_runs;
  RunFilter m_filter;
  QLineEdit* m_search;
  QPushButton* m_button;
  QPushButton* m_groups;
  QMenu* m_menu;
  QLabel* m_count;
};

}  // namespace lanelab
