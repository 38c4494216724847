// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/layout/span_details.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>
#include <algorithm>
#include <string>

#include "ui/look/plain_text.h"
#include "ui/timeline/layout/span_text.h"
#include "ui/timeline/layout/ticks.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

double microseconds(Nanoseconds time) { return static_cast<double>(time) * 1e-3; }

/// What the lane did before, which the action could not overtake.
std::optional<SpanRef> neighbourOnLane(const TimelineData& data, SpanRef ref, bool before) {
  if (data.span(ref).category != Category::Action || (before && ref.position == 0)) return {};
  const SpanRef other{ref.row, before ? ref.position - 1 : ref.position + 1};
  if (other.position >= data.rows()[ref.row].spans.size()) return {};
  return data.span(other).step == data.span(ref).step ? std::optional(other) : std::nullopt;
}

/// What the span waited for, or what waits for it.
std::vector<SpanLink> linksOf(const TimelineData& data, const Dependencies& dependencies, SpanRef ref, bool before) {
  std::vector<SpanLink> links;
  const Span span = data.span(ref);
  const auto add = [&](std::optional<SpanRef> other) {
    if (!other || std::ranges::find(links, *other, &SpanLink::span) != links.end()) return;
    const Nanoseconds apart = before ? span.start - data.span(*other).end : data.span(*other).start - span.end;
    links.push_back({*other, spanTitle(data, *other), data.laneName(data.rows()[other->row].lane), apart});
  };
  const auto next = [&](SpanRef of) { return before ? dependencies.waitedOn(of) : dependencies.waiting(of); };
  const auto found = next(ref);
  add(found);
  if (found && data.span(*found).category == Category::Transfer) add(next(*found));
  add(neighbourOnLane(data, ref, before));
  return links;
}

std::optional<IdleBefore> idleBefore(const TimelineData& data, SpanRef ref) {
  const Span span = data.span(ref);
  const Row& row = data.rows()[ref.row];
  if (span.category != Category::Action || row.kind != Track::Kind::Compute || row.depth != 0) return {};
  IdleBefore idle{data.idleBefore(ref), {}};
  if (idle.length <= 0) return {};
  const TimeRange gap{span.start - idle.length, span.start};
  for (const CausePiece& piece : data.causesOf(row.lane)) {
    const TimeRange shared = intersection(piece.range, gap);
    if (!shared.empty()) idle.causes[piece.cause] += shared.length();
  }
  return idle;
}

QJsonArray linksJson(const std::vector<SpanLink>& links) {
  QJsonArray all;
  for (const SpanLink& link : links)
    all.append(QJsonObject{{"title", link.title}, {"lane", link.lane}, {"apart_us", microseconds(link.apart)}});
  return all;
}

QJsonObject idleJson(const IdleBefore& idle) {
  QJsonObject causes;
  for (std::size_t i = 0; i < kCauseCount; ++i)
    if (idle.causes.times[i] > 0) causes.insert(QString::fromUtf8(kCauseTexts[i]), microseconds(idle.causes.times[i]));
  return {{"duration_us", microseconds(idle.length)}, {"causes_us", causes}};
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
  details.waited_for = linksOf(data, dependencies, ref, true);
  details.waiting = linksOf(data, dependencies, ref, false);
  details.idle = idleBefore(data, ref);
  return details;
}

QString waitedText(const SpanLink& link) {
  if (link.apart < 0) return TimelineTexts::tr("%1 on %2").arg(link.title, link.lane);
  if (link.apart == 0) return TimelineTexts::tr("%1 on %2, ended right before").arg(link.title, link.lane);
  return TimelineTexts::tr("%1 on %2, ended %3 before").arg(link.title, link.lane, durationText(link.apart));
}

QString waitingText(const SpanLink& link) {
  if (link.apart < 0) return TimelineTexts::tr("%1 on %2").arg(link.title, link.lane);
  if (link.apart == 0) return TimelineTexts::tr("%1 on %2, began right after").arg(link.title, link.lane);
  return TimelineTexts::tr("%1 on %2, began %3 after").arg(link.title, link.lane, durationText(link.apart));
}

std::vector<std::pair<QString, QString>> idleRows(const IdleBefore& idle) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < kCauseCount; ++i)
    if (idle.causes.times[i] > 0) order.push_back(i);
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return idle.causes.times[i]; });
  std::vector<std::pair<QString, QString>> rows;
  for (const std::size_t i : order) {
    const double share = static_cast<double>(idle.causes.times[i]) / static_cast<double>(idle.length);
    rows.emplace_back(causeText(static_cast<Cause>(i)),
                      TimelineTexts::tr("%1 (%2)").arg(durationText(idle.causes.times[i]), shareText(share)));
  }
  return rows;
}

QString detailsText(const SpanDetails& details) {
  QStringList lines{details.title};
  const auto add = [&](const QString& name, const QString& value) {
    lines << TimelineTexts::tr("%1: %2").arg(name, value);
  };
  if (details.name != details.title) add(TimelineTexts::tr("Name"), details.name);
  for (const auto& [name, value] : details.figures) add(name, value);
  for (const SpanLink& link : details.waited_for) add(TimelineTexts::tr("Waited for"), waitedText(link));
  for (const SpanLink& link : details.waiting) add(TimelineTexts::tr("Waits for it"), waitingText(link));
  if (details.idle) {
    add(TimelineTexts::tr("Idle before"), durationText(details.idle->length));
    for (const auto& [cause, time] : idleRows(*details.idle)) add(TimelineTexts::tr("Idle by %1").arg(cause), time);
  }
  for (const auto& [name, value] : details.arguments) add(name, value);
  return lines.join(QLatin1Char('\n'));
}

QString detailsJson(const SpanDetails& details) {
  const Span& span = details.span;
  QJsonObject object{{"name", details.name},
                     {"title", details.title},
                     {"lane", details.lane},
                     {"category", details.category},
                     {"start_us", microseconds(details.since_begin)},
                     {"duration_us", microseconds(span.range().length())},
                     {"waited_for", linksJson(details.waited_for)},
                     {"waiting", linksJson(details.waiting)}};
  if (span.cpu >= 0) object.insert("cpu_us", microseconds(span.cpu));
  if (span.step >= 0) object.insert("step", span.step);
  if (span.stage >= 0) object.insert("stage", span.stage);
  if (span.micro_batch >= 0) object.insert("micro_batch", span.micro_batch);
  if (details.idle) object.insert("idle_before", idleJson(*details.idle));
  if (!details.arguments.empty()) {
    QJsonObject arguments;
    for (const auto& [name, value] : details.arguments) arguments.insert(name, value);
    object.insert("args", arguments);
  }
  return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Indented));
}

}  // namespace lanelab
