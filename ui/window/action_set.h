// SPDX-License-Identifier: GPL-3.0-only
// The window's actions by name. A menu entry is made here, with its words, key and icon, so that none lacks them.
#pragma once

#include <QKeySequence>
#include <QObject>
#include <QString>
#include <functional>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

#include "ui/look/action_state.h"

class QAction;
class QMenu;
class QMenuBar;
class QWidget;

namespace lanelab {

using look::withKey;

class ActionSet : public QObject {
  Q_OBJECT

 public:
  /// Actions belong to `window`, so that their keys work in all of it.
  explicit ActionSet(QWidget* window);

  QAction* add(QMenu* menu, const QString& name, const QString& text, const QString& tip, const QKeySequence& key,
               const QString& icon, const std::function<void()>& on_triggered);
  /// An entry that can be checked; `on_toggled` is called when the user chose it.
  QAction* addToggle(QMenu* menu, const QString& name, const QString& text, const QString& tip, const QKeySequence& key,
                     const QString& icon, const std::function<void(bool)>& on_toggled);
  /// One that something else made, under its object name.
  void add(QMenu* menu, QAction* action);
  /// A submenu of which one entry is checked; entries are called `name` and a number from 0.
  void addChoices(QMenu* menu, const QString& title,
                  const std::vector<std::pair<QString, std::function<void()>>>& choices, int chosen,
                  const QString& name);

  /// Null if there is none.
  QAction* find(const QString& name) const;
  /// Names that are not in the set are passed over: some entries are left out. The tips of disabled ones end with
  /// `why_not`.
  void setEnabled(std::initializer_list<const char*> names, bool enabled, const QString& why_not = {}) const;

  /// A menu whose tool tips are shown; icon and name may be empty.
  static QMenu* addMenu(QMenuBar* bar, const QString& title, const QString& name);
  static QMenu* addMenu(QMenu* menu, const QString& icon, const QString& title, const QString& name);

 private:
  QWidget* m_window;
  std::map<QString, QAction*> m_actions;
};

}  // namespace lanelab
