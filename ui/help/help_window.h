// SPDX-License-Identifier: GPL-3.0-only
// The pages of the program beside the work: contents at the left, or what a search found, and the page. Not modal, a
// window of its own that remembers its size; Esc closes it, Ctrl+F searches, Alt+Left goes back. Thread: GUI.
#pragma once

#include <QList>
#include <QWidget>

#include "ui/help/help_search.h"

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QListView;
class QSplitter;
class QStackedWidget;
class QStandardItemModel;
class QToolButton;
class QTreeWidget;

namespace lanelab {

class PageView;

class HelpWindow : public QWidget {
  Q_OBJECT

 public:
  HelpWindow();

  /// Brings the window to the front with this place, or with the first page if there is no such place.
  void open(const HelpPlace& place);

  /// What is shown.
  const HelpPlace& place() const;

 protected:
  void closeEvent(QCloseEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;  ///< Down in the search field walks through what it found

 private:
  QHBoxLayout* makeBar();
  void makeContents();
  void makeFound();
  void makeKeys();
  void restore();
  void goTo(const HelpPlace& place, const QString& words = {});
  void walk(int steps);
  void showPlace(const HelpPlace& place, const QString& words);
  void search();
  void openHit(int row);
  void selectInContents(const HelpPlace& place);

  QToolButton* m_back;
  QToolButton* m_forward;
  QLineEdit* m_words;
  QTreeWidget* m_contents;
  QListView* m_found;
  QStandardItemModel* m_rows;  ///< of m_found, one a hit
  QLabel* m_none;
  QStackedWidget* m_left;
  PageView* m_page;
  QSplitter* m_split;
  QList<HelpHit> m_hits;
  QList<HelpPlace> m_seen;  ///< in the order in which they were shown
  qsizetype m_now = -1;     ///< in m_seen
};

}  // namespace lanelab
