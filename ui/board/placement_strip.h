// SPDX-License-Identifier: GPL-3.0-only
// One line below the board's lanes: the predicted step of the placement as it is drawn, where the block times come
// from, the colours of memory bars, a warning if lanes have to share cores, and what the network asks for or a cut of
// it means.
#pragma once

#include <QStringList>
#include <QWidget>

#include "ui/board/lane_memory.h"
#include "ui/board/placement_forecast.h"

class QPushButton;

namespace lanelab {

class PlacementStrip : public QWidget {
  Q_OBJECT

 public:
  explicit PlacementStrip(QWidget* parent);
  QSize sizeHint() const override;  ///< a line, and one more for a key, for a warning and for each note

  void showPrediction(const QString& sentence, const QString& tip);
  void showWarning(const QString& sentence);
  /// Sentences, a line each, or all in one on a low board; empty ones are passed over. `gathers`: the last has the
  /// button that emits gatherWanted().
  void showNotes(QStringList sentences, bool gathers);
  /// What the colours of the lanes' memory bars stand for, in a line of its own where the board has room for it.
  void showMemory(std::vector<LaneMemory> lanes);
  const QString& prediction() const { return m_prediction; }
  const QString& warning() const { return m_warning; }
  const QStringList& notes() const { return m_notes; }

 Q_SIGNALS:
  void gatherWanted();  ///< all blocks that use a divided parameter, on one lane

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void describe();
  void placeButton();
  void paintSentence(QPainter& painter, QRectF line, const QString& sentence, qreal right) const;
  bool showsKey() const;
  void paintKey(QPainter& painter, QRectF place) const;

  QString m_prediction, m_tip, m_warning;
  QStringList m_notes;
  QPushButton* m_gather;
  std::vector<LaneMemory> m_memory;
};

/// "Predicted: step 0.71 s (16 % faster), bubble 12 %, peak 93.5 MiB on cpu:0 (from block times of 2026-11-22)"; why
/// there is none where the variant cannot run. `titles`: of the lanes of `memory`.
QString predictionText(const PlacementForecast& forecast, bool previews, const std::vector<LaneMemory>& memory,
                       const QStringList& titles);
/// "from block times of 2026-11-22", "estimated from MACs"; empty without block times.
QString timesOriginText(const PlacementForecast& forecast);
/// What the numbers mean and do not hold.
QString predictionTip(const PlacementForecast& forecast);

}  // namespace lanelab
