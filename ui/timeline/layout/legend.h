// SPDX-License-Identifier: GPL-3.0-only
// The entries below the lanes that say what colours stand for. One that stands for a kind of rows or for idle time has
// a check box, and shows or hides it by a click or by the key of its number. Pure; logical pixels.
#pragma once

#include <QRectF>
#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "ui/timeline/layout/layout.h"

namespace lanelab {

enum class LegendItem : std::uint8_t {
  Forward,
  Backward,
  Update,
  Evaluation,
  Running,
  Transfer,
  Exchange,
  Predicted,
  Idle,
  Communication,
  Copy,
  Host,
  Counters,
  Named,  ///< what has a colour by its name
  More    ///< entries that have no room; a click lists all rows
};

struct LegendEntry {
  LegendItem item = LegendItem::Forward;
  QString text;
  std::optional<RowKind> rows;  ///< that a click shows or hides; none: it only explains
  bool shown = true;
  int number = 0;  ///< from 1 among those with rows: the key that shows or hides it; 0 without rows
  QRectF check;    ///< the check box; empty without rows
  QRectF mark;     ///< where its colour is
  QRectF rect;     ///< of check box, mark and text
};

/// Of what the trace has, also of rows that are hidden. Of another program's trace, whose rows name their spans, only
/// what is not compute on a GPU is distinguished.
std::vector<LegendEntry> legendEntries(const TimelineData& data, const RowArrangement& arrangement);
/// How high the legend has to be for all entries, as far as the area leaves room for lanes: one line or several.
double legendHeight(const std::vector<LegendEntry>& entries, const QRectF& area);
/// From left to right within the layout's legend, from the lanes' left edge if they fit there in one line; else closer
/// together, below the headers, and in as many lines as the legend has. The last entry is More if some have no room.
std::vector<LegendEntry> placedLegend(std::vector<LegendEntry> entries, const TimelineLayout& layout);

}  // namespace lanelab
