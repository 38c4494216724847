// SPDX-License-Identifier: GPL-3.0-only
// The short labels in and between spans. A timeline repeats few different ones many times, so each is measured once,
// and on a screen drawn once and copied from then on.
#pragma once

#include <QFont>
#include <QImage>
#include <QRectF>
#include <QString>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "profiler/analysis/cause.h"
#include "ui/timeline/model/timeline_data.h"

namespace lanelab {

/// What a label says, and its colour.
struct LabelKey {
  std::uint64_t what = 0;
  QRgb ink = 0;
  bool operator==(const LabelKey&) const = default;

  static LabelKey ofSpan(const TimelineData& data, const Span& span, QRgb ink);
  static LabelKey ofCause(Cause cause, QRgb ink);
};

/// A text and what is known of it once it was drawn.
struct LabelText {
  QString text;
  double width = 0;  ///< in logical pixels
  QImage pixels;     ///< on nothing; null until it is asked for
};

/// Where a label goes that has room.
struct LabelPlace {
  const LabelText* text = nullptr;
  double left = 0;
  double top = 0;  ///< of the pixels
  double baseline = 0;
};

/// GUI thread, but for find() and place(), which any threads may call while nobody else calls anything.
class LabelCache {
 public:
  /// `ratio`: device pixels a logical one.
  explicit LabelCache(const QFont& font, qreal ratio = 1);
  qreal ratio() const { return m_ratio; }
  const QFont& font() const { return m_font; }

  struct Label {
    LabelText whole;
    LabelText shorter;  ///< of "layer2.1" the "2.1" is enough
  };
  /// Null while it was never made.
  const Label* find(LabelKey key) const;
  /// `pixels`: also draws it.
  const Label& make(LabelKey key, const TimelineData& data, bool pixels);
  /// In the middle of `room`, with `margin` pixels to spare; nothing where it does not fit: cut names say nothing.
  std::optional<LabelPlace> place(const Label& label, const QRectF& room, double margin) const;
  /// What names stand for has changed.
  void clear() { m_labels.clear(); }

 private:
  struct Hash {
    std::size_t operator()(LabelKey key) const {
      return std::hash<std::uint64_t>()((key.what * 0x9E3779B97F4A7C15U) ^ key.ink);
    }
  };
  LabelText measured(const QString& text) const;
  void draw(LabelText& text, QRgb ink) const;

  QFont m_font;
  qreal m_ratio;
  double m_ascent;
  double m_height;
  double m_capitals;
  std::unordered_map<LabelKey, Label, Hash> m_labels;
};

}  // namespace lanelab
