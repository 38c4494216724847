// SPDX-License-Identifier: GPL-3.0-only
// The forecast of each lane's peak memory beside the board: a bar of its parts, and the words for it.
#pragma once

#include <QColor>
#include <QString>
#include <cstdint>
#include <vector>

#include "engine/lanes/executor.h"
#include "engine/memory/variant_memory.h"

class QPainter;
class QRectF;

namespace lanelab {

struct LaneMemory {
  LaneForecast forecast;
  MemoryUse use;              ///< of all lanes that share its memory
  std::int64_t measured = 0;  ///< its peak in the run that is shown; 0 none
  std::int64_t limit = 0;     ///< the lane's own; 0 none
  QString caveat = {};        ///< what the forecast does not know; empty: nothing
  bool overLimit() const { return limit > 0 && forecast.at_peak.total() > limit; }
  bool fits() const { return use.fits() && !overLimit(); }
};

/// One entry a lane; none where the variant cannot be planned.
std::vector<LaneMemory> laneMemory(const ResolvedVariant& variant, const std::vector<DeviceInfo>& devices);

/// What a whole bar stands for: the memory that is there, unless no lane fills a quarter of it; then the fullest lane,
/// so that bars compare lanes, or the largest limit that is above it and within four times of it.
std::int64_t wholeBar(const std::vector<LaneMemory>& lanes);
void paintMemoryBar(QPainter& painter, const QRectF& track, const LaneMemory& lane, std::int64_t whole);

/// The parts that a bar of these lanes has, in its order, with their colours.
struct MemoryKey {
  QString name;
  QColor color;
};
std::vector<MemoryKey> memoryKey(const std::vector<LaneMemory>& lanes);

/// ", above its limit", ", more than is free", both, or nothing where it fits.
QString excessWords(const LaneMemory& lane);
/// "93.0 MiB", or "at least 93.0 MiB"
QString memoryWords(const LaneMemory& lane);
/// Every part with its bytes, when the peak is, what is there, and whether it fits. `whole`: of wholeBar().
QString memoryTip(const QString& lane_title, const LaneMemory& lane, std::int64_t whole);

}  // namespace lanelab
