// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/timeline_picture.h"

#include <QStringList>
#include <algorithm>

#include "ui/look/plain_text.h"
#include "ui/timeline/layout/action_difference.h"
#include "ui/timeline/layout/ticks.h"
#include "ui/timeline/model/timeline_texts.h"
#include "ui/timeline/paint/layers.h"

namespace lanelab {
namespace {

constexpr double kPictureWidth = 960;

QString stepsText(const TimelineData& data, TimeRange range) {
  QStringList seen;
  for (const StepWindow& step : data.steps()) {
    if (!intersection(step.range, range).empty()) seen << QString::number(shownStep(data.trace(), step.step));
  }
  if (seen.isEmpty()) return {};
  return seen.size() == 1 ? TimelineTexts::tr("step %1").arg(seen.first())
                          : TimelineTexts::tr("steps %1 to %2").arg(seen.first(), seen.last());
}

QString captionOf(const TimelineData& data, TimeRange range, const RowArrangement& arrangement) {
  QStringList lanes;
  for (int lane = 0; lane < static_cast<int>(data.trace().lanes.size()); ++lane) {
    const auto share = data.busyShare(lane);
    if (share) lanes << TimelineTexts::tr("%1 %2").arg(data.laneName(lane), shareText(*share));
  }
  const TimeRange seen = intersection(range, data.range());
  const std::vector<bool> used = lanesInUse(data.trace());
  const auto count = std::ranges::count(used, true);
  QStringList what{look::capitalised(originText(data.trace())),
                   count == 1 ? TimelineTexts::tr("1 lane") : TimelineTexts::tr("%1 lanes").arg(count)};
  const QString steps = stepsText(data, seen);
  if (!steps.isEmpty()) what << steps;
  what << TimelineTexts::tr("%1 to %2")
              .arg(durationText(seen.start - data.range().start), durationText(seen.end - data.range().start));
  QStringList sentences{TimelineTexts::tr("%1.").arg(what.join(QStringLiteral(", ")))};
  if (!lanes.isEmpty())
    sentences << (data.stepsOverlap() ? TimelineTexts::tr("Utilization of all periods: %1.")
                                      : TimelineTexts::tr("Utilization of all steps: %1."))
                     .arg(lanes.join(QStringLiteral(", ")));
  if (data.aligned()) sentences << TimelineTexts::tr("Each step of B begins where that of A does.");
  if (data.prediction() && arrangement.shows(RowKind::Predicted))
    sentences
        << TimelineTexts::tr("Outlines: predicted, %1 per step.").arg(durationText(data.prediction()->stepLength()));
  if (data.trace().dropped > 0)
    sentences << TimelineTexts::tr("%1 spans were lost in recording.").arg(data.trace().dropped);
  return sentences.join(QLatin1Char(' '));
}

}  // namespace

Picture timelinePicture(std::shared_ptr<const TimelineData> data, TimeRange range, const RowArrangement& arrangement,
                        bool differences) {
  Picture picture;
  if (!data || data->empty()) return picture;
  picture.title = look::shownText(data->trace().title);
  picture.caption = captionOf(*data, range, arrangement);
  picture.size = QSizeF(kPictureWidth, naturalHeight(*data, arrangement));
  picture.paint = [data, range, arrangement, differences = differences && hasDifferences(*data)](
                      QPainter& painter, const QRectF& body, const look::Palette& palette) {
    const TimelineLayout layout = layOut(*data, body, arrangement, 0);
    const TimelineScene scene{*data, layout, layout.scale(range), palette};
    paintLanes(painter, scene);
    paintRunEnds(painter, scene);
    if (differences) paintDifferences(painter, scene);
    paintPredicted(painter, scene);
    paintCounters(painter, scene);
    paintHeaders(painter, scene);
    std::vector<LegendEntry> legend = legendEntries(*data, arrangement);
    std::erase_if(legend, [](const LegendEntry& entry) { return !entry.shown; });
    for (LegendEntry& entry : legend) entry.rows.reset();  // a figure has nothing to click
    paintFrame(painter, scene, placedLegend(std::move(legend), layout));
    if (differences) paintDifferenceLegend(painter, scene);
  };
  return picture;
}

Picture timelinePicture(std::shared_ptr<const Trace> trace, std::optional<TimeRange> range) {
  if (!trace) return {};
  auto data = std::make_shared<const TimelineData>(std::move(trace));
  return timelinePicture(data, range.value_or(widened(data->range(), 0.01)), RowArrangement(), false);
}

}  // namespace lanelab
