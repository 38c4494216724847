// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/action_set.h"

#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>
#include <QWidget>

#include "ui/look/icons.h"
#include "ui/look/plain_text.h"

namespace lanelab {

ActionSet::ActionSet(QWidget* window) : QObject(window), m_window(window) {}

QAction* ActionSet::add(QMenu* menu, const QString& name, const QString& text, const QString& tip,
                        const QKeySequence& key, const QString& icon, const std::function<void()>& on_triggered) {
  auto* action = new QAction(text, m_window);
  action->setObjectName(name);
  action->setToolTip(withKey(tip, key));
  action->setStatusTip({});
  action->setShortcut(key);
  if (!icon.isEmpty()) action->setIcon(look::icon(icon));
  connect(action, &QAction::triggered, m_window, on_triggered);
  add(menu, action);
  return action;
}

QAction* ActionSet::addToggle(QMenu* menu, const QString& name, const QString& text, const QString& tip,
                              const QKeySequence& key, const QString& icon,
                              const std::function<void(bool)>& on_toggled) {
  QAction* const action = add(menu, name, text, tip, key, icon, [] {});
  action->setCheckable(true);
  connect(action, &QAction::triggered, m_window, on_toggled);
  return action;
}

void ActionSet::add(QMenu* menu, QAction* action) {
  menu->addAction(action);
  m_actions[action->objectName()] = action;
}

void ActionSet::addChoices(QMenu* menu, const QString& title,
                           const std::vector<std::pair<QString, std::function<void()>>>& choices, int chosen,
                           const QString& name) {
  auto* sub = addMenu(menu, {}, title, {});
  auto* group = new QActionGroup(m_window);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const auto& [text, on_chosen] = choices[i];
    auto* action =
        add(sub, name + QString::number(i), text, look::withoutMnemonic(title) + ": " + text, {}, {}, on_chosen);
    action->setCheckable(true);
    action->setChecked(static_cast<int>(i) == chosen);
    group->addAction(action);
  }
}

QAction* ActionSet::find(const QString& name) const {
  const auto found = m_actions.find(name);
  return found == m_actions.end() ? nullptr : found->second;
}

void ActionSet::setEnabled(std::initializer_list<const char*> names, bool enabled, const QString& why_not) const {
  for (const char* name : names)
    if (QAction* const action = find(QLatin1String(name))) look::setEnabled(*action, enabled, why_not);
}

QMenu* ActionSet::addMenu(QMenuBar* bar, const QString& title, const QString& name) {
  auto* menu = bar->addMenu(title);
  menu->setObjectName(name);
  menu->setToolTipsVisible(true);
  return menu;
}

QMenu* ActionSet::addMenu(QMenu* menu, const QString& icon, const QString& title, const QString& name) {
  auto* sub = menu->addMenu(look::icon(icon), title);
  sub->setObjectName(name);
  sub->setToolTipsVisible(true);
  return sub;
}

}  // namespace lanelab
