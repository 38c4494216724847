// SPDX-License-Identifier: GPL-3.0-only
// Draws the band above the lanes of each replica: over the body a tint, in the headers its name and busy share. The
// same for screen, PNG, SVG and PDF.
#pragma once

#include <QPainter>

#include "ui/look/theme.h"
#include "ui/timeline/layout/layout.h"

namespace lanelab {

class ReplicaBandPainter {
 public:
  ReplicaBandPainter(const TimelineData& data, const TimelineLayout& layout, const look::Palette& palette)
      : m_data(data), m_layout(layout), m_palette(palette) {}

  /// Below all that lies in the body.
  void paintBody(QPainter& painter) const;
  /// `clickable`: with the triangle that collapses all lanes of the replica.
  void paintHeaders(QPainter& painter, bool clickable) const;

 private:
  QString shareOf(const ReplicaBand& band) const;
  bool isSeen(const ReplicaBand& band) const {
    return band.rect.bottom() >= m_layout.body.top() && band.rect.top() <= m_layout.body.bottom();
  }
  QColor tint() const { return look::mix(m_palette.surface, m_palette.text, 0.08); }

  const TimelineData& m_data;
  const TimelineLayout& m_layout;
  const look::Palette& m_palette;
};

/// "Replica 0".
QString replicaName(int replica);

}  // namespace lanelab
