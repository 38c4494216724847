// SPDX-License-Identifier: GPL-3.0-only
// One line below the board's lanes: the predicted step of the placement as it is drawn, where the block times come
// from, the colours of memory bars, and a warning if lanes have to share cores.
#pragma once

#include <QWidget>

#include "ui/board/lane_memory.h"
#include "ui/board/placement_forecast.h"

namespace lanelab {

class PlacementStrip : public QWidget {
  Q_OBJECT

 public:
  explicit PlacementStrip(QWidget* parent);
  QSize sizeHint() const override;  ///< a line, and one more for a key and for a warning

  void showPrediction(const QString& sentence, const QString& tip);
  void showWarning(const QString& sentence);
  /// What the colours of the lanes' memory bars stand for, in a line of its own where the board has room for it.
  void showMemory(std::vector<LaneMemory> lanes);
  const QString& prediction() const { return m_prediction; }
  const QString& warning() const { return m_warning; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void describe();
  bool showsKey() const;
  void paintKey(QPainter& painter, QRectF place) const;

  QString m_prediction, m_tip, m_warning;
  std::vector<LaneMemory> m_memory;
};

/// "Predicted: step 0.71 s (16 % faster), bubble 12 %, peak 93.5 MiB on cpu:0 (from block times of 2026-11-22)"; why
/// there is none where the variant cannot run. `titles`: of the lanes of `memory`.
QString predictionText(const PlacementForecast& forecast, bool previews, const std::vector<LaneMemory>& memory,
                       const QStringList& titles);
/// What the numbers mean and do not hold.
QString predictionTip(const PlacementForecast& forecast);

}  // namespace lanelab
