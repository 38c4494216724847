#include "ui/timeline/level_of_detail.h"

#include <algorithm>
#include <cmath>

namespace lanelab {
namespace {

constexpr double kGroupPixels = 2;  ///< a wider group would smear its busy time
constexpr double kSpansAPixel = 2;  ///< with fewer the pyramid would lead to single spans anyway

/// Gathers the narrow spans of one pixel column after the other; spans come by start.
class ColumnGatherer {
 public:
  ColumnGatherer(const TimeScale& scale, RowDetail& detail)
      : m_scale(scale), m_pixels(static_cast<int>(std::ceil(scale.width))), m_detail(detail) {}

  void add(const Span& span, double x0, double x1, std::size_t position) {
    const double from = std::max(x0 - m_scale.left, 0.0);
    const double to = std::min(x1 - m_scale.left, static_cast<double>(m_pixels));
    for (int column = static_cast<int>(from); column < m_pixels && column <= to; ++column) {
      if (column != m_column) startColumn(column);
      const double share = std::min(to, column + 1.0) - std::max(from, static_cast<double>(column));
      m_busy += share;
      if (share >= m_longest) {
        m_longest = share;
        m_position = position;
        m_kind = {span.category, span.phase};
      }
    }
  }

  /// Spans of which none is wide, spread evenly over the pixel or two that they take.
  void add(const BusyGroup& group, double x0, double x1) {
    const double from = std::max(x0 - m_scale.left, 0.0);
    const double to = std::min(x1 - m_scale.left, static_cast<double>(m_pixels));
    const double density = static_cast<double>(group.busy) / static_cast<double>(std::max<Nanoseconds>(group.end - group.start, 1));
    const double longest = static_cast<double>(group.longest) / m_scale.nanosecondsPerPixel();
    for (int column = static_cast<int>(from); column < m_pixels && column <= to; ++column) {
      if (column != m_column) startColumn(column);
      m_busy += density * (std::min(to, column + 1.0) - std::max(from, static_cast<double>(column)));
      if (longest < m_longest) continue;
      m_longest = longest;
      m_position = group.position;
      m_kind = {group.category, group.phase};
    }
  }

  void finish() { startColumn(-1); }

 private:
  struct ColorKind {
    Category category = Category::Other;
    Phase phase = Phase::None;
    bool operator==(const ColorKind&) const = default;
  };

  void startColumn(int column) {
    if (m_column >= 0 && m_busy > 0) emitColumn();
    m_column = column;
    m_busy = 0;
    m_longest = 0;
  }

  void emitColumn() {
    const int level = std::clamp(static_cast<int>(std::lround(m_busy * kBusyLevels)), 1, kBusyLevels);
    if (!m_detail.columns.empty() && m_last_level == level && m_last_kind == m_kind && m_detail.columns.back().x1 == m_column) {
      ++m_detail.columns.back().x1;
      return;
    }
    m_detail.columns.push_back({m_column, m_column + 1, static_cast<double>(level) / kBusyLevels, m_position, m_kind.category, m_kind.phase});
    m_last_level = level;
    m_last_kind = m_kind;
  }

  const TimeScale& m_scale;
  int m_pixels;
  RowDetail& m_detail;
  int m_column = -1;
  double m_busy = 0;
  double m_longest = 0;
  std::size_t m_position = 0;
  ColorKind m_kind;
  ColorKind m_last_kind;
  int m_last_level = 0;
};

}  // namespace

RowDetail levelOfDetail(const Row& row, const Track& track, const TimeScale& scale) {
  RowDetail detail;
  if (scale.degenerate()) return detail;
  ColumnGatherer gatherer(scale, detail);
  const double pixels_per_nanosecond = 1 / scale.nanosecondsPerPixel();
  const auto pixel = [&](Nanoseconds time) { return scale.left + static_cast<double>(time - scale.range.start) * pixels_per_nanosecond; };
  const auto addSpan = [&](std::size_t position) {
    const Span span = track.spans[row.spans[position]];
    if (span.end <= scale.range.start || span.start >= scale.range.end) return;
    const double x0 = pixel(span.start);
    const double x1 = pixel(span.end);
    if (x1 - x0 >= kNarrowestBar) {
      detail.bars.push_back({x0, x1, position});
    } else {
      gatherer.add(span, x0, x1, position);
    }
  };
  const RowSlice slice = visibleSpans(row, track, scale.range);
  if (row.busy.empty() || static_cast<double>(slice.last - slice.first) < kSpansAPixel * scale.width) {
    for (std::size_t position = slice.first; position < slice.last; ++position) addSpan(position);
  } else {
    const auto widest = static_cast<Nanoseconds>(kGroupPixels * scale.nanosecondsPerPixel());
    const auto narrowest = static_cast<Nanoseconds>(kNarrowestBar * scale.nanosecondsPerPixel());
    row.busy.visit(
        scale.range, [&](const BusyGroup& group) { return group.end - group.start <= widest && group.longest < narrowest; },
        [&](const BusyGroup& group) { gatherer.add(group, pixel(group.start), pixel(group.end)); }, addSpan);
  }
  gatherer.finish();
  return detail;
}

}  // namespace lanelab
