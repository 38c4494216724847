// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/layout/detail_parts.h"

#include <algorithm>

#include "profiler/io/tables/gap_tables.h"
#include "ui/timeline/layout/span_text.h"
#include "ui/timeline/layout/ticks.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

/// What the lane did before, which the action could not overtake.
std::optional<SpanRef> neighbourOnLane(const TimelineData& data, SpanRef ref, bool before) {
  if (data.span(ref).category != Category::Action || (before && ref.position == 0)) return {};
  const SpanRef other{ref.row, before ? ref.position - 1 : ref.position + 1};
  if (other.position >= data.rows()[ref.row].spans.size()) return {};
  return data.span(other).step == data.span(ref).step ? std::optional(other) : std::nullopt;
}

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

}  // namespace

std::vector<SpanLink> linksBefore(const TimelineData& data, const Dependencies& dependencies, SpanRef ref) {
  return linksOf(data, dependencies, ref, true);
}

std::vector<SpanLink> linksAfter(const TimelineData& data, const Dependencies& dependencies, SpanRef ref) {
  return linksOf(data, dependencies, ref, false);
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

DetailRows causeRows(const CauseTimes& causes) {
  DetailRows rows;
  for (const Cause cause : bySize(causes)) {
    const double share = static_cast<double>(causes[cause]) / static_cast<double>(causes.total());
    rows.emplace_back(causeText(cause),
                      TimelineTexts::tr("%1 (%2)").arg(durationText(causes[cause]), shareText(share)));
  }
  return rows;
}

void addLines(QStringList& lines, const DetailRows& rows) {
  for (const auto& [name, value] : rows) lines << TimelineTexts::tr("%1: %2").arg(name, value);
}

void addLines(QStringList& lines, const QString& name, const std::vector<SpanLink>& links,
              QString (*text)(const SpanLink&)) {
  for (const SpanLink& link : links) addLines(lines, {{name, text(link)}});
}

double microsecondsOf(Nanoseconds time) { return static_cast<double>(time) * 1e-3; }

QJsonArray jsonOf(const std::vector<SpanLink>& links) {
  QJsonArray all;
  for (const SpanLink& link : links)
    all.append(QJsonObject{{"title", link.title}, {"lane", link.lane}, {"apart_us", microsecondsOf(link.apart)}});
  return all;
}

QJsonObject jsonOf(const CauseTimes& causes) {
  QJsonObject all;
  for (std::size_t i = 0; i < kCauseCount; ++i)
    if (causes.times[i] > 0) all.insert(QString::fromUtf8(kCauseTexts[i]), microsecondsOf(causes.times[i]));
  return all;
}

}  // namespace lanelab
