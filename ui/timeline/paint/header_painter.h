// SPDX-License-Identifier: GPL-3.0-only
// Draws the column left of the lanes: names, busy shares and marks of lanes, the names of their rows and the values of
// counters. The same for screen, PNG, SVG and PDF.
#pragma once

#include <QPainter>
#include <optional>
#include <vector>

#include "ui/look/theme.h"
#include "ui/timeline/layout/layout.h"

namespace lanelab {

/// What of the headers changes while one looks; an export has none of it.
struct HeaderMarks {
  bool clickable = false;        ///< triangles that collapse, and pins under the pointer
  std::vector<double> selected;  ///< each lane's busy share of the selection, or nothing
  std::optional<int> current_lane;
  std::optional<int> hovered_lane;
  std::optional<Nanoseconds> time;  ///< under the pointer: counters tell their value there
  std::optional<double> drop_line;  ///< y of where a lane that is dragged would go
  bool operator==(const HeaderMarks&) const = default;
};

class HeaderPainter {
 public:
  HeaderPainter(const TimelineData& data, const TimelineLayout& layout, const look::Palette& palette);
  void paint(QPainter& painter, const HeaderMarks& marks = {}) const;

 private:
  struct HeaderLine {
    double baseline;
    QFont font;
    QColor color;
  };
  void paintLane(QPainter& painter, const LaneBox& lane, const HeaderMarks& marks) const;
  void paintName(QPainter& painter, const LaneBox& lane, std::optional<double> selected) const;
  void paintMarks(QPainter& painter, const LaneBox& lane, const HeaderMarks& marks) const;
  void paintRowNames(QPainter& painter) const;
  void paintCounterNames(QPainter& painter, std::optional<Nanoseconds> time) const;
  void paintLine(QPainter& painter, const HeaderLine& line, const QString& left_text, const QString& right_text,
                 bool accent) const;
  bool isSeen(const QRectF& rect) const {
    return rect.bottom() >= m_layout.body.top() && rect.top() <= m_layout.body.bottom();
  }

  const TimelineData& m_data;
  const TimelineLayout& m_layout;
  const look::Palette& m_palette;
  QFont m_font;
};

}  // namespace lanelab
