// SPDX-License-Identifier: GPL-3.0-only
// The keys of the window's commands as the user wants them: each can have another one, which is stored by its name.
//
// Thread: the window's.
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>
#include <set>
#include <vector>

#include "ui/settings/key_choice.h"

class QMenuBar;

namespace lanelab {

class SettingsStore;

class KeyMap : public QObject {
  Q_OBJECT

 public:
  struct Command {
    QAction* action;
    QString path;  ///< "File > New Experiment"
    QList<QKeySequence> at_first;
  };

  /// All entries of the menus that have an object name. Keys that are not those at first are taken from `views`, which
  /// have keys of their own. All outlive this.
  KeyMap(const QMenuBar& menus, const QList<QWidget*>& views, const SettingsStore* settings, QObject* parent);

  const std::vector<Command>& commands() const { return m_commands; }
  /// Null if no command has it.
  const Command* commandWith(const QKeySequence& key) const;
  bool isOwn(const Command& command) const;
  /// The command has this key alone, or none if it is empty; another that had it loses it.
  void assign(const Command& command, const QKeySequence& key);
  void reset(const Command& command);
  /// Stored keys and the preset count from now on.
  void apply();

 Q_SIGNALS:
  void changed();

 protected:
  bool eventFilter(QObject* view, QEvent* event) override;

 private:
  void addCommands(const QList<QAction*>& entries, const QString& path);

  std::vector<Command> m_commands;
  const SettingsStore* m_settings;
  std::set<QKeySequence> m_from_views;
};

}  // namespace lanelab
