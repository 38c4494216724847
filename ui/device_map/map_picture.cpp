// SPDX-License-Identifier: GPL-3.0-only
#include "ui/device_map/map_picture.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "base/text.h"
#include "ui/charts/chart_canvas.h"
#include "ui/look/plain_text.h"
#include "ui/look/quantity_text.h"
#include "ui/look/spoken_list.h"

namespace lanelab {
namespace {

constexpr qreal kWidth = 640;
constexpr qreal kRowHeight = 10 * look::kGrid;
constexpr qreal kBarHeight = 4 * look::kGrid;

struct Texts {
  Q_DECLARE_TR_FUNCTIONS(DeviceMap)
};

QString pathText(const std::string& path) {
  return path.empty() ? Texts::tr("the whole network") : look::shownName(path);
}

/// The limit that the user gave: the one the map was made with may be smaller, by balancing.
std::optional<std::int64_t> givenLimit(const MemoryLimits& limits, MapDevice device) {
  if (device.kind == MapDevice::Kind::Cpu) return limits.cpu;
  if (device.kind == MapDevice::Kind::Disk) return std::nullopt;  // nothing is too large for it
  const auto found = limits.gpus.find(device.gpu);
  return found == limits.gpus.end() ? std::nullopt : std::optional(found->second);
}

/// Three significant digits, so that 0.7 % is not 1 %.
QString filledText(double share) { return Texts::tr("%1 %").arg(QString::fromStdString(formatNumber(share * 100))); }

QString numberOf(const MapShare& share, const MapAnswer& answer) {
  const std::optional<std::int64_t> given = givenLimit(answer.given, share.device);
  if (!given) return bytesText(share.held);
  const QString text =
      Texts::tr("%1 of %2 (%3)").arg(bytesText(share.held), bytesText(*given), filledText(fillOf(share, answer)));
  return share.limit && *share.limit < *given ? Texts::tr("%1, balanced to %2").arg(text, bytesText(*share.limit))
                                              : text;
}

QString wordsOf(const MapAnswer& answer) {
  QStringList devices;
  for (const MapShare& share : answer.table.devices)
    devices << Texts::tr("%1 holds %2: %3")
                   .arg(deviceName(share.device), numberOf(share, answer), modulesOn(share.device, answer.table));
  return Texts::tr("%1.").arg(look::spokenList(devices, QStringLiteral("; ")));
}

class MapPainter {
 public:
  MapPainter(QPainter& painter, const QRectF& area, const look::Palette& palette, const MapAnswer& answer)
      : m_painter(painter),
        m_area(area),
        m_palette(palette),
        m_answer(answer),
        m_text(pixelFont(look::textFont())),
        m_small(pixelFont(look::smallFont())) {
    const QFontMetricsF metrics(m_text);
    for (const MapShare& share : answer.table.devices) {
      m_names = std::max(m_names, metrics.horizontalAdvance(deviceName(share.device)));
      m_numbers = std::max(m_numbers, metrics.horizontalAdvance(numberOf(share, answer)));
    }
  }

  void paint() const {
    qreal top = m_area.top();
    for (const MapShare& share : m_answer.table.devices) {
      paintRow(share, top);
      top += kRowHeight;
    }
  }

 private:
  void paintRow(const MapShare& share, qreal top) const {
    const QFontMetricsF text(m_text), small(m_small);
    const qreal left = m_area.left() + m_names + 3 * look::kGrid;
    const qreal room = std::max<qreal>(m_area.right() - left - m_numbers - 3 * look::kGrid, 1);
    const QRectF full(left, top + look::kGrid, room, kBarHeight);
    paintLimit(share, full);
    paintHeld(share, full);
    const qreal baseline = full.center().y() + text.capHeight() / 2;
    m_painter.setFont(m_text);
    m_painter.setPen(m_palette.text);
    m_painter.drawText(QPointF(m_area.left(), baseline), deviceName(share.device));
    m_painter.drawText(QPointF(full.right() + 2 * look::kGrid, baseline), numberOf(share, m_answer));
    m_painter.setFont(m_small);
    m_painter.setPen(m_palette.muted_text);
    m_painter.drawText(
        QPointF(left, full.bottom() + small.ascent() + look::kGrid / 2.0),
        small.elidedText(modulesOn(share.device, m_answer.table), Qt::ElideMiddle, m_area.right() - left));
  }

  /// The whole bar is the limit that was given; a line within it the smaller one that balancing made of it.
  void paintLimit(const MapShare& share, const QRectF& full) const {
    m_painter.fillRect(full, m_palette.grid);
    const std::optional<std::int64_t> given = givenLimit(m_answer.given, share.device);
    if (!given || !share.limit || *share.limit >= *given) return;
    const qreal end = full.left() + full.width() * static_cast<double>(*share.limit) / static_cast<double>(*given);
    m_painter.setPen(QPen(m_palette.text, 2));
    m_painter.drawLine(QPointF(end, full.top() - look::kGrid / 2.0), QPointF(end, full.bottom() + look::kGrid / 2.0));
  }

  void paintHeld(const MapShare& share, const QRectF& full) const {
    if (share.held <= 0) return;
    QRectF bar = full;
    const double fill = fillOf(share, m_answer);
    bar.setWidth(std::clamp<qreal>(full.width() * fill, 1, full.width()));
    m_painter.setPen(QPen(fill > 1 ? m_palette.error : m_palette.outline, fill > 1 ? 2 : 1));
    m_painter.setBrush(deviceColor(share.device, m_palette));
    m_painter.drawRect(bar);
    if (share.device.kind == MapDevice::Kind::Disk) look::hatch(m_painter, bar, m_palette.muted_text, 2 * look::kGrid);
  }

  QPainter& m_painter;
  QRectF m_area;
  const look::Palette& m_palette;
  const MapAnswer& m_answer;
  QFont m_text, m_small;
  qreal m_names = 0, m_numbers = 0;
};

}  // namespace

QString deviceName(MapDevice device) {
  switch (device.kind) {
    case MapDevice::Kind::Gpu: return Texts::tr("GPU %1").arg(device.gpu);
    case MapDevice::Kind::Cpu: return Texts::tr("CPU");
    case MapDevice::Kind::Disk: break;
  }
  return Texts::tr("Disk");
}

QColor deviceColor(MapDevice device, const look::Palette& palette) {
  constexpr int kHues = 5;  // of the series; its first is the grey of the CPU
  switch (device.kind) {
    case MapDevice::Kind::Gpu: return palette.series(1 + device.gpu % kHues);
    case MapDevice::Kind::Cpu: return palette.series(0);
    case MapDevice::Kind::Disk: break;
  }
  return palette.pale(palette.series(0), 0.6);
}

QString modulesOn(MapDevice device, const MapTable& table) {
  QStringList runs;
  const std::vector<MapEntry>& entries = table.entries;
  for (std::size_t first = 0; first < entries.size(); ++first) {
    if (entries[first].device != device) continue;
    std::size_t last = first;
    while (last + 1 < entries.size() && entries[last + 1].device == device) ++last;
    const QString from = pathText(entries[first].path);
    runs << (last == first ? from : Texts::tr("%1 to %2").arg(from, pathText(entries[last].path)));
    first = last;
  }
  return runs.isEmpty() ? Texts::tr("nothing") : runs.join(QStringLiteral(", "));
}

double fillOf(const MapShare& share, const MapAnswer& answer) {
  const std::int64_t whole = givenLimit(answer.given, share.device).value_or(answer.table.total);
  return static_cast<double>(share.held) / static_cast<double>(std::max<std::int64_t>(whole, 1));
}

Picture mapPicture(const MapAnswer& answer, const QString& title, const QString& caption) {
  const auto paint = [answer](QPainter& painter, const QRectF& area, const look::Palette& palette) {
    MapPainter(painter, area, palette, answer).paint();
  };
  const QSizeF size(kWidth, kRowHeight * static_cast<qreal>(std::max<std::size_t>(answer.table.devices.size(), 1)));
  return {title, caption, size, paint, {}, wordsOf(answer)};
}

}  // namespace lanelab
