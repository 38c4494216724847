// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/layout/span_details.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>
#include <string>

#include "ui/look/plain_text.h"
#include "ui/timeline/layout/span_text.h"
#include "ui/timeline/layout/ticks.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

std::optional<IdleBefore> idleBefore(const TimelineData& data, SpanRef ref) {
  const Span span = data.span(ref);
  const Row& row = data.rows()[ref.row];
  if (span.category != Category::Action || row.kind != Track::Kind::Compute || row.depth != 0) return {};
  const Nanoseconds idle = data.idleBefore(ref);
  if (idle <= 0) return {};
  return IdleBefore{idle, data.causesWithin(row.lane, {span.start - idle, span.start})};
}

}  // namespace

SpanDetails detailsOf(const TimelineData& data, const Dependencies& dependencies, SpanRef ref) {
  SpanDetails details;
  details.span = data.span(ref);
  details.track = data.rows()[ref.row].track;
  details.title = spanTitle(data, ref);
  details.name = look::shownName(data.trace().nameOf(details.span));
  details.lane = data.laneName(data.rows()[ref.row].lane);
  details.category = look::shownName(std::string(data.trace().categoryNameOf(details.span)));
  details.since_begin = details.span.start - data.range().start;
  details.figures = spanFigures(data, ref);
  details.waited_for = linksBefore(data, dependencies, ref);
  details.waiting = linksAfter(data, dependencies, ref);
  details.idle = idleBefore(data, ref);
  return details;
}

QString detailsText(const SpanDetails& details) {
  QStringList lines{details.title};
  if (details.name != details.title) addLines(lines, {{TimelineTexts::tr("Name"), details.name}});
  addLines(lines, details.figures);
  addLines(lines, TimelineTexts::tr("Waited for"), details.waited_for, waitedText);
  addLines(lines, TimelineTexts::tr("Waits for it"), details.waiting, waitingText);
  if (details.idle) {
    addLines(lines, {{TimelineTexts::tr("Idle before"), durationText(details.idle->length)}});
    for (const auto& [cause, time] : causeRows(details.idle->causes))
      addLines(lines, {{TimelineTexts::tr("Idle by %1").arg(cause), time}});
  }
  addLines(lines, details.arguments);
  return lines.join(QLatin1Char('\n'));
}

QString detailsJson(const SpanDetails& details) {
  const Span& span = details.span;
  QJsonObject object{{"name", details.name},
                     {"title", details.title},
                     {"lane", details.lane},
                     {"category", details.category},
                     {"start_us", microsecondsOf(details.since_begin)},
                     {"duration_us", microsecondsOf(span.range().length())},
                     {"waited_for", jsonOf(details.waited_for)},
                     {"waiting", jsonOf(details.waiting)}};
  if (span.cpu >= 0) object.insert("cpu_us", microsecondsOf(span.cpu));
  if (span.step >= 0) object.insert("step", span.step);
  if (span.stage >= 0) object.insert("stage", span.stage);
  if (span.micro_batch >= 0) object.insert("micro_batch", span.micro_batch);
  if (details.idle)
    object.insert("idle_before", QJsonObject{{"duration_us", microsecondsOf(details.idle->length)},
                                             {"causes_us", jsonOf(details.idle->causes)}});
  if (!details.arguments.empty()) {
    QJsonObject arguments;
    for (const auto& [name, value] : details.arguments) arguments.insert(name, value);
    object.insert("args", arguments);
  }
  return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Indented));
}

}  // namespace lanelab
