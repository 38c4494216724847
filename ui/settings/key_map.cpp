// SPDX-License-Identifier: GPL-3.0-only
#include "ui/settings/key_map.h"

#include <QKeyEvent>
#include <QMenu>
#include <QMenuBar>
#include <QWidget>

#include "ui/look/action_state.h"
#include "ui/look/plain_text.h"
#include "ui/look/settings.h"
#include "ui/settings/settings_store.h"

namespace lanelab {

namespace {

/// Without the mark of its key in the menu, and the dots of a dialog.
QString plainText(const QAction& entry) { return look::withoutMnemonic(entry.text()).remove(QLatin1String("...")); }

QString storedName(const QString& command) { return "keys/own/" + command; }

std::optional<QKeySequence> storedKey(const look::Settings& file, const QString& command) {
  const QVariant stored = file.value(storedName(command));
  if (!stored.isValid()) return std::nullopt;
  return QKeySequence(stored.toString(), QKeySequence::PortableText);
}

}  // namespace

KeyMap::KeyMap(const QMenuBar& menus, const QList<QWidget*>& views, const SettingsStore* settings, QObject* parent)
    : QObject(parent), m_settings(settings) {
  addCommands(menus.actions(), {});
  for (QWidget* const view : views) view->installEventFilter(this);
  connect(m_settings, &SettingsStore::changed, this, &KeyMap::apply);
  apply();
}

void KeyMap::addCommands(const QList<QAction*>& entries, const QString& path) {
  for (QAction* const entry : entries) {
    const QString name = path.isEmpty() ? plainText(*entry) : path + " > " + plainText(*entry);
    if (entry->menu())
      addCommands(entry->menu()->actions(), name);
    else if (!entry->objectName().isEmpty())
      m_commands.push_back({entry, name, entry->shortcuts()});
  }
}

const KeyMap::Command* KeyMap::commandWith(const QKeySequence& key) const {
  for (const Command& command : m_commands)
    if (command.action->shortcuts().contains(key)) return &command;
  return nullptr;
}

bool KeyMap::isOwn(const Command& command) const {
  return look::Settings().contains(storedName(command.action->objectName()));
}

void KeyMap::assign(const Command& command, const QKeySequence& key) {
  look::Settings().setValue(storedName(command.action->objectName()), key.toString(QKeySequence::PortableText));
  apply();
}

void KeyMap::reset(const Command& command) {
  look::Settings().remove(storedName(command.action->objectName()));
  apply();
}

void KeyMap::apply() {
  const look::Settings file;
  std::vector<KeyChoice> choices;
  for (const Command& command : m_commands) {
    const QString name = command.action->objectName();
    choices.push_back({name, command.at_first, storedKey(file, name)});
  }
  const auto in_force = keysInForce(choices, m_settings->values().keys);
  m_from_views.clear();
  for (const Command& command : m_commands) {
    const QList<QKeySequence>& keys = in_force.at(command.action->objectName());
    for (const QKeySequence& key : keys)
      if (!command.at_first.contains(key)) m_from_views.insert(key);
    if (command.action->shortcuts() != keys) look::setKeys(*command.action, keys);
  }
  Q_EMIT changed();
}

/// A view says with this event that a key is its own; without it the command has the key.
bool KeyMap::eventFilter(QObject* view, QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride) return QObject::eventFilter(view, event);
  const QKeySequence key(static_cast<QKeyEvent*>(event)->keyCombination());
  if (!m_from_views.contains(key)) return QObject::eventFilter(view, event);
  event->ignore();
  return true;
}

}  // namespace lanelab
