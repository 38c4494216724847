// SPDX-License-Identifier: GPL-3.0-only
// A screenshot as luminance of 160 cells a row, compared tile by tile: how bright a tile is, and how much its cells
// differ. Both survive another hinting of fonts; neither does a pane that is blank, cut off or of another theme.
#pragma once

#include <QImage>
#include <QStringList>

namespace lanelab::test {

inline constexpr int kCellsAcross = 160;

/// 8 bits of luminance a cell, in the proportions of the screenshot.
QImage structureOf(const QImage& screenshot);

/// What differs beyond the tolerance, a line per tile: "at 40, 20: brightness 240 in place of 20". Sizes that differ
/// are one fault.
QStringList structureFaults(const QImage& stored, const QImage& seen);

}  // namespace lanelab::test
