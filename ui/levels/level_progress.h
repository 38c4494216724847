// SPDX-License-Identifier: GPL-3.0-only
// The shortest step that the user built in each level, in the settings of the window. Thread: GUI.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/levels/level_board.h"
#include "ui/look/settings.h"

namespace lanelab {

class LevelProgress : look::Settings {
 public:
  /// None: never finished, or a damaged file has a step below par.
  std::optional<std::int64_t> best(const Level& level) const {
    const qlonglong stored = value(key(level)).toLongLong();
    return stored >= parOf(level) ? std::optional<std::int64_t>(stored) : std::nullopt;
  }
  void note(const Level& level, std::int64_t step) {
    if (const auto before = best(level); !before || step < *before) setValue(key(level), static_cast<qlonglong>(step));
  }

 private:
  static QString key(const Level& level) { return QStringLiteral("levels/") + QLatin1String(level.key); }
};

}  // namespace lanelab
