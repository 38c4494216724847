// Draws the column left of the lanes: names and busy shares. The same for screen, PNG, SVG and PDF.
#pragma once

#include <QPainter>
#include <optional>
#include <vector>

#include "ui/look/theme.h"
#include "ui/timeline/layout.h"

namespace lanelab {

class HeaderPainter {
 public:
  HeaderPainter(const TimelineData& data, const TimelineLayout& layout, const look::Palette& palette);
  /// `selected` holds each lane's busy share of the selection, or nothing.
  void paint(QPainter& painter, const std::vector<double>& selected = {}) const;

 private:
  struct HeaderLine {
    double baseline;
    QFont font;
    QColor color;
  };
  void paintHeader(QPainter& painter, const LaneBox& lane, std::optional<double> selected) const;
  void paintHeaderLine(QPainter& painter, const HeaderLine& line, const QString& left_text, const QString& right_text, bool accent) const;

  const TimelineData& m_data;
  const TimelineLayout& m_layout;
  const look::Palette& m_palette;
  QFont m_font;
};

}  // namespace lanelab
