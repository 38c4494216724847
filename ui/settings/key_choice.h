// SPDX-License-Identifier: GPL-3.0-only
// Which command has which keys, of those that it has by itself, those of a preset, and the one that the user chose.
// Pure; any thread.
#pragma once

#include <QKeySequence>
#include <QList>
#include <QString>
#include <map>
#include <optional>
#include <vector>

#include "ui/settings/settings.h"

namespace lanelab {

struct KeyChoice {
  QString name;  ///< of the command's action
  QList<QKeySequence> at_first;
  std::optional<QKeySequence> own;  ///< the user's; empty: none is wanted

  bool operator==(const KeyChoice&) const = default;
};

/// What a preset gives the command beside the keys that it has.
QList<QKeySequence> presetKeys(KeyPreset preset, const QString& name);

/// Of each command. No key is of two: the user's comes before that of the preset, which comes before one at first.
std::map<QString, QList<QKeySequence>> keysInForce(const std::vector<KeyChoice>& commands, KeyPreset preset);

}  // namespace lanelab
