// SPDX-License-Identifier: GPL-3.0-only
#include "ui/settings/key_choice.h"

#include <algorithm>
#include <set>

namespace lanelab {

namespace {

struct PresetKey {
  const char* name;
  const char* key;
};

/// What Perfetto has and the timeline has not: it zooms to what is selected by F, marks a range by M, hides the details
/// by Q, and follows flows by brackets.
constexpr PresetKey kPerfetto[] = {
    {"zoomSelection", "F"}, {"bookmark", "M"}, {"show-detailsDock", "Q"}, {"goToWaitedOn", "["}, {"goToWaiting", "]"}};

}  // namespace

QList<QKeySequence> presetKeys(KeyPreset preset, const QString& name) {
  QList<QKeySequence> keys;
  if (preset != KeyPreset::Perfetto) return keys;
  for (const PresetKey& key : kPerfetto)
    if (name == QLatin1String(key.name)) keys.append(QKeySequence(QLatin1String(key.key)));
  return keys;
}

std::map<QString, QList<QKeySequence>> keysInForce(const std::vector<KeyChoice>& commands, KeyPreset preset) {
  std::map<QString, QList<QKeySequence>> in_force;
  std::set<QKeySequence> taken;
  const auto give = [&](const QString& name, const QList<QKeySequence>& keys) {
    for (const QKeySequence& key : keys)
      if (!key.isEmpty() && taken.insert(key).second) in_force[name].append(key);
  };
  for (const KeyChoice& command : commands) {
    in_force[command.name];
    if (command.own) give(command.name, {*command.own});
  }
  for (const KeyChoice& command : commands)
    if (!command.own) give(command.name, presetKeys(preset, command.name));
  for (const KeyChoice& command : commands)
    if (!command.own) give(command.name, command.at_first);
  return in_force;
}

}  // namespace lanelab
