// SPDX-License-Identifier: GPL-3.0-only
// The window's panes: where each docks at first, what was stored of the last session, and the keyboard's way through
// them.
#pragma once

#include <QByteArray>
#include <QKeySequence>
#include <QLatin1String>
#include <QPointer>
#include <QSize>
#include <QString>
#include <vector>

#include "ui/window/pane_tabs.h"
#include "ui/window/side_widths.h"

class QDockWidget;
class QMainWindow;
class QMenu;
class QSplitter;
class QWidget;

namespace lanelab {

class PaneLayout {
 public:
  /// `centre` holds the two halves between the panes, upper and lower. Both outlive this.
  PaneLayout(QMainWindow* window, QSplitter* centre);

  /// Panes of one area are tabs, one in front of the others; the first is in front. `key` in place of the next digit.
  void add(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area,
           const QKeySequence& key = {});
  /// In the order in which they were added.
  const std::vector<QDockWidget*>& panes() const { return m_docks; }
  /// Of its entry in addToggles(); empty if it has none.
  QKeySequence keyOf(const QDockWidget& pane) const;
  /// Brings the pane to the front and the keyboard into it.
  static void goTo(QDockWidget& pane);
  /// Object name of the pane that has the keyboard, else of the bottom one in front; empty if there is none.
  QString inFront() const;
  /// With it the names of the entries of addToggles() begin.
  static constexpr QLatin1String kToggle{"show-"};
  /// One entry per pane that brings it to the front and the keyboard into it, or closes it when it is there already.
  void addToggles(QMenu* menu) const;

  /// After all panes were added: their first places, then those of the last session where these fit.
  void arrange();
  void reset();
  /// The lower half of the centre gets at least this height as long as the upper one can give it, and until the user
  /// moves the line between them: lanes go before the board.
  void setLeastBelow(int height);
  /// In a window too small for panes on three sides they are tabs of one; grown again, it has them back where they
  /// were.
  void fitTo(QSize window);
  void store();
  /// There is something new in a pane: its tab has a mark until the user looks. Which tab is in front is the user's.
  void announce(const char* name) { m_tabs.announce(dock(name)); }
  /// Brings a pane that the user asked for to the front, also if it was closed.
  void show(const char* name) const;
  /// The pane or half of the centre with this widget alone, or with null all of them as they were. Does nothing with a
  /// widget of no pane.
  void showAlone(QWidget* widget);
  bool showsOneAlone() const { return !m_state_of_all.isEmpty(); }
  /// Gives the pane that has the keyboard a window of its own, or puts it back to its place; the keyboard stays in it.
  void detachOrDock();
  /// Moves the keyboard to the next pane, or with -1 to the previous one; `centre` holds the views between the panes.
  void cycle(int direction, const std::vector<QWidget*>& centre) const;

 private:
  QDockWidget* dock(const char* name) const;
  void arrangeAtFirst();
  void restore();
  void putOnSides(bool small);
  void putOnOneSide();
  void showAllAgain();
  void divide();
  void limitBelow(int least, int most);
  /// The bottom pane whose tab is in front; null if there is none.
  QDockWidget* frontBelow() const;

  QMainWindow* m_window;
  QSplitter* m_centre;
  std::vector<QDockWidget*> m_docks;
  std::vector<QKeySequence> m_keys;  ///< by dock
  std::size_t m_digits = 0;          ///< docks that have the next key
  PaneTabs m_tabs;
  SideWidths m_sides;
  QByteArray m_first_state;
  QByteArray m_wide_state;              ///< of the last window that had room for all sides
  QPointer<QDockWidget> m_front_below;  ///< of that window
  bool m_on_one_side = false;
  int m_least_below = 0;
  bool m_divided_by_user = false;
  int m_taken_from_below = 0;                     ///< pixels that divide() took from the panes below
  QByteArray m_state_of_all;                      ///< while one is shown alone
  std::vector<QPointer<QWidget>> m_hidden_parts;  ///< of the centre, or all of it
};

}  // namespace lanelab
