// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/layout/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "profiler/io/tables/gap_tables.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

struct Unit {
  Nanoseconds from_step;  ///< the unit serves steps at least this long
  double nanoseconds;
  const char* name;
};

constexpr std::array<Unit, 4> kTickUnits = {
    {{100'000'000, 1e9, " s"}, {100'000, 1e6, " ms"}, {100, 1e3, " µs"}, {0, 1, " ns"}}};

const Unit& unitFor(Nanoseconds step) {
  for (const Unit& unit : kTickUnits) {
    if (step >= unit.from_step) return unit;
  }
  return kTickUnits.back();
}

}  // namespace

Nanoseconds tickStep(const TimeScale& scale, double pixels) {
  const double wanted = scale.nanosecondsPerPixel() * pixels;
  Nanoseconds power = 1;
  while (static_cast<double>(power) * 10 <= wanted) power *= 10;
  for (const Nanoseconds factor : {1, 2, 5}) {
    if (static_cast<double>(power * factor) >= wanted) return power * factor;
  }
  return power * 10;
}

std::vector<Nanoseconds> tickTimes(TimeRange range, Nanoseconds step, Nanoseconds zero) {
  std::vector<Nanoseconds> times;
  if (range.empty() || step <= 0) return times;
  const Nanoseconds offset = range.start - zero;
  const Nanoseconds below = offset - ((offset % step) + step) % step;
  for (Nanoseconds time = zero + below; time < range.end; time += step) {
    if (time >= range.start) times.push_back(time);
  }
  return times;
}

QString tickText(Nanoseconds time, Nanoseconds step) {
  const Unit& unit = unitFor(step);
  int digits = 0;
  for (double rest = static_cast<double>(step) / unit.nanoseconds; rest < 0.999 && digits < 3; rest *= 10) ++digits;
  const double value = static_cast<double>(time) / unit.nanoseconds;
  return QString::number(value == 0 ? 0 : value, 'f', digits) + QString::fromUtf8(unit.name);
}

QString durationText(Nanoseconds duration) { return QString::fromStdString(plainDuration(duration)); }

QString rangeText(TimeRange range, Nanoseconds zero) {
  const Nanoseconds start = range.start - zero, end = range.end - zero;
  const Unit& unit = unitFor(std::max<Nanoseconds>(end, 1));
  const double length = static_cast<double>(std::max<Nanoseconds>(range.length(), 1)) / unit.nanoseconds;
  const int digits = std::clamp(static_cast<int>(std::ceil(1.7 - std::log10(length))), 0, 9);
  const auto text = [&](Nanoseconds time) {
    return QString::number(static_cast<double>(time) / unit.nanoseconds, 'f', digits) + QString::fromUtf8(unit.name);
  };
  return TimelineTexts::tr("%1 to %2").arg(text(start), text(end));
}

QString shareText(double share) {
  if (share > 0 && share < 0.005) return QStringLiteral("< 1 %");
  return QString::number(share * 100, 'f', 0) + QStringLiteral(" %");
}

}  // namespace lanelab
