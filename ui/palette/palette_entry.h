// SPDX-License-Identifier: GPL-3.0-only
// One line of the command palette: a value of whoever offers it. Thread: GUI.
#pragma once

#include <QList>
#include <QString>
#include <functional>

namespace lanelab {

struct PaletteEntry {
  QString kind;    ///< "Command", "Run": a word beside the entry
  QString title;   ///< what it is called
  QString detail;  ///< where it is, such as "File > Export"; searched, too
  QString key = {};
  QString why_not = {};           ///< a sentence why it is not possible now; empty: it is possible
  bool belongs_to_front = false;  ///< it acts on what the user is looking at, and comes before all others
  std::function<void()> run = {};
};

/// Called when the palette opens.
using PaletteSource = std::function<QList<PaletteEntry>()>;

}  // namespace lanelab
