// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/placement_strip.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPushButton>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "engine/advise/profile_caution.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/quantity_text.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

constexpr double kEqualSteps = 0.0005;  ///< a smaller change of a step is none
constexpr int kBar = 2;
constexpr int kRoomyBoard = 60 * look::kGrid;
constexpr qreal kSwatch = 2 * look::kGrid, kKeyGap = 3 * look::kGrid;

int lineHeight() { return static_cast<int>(std::ceil(QFontMetricsF(look::smallFont()).height())) + look::kGrid; }

QString sharePercent(double share) { return QString::fromStdString(formatPercent(share)); }

/// "(16 % faster)", against the document's placement.
QString changeText(double shown, double present) {
  if (present <= 0 || std::abs(shown / present - 1) < kEqualSteps) return PlacementStrip::tr("(no change)");
  return shown < present ? PlacementStrip::tr("(%1 less than now)").arg(sharePercent(1 - shown / present))
                         : PlacementStrip::tr("(%1 more than now)").arg(sharePercent(shown / present - 1));
}

/// "estimated from MACs, 45 % too short in the shown run"
QString estimateText(const std::optional<double>& error) {
  if (!error) return PlacementStrip::tr("estimated from MACs");
  const QString off = sharePercent(std::abs(*error));
  return *error < 0 ? PlacementStrip::tr("estimated from MACs, %1 too short in the shown run").arg(off)
                    : PlacementStrip::tr("estimated from MACs, %1 too long in the shown run").arg(off);
}

QString originOf(const BlockTimes& times, const std::optional<double>& estimate_error) {
  const bool busy = !busyProfileText(times.profiles.ofLanes()).message.empty();
  const QString from = busy ? PlacementStrip::tr("%1 on a busy machine") : QStringLiteral("%1");
  switch (times.origin) {
    case BlockTimes::Origin::Recorded:
      return from.arg(PlacementStrip::tr("from block times of %1").arg(times.day.c_str()));
    case BlockTimes::Origin::Traced:
      return from.arg(PlacementStrip::tr("from block times of the run of %1").arg(times.day.c_str()));
    case BlockTimes::Origin::Estimated: break;
  }
  return estimateText(estimate_error);
}

/// Of one lane alone no order leaves a bubble, and a lane without blocks is idle for another reason.
QString bubbleText(const PlacementPrediction& shown) {
  const QString empty = shown.empty > 0 ? PlacementStrip::tr(", %n empty lane(s)", nullptr, shown.empty) : QString();
  return shown.working > 1 ? PlacementStrip::tr(", bubble %1").arg(sharePercent(shown.bubble)) + empty : empty;
}

QString peakText(const std::vector<LaneMemory>& memory, const QStringList& titles) {
  const auto highest =
      std::ranges::max_element(memory, {}, [](const LaneMemory& lane) { return lane.forecast.at_peak.total(); });
  if (highest == memory.end()) return {};
  const QString lane = titles.value(static_cast<int>(highest - memory.begin()));
  const QString text = PlacementStrip::tr(", peak %1 on %2").arg(bytesText(highest->forecast.at_peak.total()), lane) +
                       excessWords(*highest);
  const auto over = std::ranges::find_if(memory, &LaneMemory::overLimit);
  if (over == memory.end() || highest->overLimit()) return text;
  return PlacementStrip::tr("%1, %2 above its limit").arg(text, titles.value(static_cast<int>(over - memory.begin())));
}

}  // namespace

PlacementStrip::PlacementStrip(QWidget* parent)
    : QWidget(parent),
      m_gather(look::button("keepOnOneLane", tr("Keep on One Lane"),
                            tr("Move the cut so that one stage has all blocks that use the parameter"), this)) {
  setObjectName("placementStrip");
  m_gather->setFont(look::smallFont());
  m_gather->hide();
  connect(m_gather, &QPushButton::clicked, this, &PlacementStrip::gatherWanted);
  describe();
}

QSize PlacementStrip::sizeHint() const {
  const int lines = 1 + (showsKey() ? 1 : 0) + (m_warning.isEmpty() ? 0 : 1);
  const int button = m_gather->isHidden() ? 0 : std::max(0, m_gather->sizeHint().height() - lineHeight());
  return {50 * look::kGrid, (lines + static_cast<int>(m_notes.size())) * lineHeight() + button};
}

void PlacementStrip::showPrediction(const QString& sentence, const QString& tip) {
  if (sentence == m_prediction && tip == m_tip) return;
  m_prediction = sentence;
  m_tip = tip;
  describe();
}

void PlacementStrip::showWarning(const QString& sentence) {
  if (sentence == m_warning) return;
  m_warning = sentence;
  describe();
}

void PlacementStrip::showNotes(QStringList sentences, bool gathers) {
  sentences.removeAll(QString());
  const bool low = parentWidget()->height() < kRoomyBoard;  // its lanes need the lines
  if (low && sentences.size() > 1) sentences = {sentences.join(QLatin1Char(' '))};
  m_gather->setVisible(gathers && !sentences.isEmpty());
  if (sentences == m_notes) return placeButton();
  m_notes = std::move(sentences);
  describe();
  placeButton();
}

/// At the end of the last line.
void PlacementStrip::placeButton() {
  const QSize size = m_gather->sizeHint();
  m_gather->setGeometry(width() - size.width(), sizeHint().height() - size.height(), size.width(), size.height());
}

void PlacementStrip::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  placeButton();
}

void PlacementStrip::showMemory(std::vector<LaneMemory> lanes) {
  m_memory = std::move(lanes);
  update();
}

/// Not on a low board, whose lanes need the line.
bool PlacementStrip::showsKey() const { return !m_memory.empty() && parentWidget()->height() >= kRoomyBoard; }

void PlacementStrip::paintKey(QPainter& painter, QRectF place) const {
  const QFontMetricsF metrics(look::smallFont());
  const auto write = [&](const QString& text) {
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, text);
    place.setLeft(place.left() + metrics.horizontalAdvance(text) + kKeyGap);
  };
  painter.setPen(look::current().muted_text);
  write(tr("Memory:"));
  for (const MemoryKey& part : memoryKey(m_memory)) {
    painter.fillRect(QRectF(place.left(), std::round(place.center().y() - kSwatch / 2), kSwatch, kSwatch), part.color);
    place.setLeft(place.left() + kSwatch + look::kGrid);
    write(part.name);
  }
}

/// The lines may be cut, so the tip holds them whole.
void PlacementStrip::describe() {
  QStringList lines{m_prediction, m_tip, m_warning};
  lines += m_notes;
  lines.removeAll(QString());
  setToolTip(lines.join('\n'));
  setAccessibleName(tr("Prediction for this placement"));
  QStringList spoken = QStringList{m_prediction, m_warning} + m_notes;
  spoken.removeAll(QString());
  setAccessibleDescription(spoken.join(QLatin1Char(' ')));
  update();
}

void PlacementStrip::paintEvent(QPaintEvent*) {
  const look::Palette& palette = look::current();
  QPainter painter(this);
  painter.setFont(look::smallFont());
  const QFontMetricsF metrics(look::smallFont());
  QRectF line(0, 0, width(), lineHeight());
  painter.setPen(palette.text);
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(m_prediction, Qt::ElideRight, line.width()));
  if (showsKey()) {
    line.translate(0, lineHeight());
    paintKey(painter, line);
  }
  for (const QString& sentence : m_warning.isEmpty() ? m_notes : QStringList{m_warning} + m_notes) {
    line.translate(0, lineHeight());
    const bool shared = !m_gather->isHidden() && sentence == m_notes.back();
    if (shared) line.setHeight(height() - line.top());
    paintSentence(painter, line, sentence, shared ? m_gather->x() - look::kGrid : width());
  }
}

void PlacementStrip::paintSentence(QPainter& painter, QRectF line, const QString& sentence, qreal right) const {
  const look::Palette& palette = look::current();
  painter.setPen(palette.text);
  painter.fillRect(QRectF(0, line.top() + 2, kBar, line.height() - 4),
                   sentence == m_warning ? palette.warning : palette.accent);
  line.setLeft(2 * look::kGrid);
  line.setRight(right);
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(look::smallFont()).elidedText(sentence, Qt::ElideRight, line.width()));
}

QString predictionText(const PlacementForecast& forecast, bool previews, const std::vector<LaneMemory>& memory,
                       const QStringList& titles) {
  const BlockTimes* const times = forecast.times();
  const auto& shown = forecast.shown();
  if (forecast.predicting()) return PlacementStrip::tr("Predicting the step time...");
  if (!shown || times == nullptr) return PlacementStrip::tr("No prediction: this placement cannot run.");
  QString step = secondsText(shown->step_seconds);
  if (previews && forecast.present())
    step = PlacementStrip::tr("%1 %2").arg(step, changeText(shown->step_seconds, forecast.present()->step_seconds));
  else if (shown->range)
    step = PlacementStrip::tr("%1 (90 % range %2)").arg(step, look::shownText(rangeText(*shown->range)));
  const QString text = shown->window == WindowKind::Period ? PlacementStrip::tr("Predicted: period %1%2%3 (%4)")
                                                           : PlacementStrip::tr("Predicted: step %1%2%3 (%4)");
  return text.arg(step, bubbleText(*shown), peakText(memory, titles), timesOriginText(forecast));
}

QString timesOriginText(const PlacementForecast& forecast) {
  return forecast.times() ? originOf(*forecast.times(), forecast.estimateError()) : QString();
}

QString predictionTip(const PlacementForecast& forecast) {
  if (!forecast.shown() || forecast.times() == nullptr) return {};
  const bool overlaps = forecast.shown()->window == WindowKind::Period;
  const QString share = overlaps ? PlacementStrip::tr(
                                       "Lanes are idle %1 of the period from step to step; the bubble is the part that "
                                       "the order of the actions causes.")
                                 : PlacementStrip::tr(
                                       "Lanes are idle %1 of the step; the bubble is the part that the order of the "
                                       "actions causes.");
  QString idle = share.arg(sharePercent(forecast.shown()->idle)) + QLatin1Char(' ') +
                 PlacementStrip::tr(
                     "A run measures more: transfers, waits for data and actions of unequal length "
                     "are not in a prediction.");
  if (const Message busy = busyProfileText(forecast.times()->profiles.ofLanes()); !busy.message.empty())
    idle += QLatin1Char('\n') + look::shownText(busy);
  if (forecast.times()->origin != BlockTimes::Origin::Estimated) return idle;
  return PlacementStrip::tr(
             "%1\nThe estimate assumes %2 per second and CPU thread; only its ratios are useful. "
             "Where to Cut measures the blocks.")
      .arg(idle, PlacementStrip::tr("%1 MACs").arg(QString::fromStdString(formatCount(kEstimatedCpuMacs))));
}

}  // namespace lanelab
