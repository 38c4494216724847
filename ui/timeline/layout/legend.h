// SPDX-License-Identifier: GPL-3.0-only
// The entries below the lanes that say what colours stand for. One that stands for a kind of rows shows or hides these
// by a click. Pure; logical pixels.
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
  Running,
  Transfer,
  Exchange,
  Predicted,
  Idle,
  Communication,
  Copy,
  Named  ///< what has a colour by its name
};

struct LegendEntry {
  LegendItem item = LegendItem::Forward;
  QString text;
  std::optional<RowKind> rows;  ///< that a click shows or hides; none: it only explains
  bool shown = true;
  QRectF mark;  ///< where its colour is
  QRectF rect;  ///< of mark and text
};

/// Of what the trace has, also of rows that are hidden. Of another program's trace, whose rows name their spans, only
/// what is not compute on a GPU is told apart.
std::vector<LegendEntry> legendEntries(const TimelineData& data, const RowArrangement& arrangement);
/// From left to right within the layout's legend; those without room are left out.
std::vector<LegendEntry> placedLegend(std::vector<LegendEntry> entries, const TimelineLayout& layout);

}  // namespace lanelab
