// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/layout/level_of_detail.h"

#include <algorithm>
#include <cmath>

namespace lanelab {
namespace {

constexpr double kGroupPixels = 2;  ///< a wider group would smear its busy time
constexpr double kSpansAPixel = 2;  ///< with fewer the pyramid would lead to single spans anyway

/// Gathers the narrow spans of one pixel column after the other; spans come by start. What kind the longest is, is
/// looked up once a column.
class ColumnGatherer {
 public:
  ColumnGatherer(const Row& row, const Track& track, const TimeScale& scale, RowDetail& detail)
      : m_row(row),
        m_track(track),
        m_left(scale.left),
        m_pixels(static_cast<int>(std::ceil(scale.width))),
        m_detail(detail) {}

  void add(double x0, double x1, std::size_t position) {
    eachColumn(x0, x1, [&](double share) {
      m_busy += share;
      if (share < m_longest) return;
      m_longest = share;
      m_position = position;
    });
  }

  /// Spans of which none is wide, spread evenly over the pixel or two that they take; the longest is `longest` pixels
  /// wide.
  void add(const BusyGroup& group, double x0, double x1, double longest) {
    const double density = static_cast<double>(group.busy) / std::max(static_cast<double>(group.length), 1.0);
    eachColumn(x0, x1, [&](double share) {
      m_busy += density * share;
      if (longest < m_longest) return;
      m_longest = longest;
      m_position = kOfGroup;
      m_kind = group.kind;
    });
  }

  void finish() { startColumn(-1); }

 private:
  static constexpr std::size_t kOfGroup = static_cast<std::size_t>(-1);

  /// Calls `add` with the part of each column that lies between these pixels.
  template <class Add>
  void eachColumn(double x0, double x1, const Add& add) {
    const double from = std::max(x0 - m_left, 0.0);
    const double to = std::min(x1 - m_left, static_cast<double>(m_pixels));
    for (int column = static_cast<int>(from); column < m_pixels && column <= to; ++column) {
      if (column != m_column) startColumn(column);
      add(std::min(to, column + 1.0) - std::max(from, static_cast<double>(column)));
    }
  }

  void startColumn(int column) {
    if (m_column >= 0 && m_busy > 0) emitColumn();
    m_column = column;
    m_busy = 0;
    m_longest = 0;
  }

  void emitColumn() {
    const int level = std::clamp(static_cast<int>(std::lround(m_busy * kBusyLevels)), 1, kBusyLevels);
    const ColorKind longest = m_position == kOfGroup ? m_kind : ColorKind::of(m_track.spans[m_row.spans[m_position]]);
    std::vector<Column>& columns = m_detail.columns;
    if (!columns.empty() && m_last_level == level && columns.back().kind == longest && columns.back().x1 == m_column) {
      ++columns.back().x1;
      return;
    }
    columns.push_back({m_column, m_column + 1, static_cast<double>(level) / kBusyLevels, longest});
    m_last_level = level;
  }

  const Row& m_row;
  const Track& m_track;
  double m_left;
  int m_pixels;
  RowDetail& m_detail;
  int m_column = -1;
  double m_busy = 0;
  double m_longest = 0;
  std::size_t m_position = kOfGroup;  ///< of the longest span, where it was not in a group
  ColorKind m_kind;
  int m_last_level = 0;
};

}  // namespace

RowDetail levelOfDetail(const Row& row, const Track& track, const TimeScale& scale) {
  RowDetail detail;
  if (scale.degenerate()) return detail;
  ColumnGatherer gatherer(row, track, scale, detail);
  const double pixels_per_nanosecond = 1 / scale.nanosecondsPerPixel();
  const auto pixel = [&](Nanoseconds time) {
    return scale.left + static_cast<double>(time - scale.range.start) * pixels_per_nanosecond;
  };
  const auto addSpan = [&](std::size_t position) {
    const std::uint32_t index = row.spans[position];
    const Nanoseconds start = track.spans.startOf(index), end = track.spans.endOf(index);
    if (end <= scale.range.start || start >= scale.range.end) return;
    const double x0 = pixel(start);
    const double x1 = pixel(end);
    if (x1 - x0 >= kNarrowestBar) {
      detail.bars.push_back({x0, x1, position});
    } else {
      gatherer.add(x0, x1, position);
    }
  };
  const RowSlice slice = visibleSpans(row, track, scale.range);
  if (row.busy.empty() || static_cast<double>(slice.last - slice.first) < kSpansAPixel * scale.width) {
    for (std::size_t position = slice.first; position < slice.last; ++position) addSpan(position);
  } else {
    const auto widest = static_cast<float>(kGroupPixels * scale.nanosecondsPerPixel());
    const auto narrowest = static_cast<float>(kNarrowestBar * scale.nanosecondsPerPixel());
    row.busy.visit(
        scale.range, [&](const BusyGroup& group) { return group.length <= widest && group.longest < narrowest; },
        [&](const BusyGroup& group) {
          gatherer.add(group, pixel(group.start), pixel(group.end()), group.longest * pixels_per_nanosecond);
        },
        addSpan);
  }
  gatherer.finish();
  return detail;
}

}  // namespace lanelab
