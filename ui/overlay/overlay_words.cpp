// SPDX-License-Identifier: GPL-3.0-only
#include "ui/overlay/overlay_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "ui/look/plain_text.h"
#include "ui/look/quantity_text.h"
#include "ui/look/spoken_list.h"

namespace lanelab::overlay_words {

namespace {

struct OverlayTexts {
  Q_DECLARE_TR_FUNCTIONS(OverlayDialog)
};

bool isSmoothed(const OverlayChoice& choice) { return choice.smoothing > 0 && !joinsVariants(choice.axis); }

QString value(OverlayMetric metric, double value) { return QString::fromStdString(valueText(metric, value)); }

QString place(OverlayAxis axis, double x) {
  const auto count = static_cast<int>(std::lround(x));
  switch (axis) {
    case OverlayAxis::Step: return OverlayTexts::tr("Step %1").arg(count + 1);
    case OverlayAxis::Time: return OverlayTexts::tr("After %1").arg(secondsText(x));
    case OverlayAxis::Epoch: return OverlayTexts::tr("Epoch %1").arg(count + 1);
    case OverlayAxis::MicroBatchSize: return OverlayTexts::tr("Micro-batch size %1").arg(count);
    case OverlayAxis::Lanes: return OverlayTexts::tr("%n lane(s)", nullptr, count);
  }
  return {};
}

/// "night 2.31 to 0.42".
QString spokenCurve(const Overlay& overlay, const OverlayCurve& curve) {
  const OverlayMetric metric = overlay.choice.metric;
  const QString first = value(metric, curve.points.front().smoothed),
                last = value(metric, curve.points.back().smoothed);
  if (curve.points.size() == 1) return OverlayTexts::tr("%1 %2").arg(name(curve), first);
  return OverlayTexts::tr("%1 %2 to %3").arg(name(curve), first, last);
}

}  // namespace

QString title(OverlayMetric metric) {
  switch (metric) {
    case OverlayMetric::Loss: return OverlayTexts::tr("Training loss");
    case OverlayMetric::ValidationLoss: return OverlayTexts::tr("Validation loss");
    case OverlayMetric::Accuracy: return OverlayTexts::tr("Training accuracy");
    case OverlayMetric::ValidationAccuracy: return OverlayTexts::tr("Validation accuracy");
    case OverlayMetric::StepTime: return OverlayTexts::tr("Step time");
    case OverlayMetric::SamplesPerSecond: return OverlayTexts::tr("Samples/s");
    case OverlayMetric::PeakMemory: return OverlayTexts::tr("Peak memory");
  }
  return {};
}

QString title(OverlayAxis axis) {
  switch (axis) {
    case OverlayAxis::Step: return OverlayTexts::tr("Step");
    case OverlayAxis::Time: return OverlayTexts::tr("Time");
    case OverlayAxis::Epoch: return OverlayTexts::tr("Epoch");
    case OverlayAxis::MicroBatchSize: return OverlayTexts::tr("Micro-batch size");
    case OverlayAxis::Lanes: return OverlayTexts::tr("Lanes");
  }
  return {};
}

QString name(const OverlayCurve& curve) {
  QStringList remarks;
  if (!curve.differs.message.empty()) remarks << look::shownText(curve.differs);
  if (curve.unfinished) remarks << OverlayTexts::tr("unfinished");
  const QString own = look::shownName(curve.name);
  return remarks.isEmpty() ? own : OverlayTexts::tr("%1 (%2)").arg(own, remarks.join(QStringLiteral(", ")));
}

QString heading(const OverlayChoice& choice) {
  return OverlayTexts::tr("%1 against %2").arg(title(choice.metric), title(choice.axis).toLower());
}

QString caption(const Overlay& overlay) {
  const OverlayChoice& choice = overlay.choice;
  QStringList sentences;
  if (!joinsVariants(choice.axis))
    sentences << OverlayTexts::tr("The newest repeat of each variant (n = 1); measured.");
  else if (choice.metric == OverlayMetric::PeakMemory)
    sentences << OverlayTexts::tr(
        "Of each variant the lane with the highest peak; measured. Lines join variants that "
        "differ in nothing else, by the mean if several are at one place.");
  else
    sentences << OverlayTexts::tr(
        "Mean over the counted repeats of each variant; measured. Lines join variants that "
        "differ in nothing else, by the mean if several are at one place.");
  if (choice.axis == OverlayAxis::Time) sentences << OverlayTexts::tr("Time is the sum of the steps.");
  if (isSmoothed(choice))
    sentences
        << OverlayTexts::tr("Exponential moving average with weight %1; pale: as measured.").arg(choice.smoothing);
  for (const Message& note : overlay.notes) sentences << look::shownText(note);
  return sentences.join(QLatin1Char(' '));
}

QString notes(const Overlay& overlay) {
  QStringList lines;
  for (const Message& note : overlay.notes) lines << look::shownText(note);
  return lines.join(QLatin1Char('\n'));
}

QString spoken(const Overlay& overlay) {
  if (overlay.curves.empty()) return notes(overlay);
  QStringList curves;
  for (const OverlayCurve& curve : overlay.curves) curves << spokenCurve(overlay, curve);
  return OverlayTexts::tr("%1, %2: %3.")
      .arg(heading(overlay.choice), OverlayTexts::tr("%n curve(s)", nullptr, static_cast<int>(curves.size())),
           look::spokenList(curves, QStringLiteral("; ")));
}

QString point(const Overlay& overlay, const OverlayCurve& curve, const OverlayPoint& point) {
  const OverlayChoice& choice = overlay.choice;
  const OverlaySource& source = curve.sources[point.source];
  QStringList lines = {OverlayTexts::tr("%1, %2").arg(look::shownName(source.run), look::shownName(source.variant))};
  if (joinsVariants(choice.axis)) lines << look::shownName(curve.name);
  lines << OverlayTexts::tr("%1: %2").arg(place(choice.axis, point.x), value(choice.metric, point.value));
  if (isSmoothed(choice)) lines << OverlayTexts::tr("Smoothed: %1").arg(value(choice.metric, point.smoothed));
  if (joinsVariants(choice.axis) && choice.metric != OverlayMetric::PeakMemory)
    lines << OverlayTexts::tr("Mean of %n repeat(s)", nullptr, source.repeats);
  if (!curve.differs.message.empty()) lines << look::capitalised(look::shownText(curve.differs));
  return lines.join(QLatin1Char('\n'));
}

}  // namespace lanelab::overlay_words
