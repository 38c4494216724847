// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/layout/gap_details.h"

#include <QJsonDocument>
#include <algorithm>

#include "profiler/io/tables/gap_tables.h"
#include "ui/look/plain_text.h"
#include "ui/timeline/layout/span_text.h"
#include "ui/timeline/layout/ticks.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

int laneOf(const TimelineData& data, SpanRef ref) { return data.rows()[ref.row].lane; }

/// Of all lanes, that ended last in the window of a gap which no action follows there.
std::optional<SpanRef> lastInWindow(const TimelineData& data, const LaneGap& gap) {
  const TimeRange window = windowOf(data, gap);
  std::optional<SpanRef> last;
  for (std::size_t index = 0; index < data.rows().size(); ++index) {
    const Row& row = data.rows()[index];
    if (!row.holdsActions() || row.depth != 0 || !data.sameRun(row.lane, gap.lane)) continue;
    const RowSlice slice = visibleSpans(row, data.track(row), window);
    if (slice.first == slice.last) continue;
    const SpanRef ref{index, slice.last - 1};
    if (!last || data.span(ref).end > data.span(*last).end) last = ref;
  }
  return last && laneOf(data, *last) != gap.lane ? last : std::nullopt;
}

std::vector<SpanLink> awaitedLinks(const TimelineData& data, const Dependencies& dependencies, const LaneGap& gap) {
  if (gap.after) return linksBefore(data, dependencies, *gap.after);
  const std::optional<SpanRef> last = lastInWindow(data, gap);
  if (!last) return {};
  const Nanoseconds apart = gap.range.end - data.span(*last).end;
  return {{*last, spanTitle(data, *last), data.laneName(laneOf(data, *last)), apart}};
}

std::vector<SpanLink> nextLinks(const TimelineData& data, const LaneGap& gap) {
  if (!gap.after) return {};
  const Nanoseconds apart = data.span(*gap.after).start - gap.range.end;
  return {{*gap.after, spanTitle(data, *gap.after), data.laneName(gap.lane), apart}};
}

/// Its step, as readers count; where steps overlap, that of what comes next.
QString stepText(const TimelineData& data, const LaneGap& gap) {
  const std::optional<SpanRef> beside = gap.after ? gap.after : gap.before;
  if (!beside || data.span(*beside).step < 0) return {};
  return QString::number(shownStep(data.trace(), data.span(*beside).step));
}

/// "23 %"; empty where steps overlap, as a moment then is in several.
QString shareOfStep(const TimelineData& data, const LaneGap& gap) {
  const Nanoseconds window = windowOf(data, gap).length();
  if (data.stepsOverlap() || window <= 0) return {};
  return shareText(static_cast<double>(gap.range.length()) / static_cast<double>(window));
}

CauseTimes causesOf(const TimelineData& data, const LaneGap& gap) { return data.causesWithin(gap.lane, gap.range); }

/// `order`: null where it is not known, as of two runs; then nothing is said of what helps.
void addReason(GapDetails& details, const IdleCauses* order) {
  details.why = whyText(details.causes);
  if (!order || details.causes.total() <= 0) return;
  details.fix = look::shownText(sentence("{}.", fixFor(details.causes.largest(), *order)));
}

DetailRows placeRows(const TimelineData& data, const LaneGap& gap) {
  DetailRows rows{{TimelineTexts::tr("Lane"), data.laneName(gap.lane)}};
  if (const int replica = data.replicaOf(gap.lane); replica >= 0)
    rows.emplace_back(TimelineTexts::tr("Replica"), QString::number(replica));
  if (const QString step = stepText(data, gap); !step.isEmpty()) rows.emplace_back(TimelineTexts::tr("Step"), step);
  rows.emplace_back(TimelineTexts::tr("Duration"), durationText(gap.range.length()));
  if (const QString share = shareOfStep(data, gap); !share.isEmpty())
    rows.emplace_back(TimelineTexts::tr("Share of step"), share);
  return rows;
}

}  // namespace

GapDetails explainedBy(const IdleCauses& causes, GapDetails details) {
  const auto lane = std::ranges::find(causes.lanes, details.gap.lane, &LaneCauses::lane);
  if (lane == causes.lanes.end()) return details;
  const TimeRange range = details.gap.range;
  details.causes = {};
  for (const CausePiece& piece : lane->pieces) details.causes[piece.cause] += intersection(piece.range, range).length();
  addReason(details, &causes);
  return details;
}

QString whyText(const CauseTimes& causes) { return causes.total() > 0 ? causeSentence(causes.largest()) : QString(); }

QString gapTitle(const TimelineData& data, const LaneGap& gap) {
  if (gap.after) return TimelineTexts::tr("Idle before %1").arg(spanTitle(data, *gap.after));
  return TimelineTexts::tr("Idle until the end of the step");
}

DetailRows gapFacts(const TimelineData& data, const LaneGap& gap) {
  CauseTimes causes = causesOf(data, gap);
  const Nanoseconds seen = causes.total() / 100;
  for (Nanoseconds& time : causes.times)
    if (time < seen) time = 0;  // the details have them all
  DetailRows facts;
  if (const QString why = whyText(causes); !why.isEmpty()) facts.emplace_back(TimelineTexts::tr("Why"), why);
  const QString length = durationText(gap.range.length()), share = shareOfStep(data, gap);
  facts.emplace_back(TimelineTexts::tr("Duration"),
                     share.isEmpty() ? length : TimelineTexts::tr("%1, %2 of the step").arg(length, share));
  if (const DetailRows rows = causeRows(causes); rows.size() > 1) facts.insert(facts.end(), rows.begin(), rows.end());
  return facts;
}

QString gapSentence(const TimelineData& data, const LaneGap& gap) {
  QStringList parts{gapTitle(data, gap)};
  addLines(parts, gapFacts(data, gap));
  return parts.join(QStringLiteral("  ·  "));
}

std::optional<SpanRef> awaitedBy(const TimelineData& data, const Dependencies& dependencies, const LaneGap& gap) {
  const std::vector<SpanLink> links = awaitedLinks(data, dependencies, gap);
  if (links.empty()) return std::nullopt;
  const Cause largest = causesOf(data, gap).largest();
  const bool by_transfer = largest == Cause::Transfer || largest == Cause::TransferQueued;
  const auto wanted = std::ranges::find_if(links, [&](const SpanLink& link) {
    return laneOf(data, link.span) != gap.lane && (by_transfer || data.span(link.span).category != Category::Transfer);
  });
  return wanted == links.end() ? links.front().span : wanted->span;
}

QString emptyPlaceText(const TimelineData& data, int lane, Nanoseconds time) {
  switch (momentOf(data, lane, time).kind) {
    case LaneMoment::Kind::WithoutWork:
      return TimelineTexts::tr("%1 has no work in this trace").arg(data.laneName(lane));
    case LaneMoment::Kind::Unknown: return TimelineTexts::tr("What %1 does here is not known").arg(data.laneName(lane));
    case LaneMoment::Kind::BetweenSteps: return TimelineTexts::tr("Outside the steps: this time does not count");
    default: return {};
  }
}

GapDetails detailsOf(const TimelineData& data, const Dependencies& dependencies, const LaneGap& gap) {
  GapDetails details;
  details.gap = gap;
  details.title = gapTitle(data, gap);
  details.lane = data.laneName(gap.lane);
  details.since_begin = gap.range.start - data.range().start;
  details.figures = placeRows(data, gap);
  details.figures.emplace_back(TimelineTexts::tr("Start"), durationText(details.since_begin));
  details.causes = causesOf(data, gap);
  addReason(details, data.order());
  details.waited_for = awaitedLinks(data, dependencies, gap);
  details.next = nextLinks(data, gap);
  return details;
}

QString detailsText(const GapDetails& details) {
  QStringList lines{details.title};
  if (!details.why.isEmpty()) lines << details.why;
  if (!details.fix.isEmpty()) lines << details.fix;
  addLines(lines, details.figures);
  addLines(lines, causeRows(details.causes));
  addLines(lines, TimelineTexts::tr("Waited for"), details.waited_for, waitedText);
  addLines(lines, TimelineTexts::tr("Next"), details.next, waitingText);
  return lines.join(QLatin1Char('\n'));
}

QString detailsJson(const GapDetails& details) {
  const QJsonObject object{{"title", details.title},
                           {"lane", details.lane},
                           {"start_us", microsecondsOf(details.since_begin)},
                           {"duration_us", microsecondsOf(details.gap.range.length())},
                           {"why", details.why},
                           {"fix", details.fix},
                           {"causes_us", jsonOf(details.causes)},
                           {"waited_for", jsonOf(details.waited_for)},
                           {"next", jsonOf(details.next)}};
  return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Indented));
}

}  // namespace lanelab
