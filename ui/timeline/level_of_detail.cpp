#include "ui/timeline/level_of_detail.h"

#include <algorithm>
#include <cmath>

namespace lanelab {
namespace {

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
    m_detail.columns.push_back({m_column, m_column + 1, static_cast<double>(level) / kBusyLevels, m_position});
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
  const RowSlice slice = visibleSpans(row, track, scale.range);
  ColumnGatherer gatherer(scale, detail);
  const double pixels_per_nanosecond = 1 / scale.nanosecondsPerPixel();
  const auto pixel = [&](Nanoseconds time) { return scale.left + static_cast<double>(time - scale.range.start) * pixels_per_nanosecond; };
  for (std::size_t position = slice.first; position < slice.last; ++position) {
    const Span& span = track.spans[row.spans[position]];
    const double x0 = pixel(span.start);
    const double x1 = pixel(span.end);
    if (x1 - x0 >= kNarrowestBar) {
      detail.bars.push_back({x0, x1, position});
    } else {
      gatherer.add(span, x0, x1, position);
    }
  }
  gatherer.finish();
  return detail;
}

}  // namespace lanelab
