// SPDX-License-Identifier: GPL-3.0-only
// What the user chose once for all. A value; each member has its row in setting_rows.cpp. Thread: any.
#pragma once

#include <QString>
#include <array>

#include "base/words.h"
#include "engine/experiment/choices.h"
#include "ui/look/theme.h"
#include "ui/look/wheel.h"

namespace lanelab {

enum class KeyPreset { LaneLab, Perfetto };
constexpr std::array<Word<KeyPreset>, 2> wordTable(KeyPreset) {
  return {{{KeyPreset::LaneLab, "lanelab"}, {KeyPreset::Perfetto, "perfetto"}}};
}

struct Settings {
  look::Scheme theme = look::Scheme::System;
  int font_size = 0;    ///< points; 0: that of the desktop
  QString language;     ///< "en"; empty: that of the system
  bool reopen = true;   ///< at the start, what was open when the window closed
  QString runs_folder;  ///< empty: that of the user by the XDG rules
  int undo_limit = 0;   ///< edits; 0: all
  int repeats = 5;      ///< of new experiments
  RecordMode record = RecordMode::Blocks;
  bool stored_block_times = true;  ///< predict from those that were measured before
  bool ask_unsaved = true;         ///< before the window closes
  bool ask_stop = true;            ///< likewise
  bool ask_busy = true;            ///< before a run on a machine that is busy
  bool notify = true;              ///< when long work has ended
  KeyPreset keys = KeyPreset::LaneLab;
  look::WheelUse wheel = look::WheelUse::Zooms;

  bool operator==(const Settings&) const = default;
};

}  // namespace lanelab
