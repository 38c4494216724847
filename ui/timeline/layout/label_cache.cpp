// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/layout/label_cache.h"

#include <QFontMetricsF>
#include <QPainter>
#include <cmath>

#include "ui/look/plain_text.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

constexpr std::size_t kMost = 20'000;  ///< labels stored; a trace with more names is drawn again more often

enum class LabelKind : std::uint64_t { Name, Action, Cause };
constexpr int kKindShift = 60;

std::uint64_t packed(LabelKind kind, std::uint64_t value) {
  return static_cast<std::uint64_t>(kind) << kKindShift | value;
}

/// An action's label has its phase, stage and micro-batch, whatever its name.
QString actionText(const TimelineData& data, std::uint64_t what) {
  Span span;
  span.category = Category::Action;
  span.phase = static_cast<Phase>(what >> 32 & 0xff);
  span.stage = static_cast<std::int16_t>(what >> 16 & 0xffff);
  span.micro_batch = static_cast<std::int16_t>(what & 0xffff);
  return data.label(span);
}

QString textOf(const TimelineData& data, std::uint64_t what) {
  const std::uint64_t value = what & ((std::uint64_t{1} << kKindShift) - 1);
  switch (static_cast<LabelKind>(what >> kKindShift)) {
    case LabelKind::Action: return actionText(data, value);
    case LabelKind::Cause: return causeText(static_cast<Cause>(value));
    case LabelKind::Name: break;
  }
  return look::shownName(data.trace().names[value]);
}

}  // namespace

LabelKey LabelKey::ofSpan(const TimelineData& data, const Span& span, QRgb ink) {
  if (span.category != Category::Action || span.phase == Phase::None) return {packed(LabelKind::Name, span.name), ink};
  const std::uint64_t stage = data.namesStages() ? static_cast<std::uint16_t>(span.stage) : 0;
  const std::uint64_t action =
      std::uint64_t{data.namesStages()} << 40 | static_cast<std::uint64_t>(span.phase) << 32 | stage << 16;
  return {packed(LabelKind::Action, action | static_cast<std::uint16_t>(span.micro_batch)), ink};
}

LabelKey LabelKey::ofCause(Cause cause, QRgb ink) {
  return {packed(LabelKind::Cause, static_cast<std::uint64_t>(cause)), ink};
}

LabelCache::LabelCache(const QFont& font, qreal ratio) : m_font(font), m_ratio(ratio) {
  const QFontMetricsF metrics(font);
  m_ascent = std::ceil(metrics.ascent());
  m_height = std::ceil(metrics.ascent()) + std::ceil(metrics.descent());
  m_capitals = metrics.capHeight();
}

const LabelCache::Label* LabelCache::find(LabelKey key) const {
  const auto found = m_labels.find(key);
  return found == m_labels.end() ? nullptr : &found->second;
}

LabelText LabelCache::measured(const QString& text) const {
  return {text, QFontMetricsF(m_font).horizontalAdvance(text), {}};
}

const LabelCache::Label& LabelCache::make(LabelKey key, const TimelineData& data, bool pixels) {
  if (m_labels.size() >= kMost) m_labels.clear();
  Label& label = m_labels[key];
  if (label.whole.text.isNull()) {
    const QString text = textOf(data, key.what);
    label.whole = measured(text.isNull() ? QStringLiteral("") : text);
    if (text.startsWith(QLatin1String("layer"))) label.shorter = measured(text.mid(5));
  }
  if (pixels) {
    draw(label.whole, key.ink);
    if (!label.shorter.text.isEmpty()) draw(label.shorter, key.ink);
  }
  return label;
}

void LabelCache::draw(LabelText& text, QRgb ink) const {
  if (!text.pixels.isNull()) return;
  text.pixels =
      QImage((QSizeF(std::ceil(text.width) + 1, m_height) * m_ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
  text.pixels.setDevicePixelRatio(m_ratio);
  text.pixels.fill(Qt::transparent);
  QPainter painter(&text.pixels);
  painter.setFont(m_font);
  painter.setPen(QColor::fromRgb(ink));
  painter.drawText(QPointF(0, m_ascent), text.text);
}

std::optional<LabelPlace> LabelCache::place(const Label& label, const QRectF& room, double margin) const {
  const auto fits = [&](const LabelText& text) { return text.width + margin <= room.width(); };
  const LabelText& text = !fits(label.whole) && !label.shorter.text.isEmpty() ? label.shorter : label.whole;
  if (!fits(text)) return std::nullopt;
  const QPointF center = room.center();
  const double baseline = std::round(center.y() + m_capitals / 2);
  return LabelPlace{&text, center.x() - text.width / 2, baseline - m_ascent, baseline};
}

}  // namespace lanelab
