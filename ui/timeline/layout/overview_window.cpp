// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/layout/overview_window.h"

#include <algorithm>
#include <cmath>

namespace lanelab {
namespace {

constexpr double kNarrowestWindow = 3;  // pixels
constexpr double kGrip = 4;             // pixels at each side of an edge
constexpr double kHasEdges = 3 * kGrip;

}  // namespace

double OverviewWindow::left() const {
  const double last = strip.left + std::max(strip.width - kNarrowestWindow, 0.0);
  return std::clamp(strip.x(seen.start), strip.left, last);
}

double OverviewWindow::right() const {
  const double end = strip.left + strip.width;
  return std::clamp(strip.x(seen.end), std::min(left() + kNarrowestWindow, end), end);
}

OverviewPart OverviewWindow::partAt(double x) const {
  if (x < left() - kGrip || x > right() + kGrip) return OverviewPart::Outside;
  if (right() - left() < kHasEdges) return OverviewPart::Window;
  if (x <= left() + kGrip) return OverviewPart::LeftEdge;
  return x >= right() - kGrip ? OverviewPart::RightEdge : OverviewPart::Window;
}

TimeRange OverviewWindow::centredAt(double x) const {
  const Nanoseconds start = strip.time(x) - seen.length() / 2;
  return {start, start + seen.length()};
}

TimeRange OverviewWindow::movedBy(double pixels) const {
  return panned(seen, std::llround(pixels * strip.nanosecondsPerPixel()));
}

TimeRange OverviewWindow::pulled(OverviewPart edge, double x) const {
  const auto least = std::max<Nanoseconds>(std::llround(strip.nanosecondsPerPixel()), kShortestRange);
  const Nanoseconds time = std::clamp(strip.time(x), strip.range.start, strip.range.end);
  if (edge == OverviewPart::LeftEdge) return {std::min(time, seen.end - least), seen.end};
  return {seen.start, std::max(time, seen.start + least)};
}

}  // namespace lanelab
