// SPDX-License-Identifier: GPL-3.0-only
// The window's panes: where each docks at first, what was stored of the last session, and the keyboard's way through
// them.
#pragma once

#include <QByteArray>
#include <QString>
#include <vector>

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

  /// Panes of one area lie behind one another as tabs; the first is in front.
  void add(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area);
  /// One entry per pane that shows or hides it.
  void addToggles(QMenu* menu) const;

  /// After all panes were added: their first places, then those of the last session where these fit.
  void arrange();
  void reset();
  void store() const;
  /// Brings a tab to the front, unless the user closed that pane.
  void raise(const char* name) const;
  /// Also if the user closed it.
  void show(const char* name) const;
  /// Moves the keyboard to the next pane, or with -1 to the previous one; `centre` holds the views between the panes.
  void cycle(int direction, const std::vector<QWidget*>& centre) const;

 private:
  QDockWidget* dock(const char* name) const;
  void arrangeAtFirst();
  void restore();

  QMainWindow* m_window;
  QSplitter* m_centre;
  std::vector<QDockWidget*> m_docks;
  QByteArray m_first_state;
};

}  // namespace lanelab
