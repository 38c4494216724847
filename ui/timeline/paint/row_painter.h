// SPDX-License-Identifier: GPL-3.0-only
// Decides what is drawn of each row: idle hatch, columns, bars, labels, causes. It is drawn on
// pixels in memory, or any QPainter, in whole logical pixels and opaque colours, so that both give the same picture.
#pragma once

#include <QRect>
#include <array>
#include <optional>
#include <vector>

#include "ui/look/name_colors.h"
#include "ui/timeline/layout/label_cache.h"
#include "ui/timeline/layout/level_of_detail.h"
#include "ui/timeline/paint/layers.h"

namespace lanelab {

/// Of the hatch of idle time.
inline constexpr int kIdleSpacing = 7;

/// Parallel diagonal lines over a fill.
struct Hatch {
  QRgb lines = 0;
  int spacing = 0;  ///< pixels
};

/// A row's many one-pixel columns and narrow bars, standing on the row's bottom; by pixel column.
class ColumnProfile {
 public:
  explicit ColumnProfile(const QRect& area) : m_area(area) {}
  const QRect& area() const { return m_area; }
  bool empty() const { return m_heights.empty(); }
  /// From x0 to before x1, `height` pixels high, as far as that is in the area; a later one takes the place of an
  /// earlier one.
  void set(int x0, int x1, int height, QRgb color);
  const std::vector<int>& heights() const { return m_heights; }
  const std::vector<QRgb>& colors() const { return m_colors; }

 private:
  QRect m_area;
  std::vector<int> m_heights;  ///< once anything was set
  std::vector<QRgb> m_colors;
};

struct LabelOrder {
  LabelKey key;
  QRectF room;
  double margin = 0;
  std::optional<QRgb> plate;  ///< fills what lies behind the text, half the margin to its left and right
};

class RowSurface {
 public:
  virtual ~RowSurface() = default;
  virtual void fill(const QRect& rect, QRgb color) = 0;
  /// The idle pieces of a row over the whole body width, the same in every row of a picture.
  virtual void idle(const QRect& row) = 0;
  /// `inner` lies in `rect`, whose edge becomes the outline.
  virtual void bar(const QRect& rect, QRgb outline, const QRect& inner, QRgb fill,
                   const std::optional<Hatch>& hatch) = 0;
  virtual void columns(const ColumnProfile& profile) = 0;
  /// Where it has room, else not at all.
  virtual void label(const LabelOrder& order) = 0;
};

/// What lies behind a label with a plate.
QRect plateOf(const LabelOrder& order, const LabelPlace& place);

/// Immutable, any thread.
class RowPainter {
 public:
  /// What is idle of a row: from x to before x.
  using IdlePieces = std::vector<std::pair<int, int>>;

  /// `scene` must outlive it.
  explicit RowPainter(const TimelineScene& scene);

  const TimelineScene& scene() const { return m_scene; }
  const IdlePieces& idlePieces() const { return m_idle; }
  /// Rows of which something may be seen.
  const std::vector<RowBox>& visible() const { return m_visible; }
  /// All fills that are hatched in bars.
  std::vector<std::pair<QRgb, Hatch>> hatched() const;

  void paint(RowSurface& surface, const RowBox& box) const;
  /// Where a row's bars lie.
  QRect barsOf(const RowBox& box) const;

 private:
  struct BarColors {
    QRgb fill = 0;
    QRgb edge = 0;  ///< of a bar without an outline of its own
    QRgb ink = 0;
    std::optional<Hatch> hatch;
  };
  static constexpr std::size_t kCategories = static_cast<std::size_t>(Category::Other) + 1, kPhases = 8;

  BarColors colorsFor(const QColor& fill, bool hatched) const;
  const BarColors& colorsOf(Category category, Phase phase) const {
    return m_colors[static_cast<std::size_t>(category) * kPhases + static_cast<std::size_t>(phase)];
  }
  const BarColors& colorsOf(const Span& span) const;
  const BarColors& colorsOf(const Column& column, bool failed) const;
  IdlePieces findIdle() const;
  void paintSpans(RowSurface& surface, const RowBox& box) const;
  struct WideBar {
    QRect rect;
    Span span;
    bool running = false;
  };
  void paintBar(RowSurface& surface, const WideBar& bar, bool outlined) const;
  void paintUnknown(RowSurface& surface, const RowBox& box) const;
  template <class Visit>
  void eachCause(const RowBox& box, double least, Visit visit) const;
  void paintPatterns(RowSurface& surface, const RowBox& box) const;
  void paintCauses(RowSurface& surface, const RowBox& box) const;

  const TimelineScene& m_scene;
  std::array<BarColors, kCategories * kPhases> m_colors;
  std::array<BarColors, kPhases> m_running;  ///< of an action in progress: lighter
  std::array<BarColors, kPhases> m_second;   ///< of every second step, where steps overlap: lighter, but less so
  std::array<BarColors, look::kNameColors> m_named;  ///< of another program's trace
  BarColors m_failed;
  IdlePieces m_idle;
  std::vector<RowBox> m_visible;
};

}  // namespace lanelab
