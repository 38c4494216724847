// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/lane_memory.h"

#include <QObject>
#include <QPainter>
#include <QPainterPath>
#include <QRectF>
#include <QStringList>
#include <algorithm>

#include "engine/model/memory_caveat.h"
#include "ui/look/quantity_text.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

struct Part {
  QString name;
  std::int64_t bytes = 0;
  QColor colour;
};

/// Colours say where the bytes come from: forward leaves activations, backward gradients, the update its optimizer's
/// tensors.
std::vector<Part> partsOf(const MemoryParts& parts) {
  const look::Palette& palette = look::current();
  return {{QObject::tr("weights and buffers"), parts.parameters, palette.muted_text},
          {QObject::tr("gradients"), parts.gradients, palette.backward},
          {QObject::tr("optimizer"), parts.optimizer, palette.update},
          {QObject::tr("activations"), parts.activations, palette.forward},
          {QObject::tr("tensors in transfer"), parts.transfers, palette.transfer},
          {QObject::tr("workspace"), parts.workspace, palette.wait}};
}

QString whenText(const Action& action) {
  const int stage = action.stage.value, k = action.micro_batch.value;
  switch (action.kind) {
    case ActionKind::Forward: return QObject::tr("forward of micro-batch %1 in stage %2").arg(k).arg(stage);
    case ActionKind::Update: return QObject::tr("the update of stage %1").arg(stage);
    case ActionKind::BackwardWeight:
      return QObject::tr("the weight part of micro-batch %1 in stage %2").arg(k).arg(stage);
    case ActionKind::Backward:
    case ActionKind::BackwardInput: break;
  }
  return QObject::tr("backward of micro-batch %1 in stage %2").arg(k).arg(stage);
}

QString memoryName(const MemoryUse& use) {
  return use.memory == "system memory" ? QObject::tr("system memory") : QString::fromStdString(use.memory);
}

QString shareSentence(const MemoryUse& use) {
  if (use.there == 0) return {};
  if (use.fits())
    return QObject::tr("All lanes in %1: %2 of %3 free")
        .arg(memoryName(use), bytesText(use.needed), bytesText(use.there));
  return QObject::tr("Too much: all lanes in %1 need %2, and %3 is free")
      .arg(memoryName(use), bytesText(use.needed), bytesText(use.there));
}

/// As a dotted line: not beyond the end of the bar.
bool showsLimit(const LaneMemory& lane, std::int64_t whole) { return lane.limit > 0 && lane.limit <= whole; }

}  // namespace

std::vector<LaneMemory> laneMemory(const ResolvedVariant& variant, const std::vector<DeviceInfo>& devices) {
  const Experiment& experiment = variant.experiment();
  const std::vector<LaneForecast> forecasts = forecastMemory(variant);
  const std::vector<MemoryUse> uses = memoryUse(experiment, forecasts, devices);
  const QString caveat = QString::fromStdString(memoryCaveat(variant.model()));
  std::vector<LaneMemory> lanes;
  for (std::size_t i = 0; i < forecasts.size(); ++i) {
    const std::string memory = memoryOfDevice(experiment.lanes[i].device);
    const auto use = std::find_if(uses.begin(), uses.end(), [&](const MemoryUse& u) { return u.memory == memory; });
    lanes.push_back({forecasts[i], *use, 0, experiment.lanes[i].memoryLimit(), caveat});
  }
  return lanes;
}

std::int64_t wholeBar(const std::vector<LaneMemory>& lanes) {
  std::int64_t fullest = 1, there = 0;
  for (const LaneMemory& lane : lanes) {
    fullest = std::max(fullest, lane.forecast.at_peak.total());
    there = std::max(there, lane.use.there);
  }
  if (there > 0 && there <= 4 * fullest) return there;
  std::int64_t whole = fullest;
  for (const LaneMemory& lane : lanes)
    if (lane.limit <= 4 * fullest) whole = std::max(whole, lane.limit);
  return whole;
}

void paintMemoryBar(QPainter& painter, const QRectF& track, const LaneMemory& lane, std::int64_t whole) {
  const look::Palette& palette = look::current();
  QPainterPath round;
  round.addRoundedRect(track, track.height() / 2, track.height() / 2);
  painter.save();
  painter.setPen(Qt::NoPen);
  painter.setClipPath(round);
  // A bar that compares lanes has no end: one that looked full would mean a full memory.
  if (whole == lane.use.there) painter.fillRect(track, palette.grid);
  qreal x = track.left();
  for (const Part& part : partsOf(lane.forecast.at_peak)) {
    const qreal width = track.width() * static_cast<qreal>(part.bytes) / static_cast<qreal>(whole);
    painter.fillRect(QRectF(x, track.top(), width, track.height()), part.colour);
    x += width;
  }
  painter.restore();
  if (lane.measured > 0) {
    const qreal at =
        track.left() + track.width() * std::min(1.0, static_cast<qreal>(lane.measured) / static_cast<qreal>(whole));
    painter.fillRect(QRectF(at - 1, track.top() - 3, 2, track.height() + 6), palette.text);
  }
  if (showsLimit(lane, whole)) {
    const qreal at = track.left() + track.width() * static_cast<qreal>(lane.limit) / static_cast<qreal>(whole);
    painter.setPen(QPen(lane.overLimit() ? palette.error : palette.text, 1.5, Qt::DotLine));
    painter.drawLine(QPointF(at, track.top() - 3), QPointF(at, track.bottom() + 3));
  }
  if (lane.fits()) return;
  painter.setPen(QPen(palette.error, 1.5));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(track.adjusted(-1.5, -1.5, 1.5, 1.5), track.height() / 2 + 1.5, track.height() / 2 + 1.5);
}

std::vector<MemoryKey> memoryKey(const std::vector<LaneMemory>& lanes) {
  MemoryParts all;
  for (const LaneMemory& lane : lanes) all += lane.forecast.at_peak;
  std::vector<MemoryKey> key;
  for (const Part& part : partsOf(all))
    if (part.bytes > 0) key.push_back({part.name, part.colour});
  return key;
}

QString excessWords(const LaneMemory& lane) {
  QString words;
  if (lane.overLimit()) words += QObject::tr(", above its limit");
  if (!lane.use.fits()) words += QObject::tr(", more than is free");
  return words;
}

QString memoryWords(const LaneMemory& lane) {
  const QString bytes = bytesText(lane.forecast.at_peak.total());
  return lane.caveat.isEmpty() ? bytes : QObject::tr("at least %1").arg(bytes);
}

QString memoryTip(const QString& lane_title, const LaneMemory& lane, std::int64_t whole) {
  const std::int64_t total = lane.forecast.at_peak.total();
  if (total == 0) return QObject::tr("%1: no blocks").arg(lane_title);
  QStringList lines{QObject::tr("%1: peak memory %2 (forecast)").arg(lane_title, bytesText(total))};
  for (const Part& part : partsOf(lane.forecast.at_peak)) {
    if (part.bytes > 0) lines << QObject::tr("   %1 %2").arg(bytesText(part.bytes), part.name);
  }
  lines << QObject::tr("Reached in %1").arg(whenText(lane.forecast.when));
  if (lane.measured > 0) lines << QObject::tr("Measured in the shown run: %1 (the mark)").arg(bytesText(lane.measured));
  if (lane.overLimit())
    lines << QObject::tr("Too much: the memory limit of the lane is %1").arg(bytesText(lane.limit));
  else if (showsLimit(lane, whole))
    lines << QObject::tr("Memory limit of the lane: %1 (the dotted line)").arg(bytesText(lane.limit));
  else if (lane.limit > 0)
    lines << QObject::tr("Memory limit of the lane: %1").arg(bytesText(lane.limit));
  if (const QString share = shareSentence(lane.use); !share.isEmpty()) lines << share;
  if (!lane.caveat.isEmpty()) lines << lane.caveat;
  return lines.join('\n');
}

}  // namespace lanelab
