// SPDX-License-Identifier: GPL-3.0-only
// Decides what is drawn of each row: idle hatch, what was predicted, columns, bars, labels, causes.
#pragma once

#include <array>

#include "ui/timeline/layout/level_of_detail.h"
#include "ui/timeline/paint/layers.h"
#include "ui/timeline/paint/row_surface.h"

namespace lanelab {

/// Immutable, any thread.
class RowPainter {
 public:
  /// What stands idle of a row: from x to before x.
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
  /// Where a row's bars lie; those of a compute row leave a strip free for what was predicted.
  QRect barsOf(const RowBox& box) const;

 private:
  struct BarColors {
    QRgb fill = 0;
    QRgb edge = 0;  ///< of a bar without an outline of its own
    QRgb ink = 0;
    std::optional<Hatch> hatch;
  };
  static constexpr std::size_t kCategories = 16, kPhases = 8;

  BarColors colorsFor(const QColor& fill, bool backward) const;
  const BarColors& colorsOf(Category category, Phase phase) const {
    return m_colors[static_cast<std::size_t>(category) * kPhases + static_cast<std::size_t>(phase)];
  }
  const BarColors& colorsOf(const Span& span) const {
    return m_scene.data.trace().failed(span) ? m_failed : colorsOf(span.category, span.phase);
  }
  IdlePieces findIdle() const;
  void paintSpans(RowSurface& surface, const RowBox& box) const;
  void paintBar(RowSurface& surface, const QRect& rect, const Span& span, bool outlined) const;
  void paintPredicted(RowSurface& surface, const RowBox& box) const;
  void paintCauses(RowSurface& surface, const RowBox& box) const;

  const TimelineScene& m_scene;
  std::array<BarColors, kCategories * kPhases> m_colors;
  BarColors m_failed;
  IdlePieces m_idle;
  std::vector<RowBox> m_visible;
};

}  // namespace lanelab
