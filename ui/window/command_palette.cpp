// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/command_palette.h"

#include <QAction>
#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QTimer>
#include <QTreeWidget>
#include <algorithm>

#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

QString plainName(const QAction& action) { return QString(action.text()).remove('&'); }

void addEntries(const QList<QAction*>& actions, const QString& path, QList<Command>& commands) {
  for (QAction* action : actions) {
    if (action->isSeparator() || !action->isVisible()) continue;
    const QString here = path.isEmpty() ? plainName(*action) : path + " > " + plainName(*action);
    if (action->menu())
      addEntries(action->menu()->actions(), here, commands);
    else
      commands.append({action, here});
  }
}

bool walksList(int key) {
  return key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown;
}

QTreeWidgetItem* itemOf(const Command& command) {
  const QString state = command.action->isCheckable() && command.action->isChecked() ? QString::fromUtf8(" ✓") : "";
  auto* item =
      new QTreeWidgetItem({command.path + state, command.action->shortcut().toString(QKeySequence::NativeText)});
  item->setToolTip(0, command.action->toolTip());
  if (!command.action->isEnabled()) {
    item->setForeground(0, look::current().muted_text);
    item->setForeground(1, look::current().muted_text);
  }
  return item;
}

}  // namespace

QList<Command> commandsOf(const QMenuBar& menus) {
  QList<Command> commands;
  addEntries(menus.actions(), {}, commands);
  return commands;
}

QList<Command> matching(const QList<Command>& commands, const QString& typed) {
  QList<Command> found;
  std::ranges::copy_if(commands, std::back_inserter(found),
                       [&](const Command& command) { return look::hasWords(command.path, typed); });
  const QString start = typed.trimmed();
  std::stable_partition(found.begin(), found.end(), [&](const Command& command) {
    return plainName(*command.action).startsWith(start, Qt::CaseInsensitive);
  });
  return found;
}

CommandPalette::CommandPalette(QWidget* parent, const QMenuBar& menus)
    : QDialog(parent), m_commands(commandsOf(menus)), m_words(new QLineEdit), m_list(new QTreeWidget) {
  setObjectName("commandPalette");
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Command Palette"));
  QVBoxLayout* const column = look::dialogColumn(this);
  m_words->setObjectName("commandWords");
  m_words->setPlaceholderText(tr("Type a command, such as \"zoom\" or \"export csv\""));
  m_words->setAccessibleName(tr("Command"));
  m_words->installEventFilter(this);
  m_list->setObjectName("commandList");
  m_list->setAccessibleName(tr("Matching commands"));
  m_list->setHeaderLabels({tr("Command"), tr("Key")});
  m_list->setRootIsDecorated(false);
  m_list->header()->setStretchLastSection(false);
  m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  column->addWidget(m_words);
  column->addWidget(m_list);
  connect(m_words, &QLineEdit::textChanged, this, &CommandPalette::list);
  connect(m_words, &QLineEdit::returnPressed, this, &CommandPalette::run);
  connect(m_list, &QTreeWidget::itemActivated, this, &CommandPalette::run);
  resize(560, 420);
  list();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress || !walksList(static_cast<QKeyEvent*>(event)->key()))
    return QDialog::eventFilter(watched, event);
  QCoreApplication::sendEvent(m_list, event);
  return true;
}

void CommandPalette::list() {
  m_listed = matching(m_commands, m_words->text());
  m_list->clear();
  for (const Command& command : m_listed) m_list->addTopLevelItem(itemOf(command));
  m_list->setCurrentItem(m_list->topLevelItem(0));
}

void CommandPalette::run() {
  const int row = m_list->indexOfTopLevelItem(m_list->currentItem());
  if (row < 0 || !m_listed[row].action->isEnabled()) return;
  QAction* const action = m_listed[row].action;
  accept();
  QTimer::singleShot(0, action, &QAction::trigger);  // the command may open a dialog of its own
}

}  // namespace lanelab
