// SPDX-License-Identifier: GPL-3.0-only
// All commands of the menus in one list that is filtered while the user types, as in VS Code and Qt Creator.
// Thread: GUI.
#pragma once

#include <QDialog>
#include <QList>
#include <QString>

class QAction;
class QLineEdit;
class QMenuBar;
class QTreeWidget;

namespace lanelab {

/// An action and the menus that lead to it: "File > New".
struct Command {
  QAction* action = nullptr;
  QString path;
};

/// All entries of the menus, without their submenus and separators, in order.
QList<Command> commandsOf(const QMenuBar& menus);

/// Those whose path holds every word of `typed`, in any case; commands whose own name begins with it come first.
QList<Command> matching(const QList<Command>& commands, const QString& typed);

/// Enter runs the chosen command after the dialog has closed; a command that is not possible now is shown muted.
class CommandPalette : public QDialog {
  Q_OBJECT

 public:
  CommandPalette(QWidget* parent, const QMenuBar& menus);

 protected:
  /// Up, Down and the page keys walk through the list while the user types.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void list();
  void run();

  QList<Command> m_commands, m_listed;
  QLineEdit* m_words;
  QTreeWidget* m_list;
};

}  // namespace lanelab
