// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/cause_pattern.h"

#include <array>

namespace lanelab {
namespace {

constexpr std::size_t kWays = 5;
constexpr std::array<int, 3> kSpacings = {7, 4, 11};
static_assert(kWays * kSpacings.size() >= kCauseCount);

/// The first place from `from` on that is a multiple of `spacing`.
int firstLine(int from, int spacing) { return (from + spacing - 1) / spacing * spacing; }

void paintLevel(RowSurface& surface, const QRect& rect, int spacing, QRgb lines) {
  for (int y = firstLine(rect.top(), spacing); y <= rect.bottom(); y += spacing)
    surface.fill(QRect(rect.left(), y, rect.width(), 1), lines);
}

void paintUprightLines(RowSurface& surface, const QRect& rect, int spacing, QRgb lines) {
  for (int x = firstLine(rect.left(), spacing); x <= rect.right(); x += spacing)
    surface.fill(QRect(x, rect.top(), 1, rect.height()), lines);
}

/// `slope`: how far a line goes to the right from one pixel line to the next.
void paintDiagonals(RowSurface& surface, const QRect& rect, int spacing, int slope, QRgb lines) {
  for (int y = rect.top(); y <= rect.bottom(); ++y) {
    const int phase = ((slope * y) % spacing + spacing) % spacing;
    for (int x = firstLine(rect.left() - phase, spacing) + phase; x <= rect.right(); x += spacing)
      if (x >= rect.left()) surface.fill(QRect(x, y, 1, 1), lines);
  }
}

}  // namespace

CausePattern patternOf(Cause cause) {
  const auto number = static_cast<std::size_t>(cause);
  return {static_cast<CausePattern::Lines>(number % kWays), kSpacings[number / kWays]};
}

void paintPattern(RowSurface& surface, const QRect& rect, const CausePattern& pattern, QRgb behind, QRgb lines) {
  using Lines = CausePattern::Lines;
  surface.fill(rect, behind);
  if (pattern.lines == Lines::Falling) paintDiagonals(surface, rect, pattern.spacing, +1, lines);
  if (pattern.lines == Lines::Rising) paintDiagonals(surface, rect, pattern.spacing, -1, lines);
  if (pattern.lines == Lines::Level || pattern.lines == Lines::Crossed)
    paintLevel(surface, rect, pattern.spacing, lines);
  if (pattern.lines == Lines::Upright || pattern.lines == Lines::Crossed)
    paintUprightLines(surface, rect, pattern.spacing, lines);
}

}  // namespace lanelab
