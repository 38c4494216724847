// SPDX-License-Identifier: GPL-3.0-only
// Outlines what a search found. Where matches lie closer than they can be told apart, one outline goes round them all;
// a match whose row is hidden is marked below its lane's actions. Costs a few binary searches a pixel column at most,
// however many there are.
#pragma once

#include <QPainter>

#include "ui/look/theme.h"
#include "ui/timeline/layout/layout.h"
#include "ui/timeline/model/found_spans.h"

namespace lanelab {

class MatchPainter {
 public:
  MatchPainter(const FoundSpans& found, const TimelineLayout& layout, TimeRange range, const look::Palette& palette);
  void paint(QPainter& painter) const;

 private:
  struct Piece {
    double x0 = 0;
    double x1 = 0;
  };
  /// Whole pixels, in order, apart by at least a few.
  std::vector<Piece> piecesOf(std::size_t row) const;
  const RowBox* shownBoxOf(std::size_t row) const;

  const FoundSpans& m_found;
  const TimelineLayout& m_layout;
  const look::Palette& m_palette;
  TimeScale m_scale;
};

}  // namespace lanelab
