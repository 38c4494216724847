// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/statistics_tables.h"

#include <algorithm>
#include <span>

#include "base/csv.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "base/utf8.h"
#include "profiler/io/tables/line_object.h"

namespace lanelab {

namespace {

std::span<const GroupStatistics> topOf(const SpanStatistics& statistics, std::size_t top) {
  return std::span(statistics.groups).first(std::min(top, statistics.groups.size()));
}

std::string brief(const std::string& name) {
  constexpr std::size_t kMostCharacters = 56;
  return name.empty() ? "(none)" : onOneTerminalLine(cutInMiddle(name, kMostCharacters));
}

std::string titleOf(Grouping by) {
  std::string title = toWord(by);
  title.front() = static_cast<char>(title.front() - 'a' + 'A');
  return title;
}

std::string pluralOf(Grouping by) { return by == Grouping::Category ? "categories" : toWord(by) + "s"; }

std::vector<std::string> overviewRow(const std::string& name, const LaneTime& lane,
                                     const std::vector<TimePart>& parts) {
  std::vector<std::string> row = {name, plainDuration(lane.window)};
  for (const TimePart part : parts) {
    const Nanoseconds time = lane.parts[static_cast<std::size_t>(part)];
    row.push_back(time == 0 ? "" : plainDuration(time) + "  " + percentText(time, lane.window));
  }
  return row;
}

void putFigures(LineObject& object, const SpanStatistics& statistics, const GroupStatistics& group) {
  object.number("count", group.count);
  object.time("total_us", group.total);
  object.time("self_us", group.self);
  object.time("mean_us", group.mean);
  object.time("median_us", group.median);
  object.time("p95_us", group.p95);
  object.time("longest_us", group.longest);
  object.number("share", statistics.shareOf(group));
}

/// What times count from: the file's axis, and the begin of the trace.
struct TimeZeros {
  Nanoseconds axis;
  Nanoseconds begin;
};

void putLongest(LineObject& object, const Trace& trace, const SpanMatch& place, TimeZeros zeros) {
  const Span span = trace.tracks[place.track].spans[place.span];
  LineObject longest(object.key("longest"));
  longest.text("name", trace.nameOf(span));
  longest.number("lane", trace.tracks[place.track].lane);
  longest.number("step", span.step);
  longest.time("start_us", span.start - zeros.axis);
  longest.time("since_begin_us", span.start - zeros.begin);
  longest.time("duration_us", span.range().length());
  longest.close();
}

void putParts(LineObject& object, const LaneTime& lane) {
  object.time("window_us", lane.window);
  for (std::size_t part = 0; part < kTimePartCount; ++part)
    object.time(toWord(static_cast<TimePart>(part)) + "_us", lane.parts[part]);
}

std::string rangeJson(const SpanStatistics& statistics, TimeZeros zeros) {
  std::string text;
  LineObject window(text);
  window.time("start_us", statistics.window.start - zeros.axis);
  window.time("since_begin_us", statistics.window.start - zeros.begin);
  window.time("duration_us", statistics.window.length());
  if (statistics.part.step) window.number("step", *statistics.part.step);
  window.close();
  return text;
}

std::string overviewJson(const TimeOverview& overview) {
  std::string text;
  LineObject object(text);
  putParts(object, overview.sum());
  appendLines(object.key("lanes", ",\n    "), overview.lanes, "      ", [](LineObject& line, const LaneTime& lane) {
    line.text("name", lane.name);
    putParts(line, lane);
  });
  object.close();
  return text;
}

}  // namespace

std::string wordsFor(TimePart part) {
  std::string words = toWord(part);
  std::ranges::replace(words, '_', ' ');
  return words;
}

TableRows overviewRows(const TimeOverview& overview) {
  const LaneTime sum = overview.sum();
  std::vector<TimePart> parts;
  std::vector<std::string> header = {"Lane", "Window"};
  for (std::size_t part = 0; part < kTimePartCount; ++part) {
    if (sum.parts[part] == 0) continue;
    parts.push_back(static_cast<TimePart>(part));
    header.push_back(wordsFor(parts.back()));
    header.back().front() = static_cast<char>(header.back().front() - 'a' + 'A');
  }
  TableRows rows = {header};
  for (const LaneTime& lane : overview.lanes) rows.push_back(overviewRow(brief(lane.name), lane, parts));
  if (overview.lanes.size() > 1) rows.push_back(overviewRow("all lanes", sum, parts));
  return rows;
}

TableRows statisticsRows(const StatisticsSource& source, std::size_t top) {
  const SpanStatistics& statistics = source.statistics;
  const SpanKeys keys(source.trace, source.imported, statistics.by);
  TableRows rows = {{titleOf(statistics.by), "Count", "Total", "Share", "Self", "Mean", "Median", "p95", "Longest"}};
  for (const GroupStatistics& group : topOf(statistics, top))
    rows.push_back({brief(keys.nameOf(group.key)), groupedDigits(static_cast<std::int64_t>(group.count)),
                    plainDuration(group.total), percentText(group.total, statistics.laneTime()),
                    plainDuration(group.self), plainDuration(group.mean), plainDuration(group.median),
                    plainDuration(group.p95), plainDuration(group.longest)});
  return rows;
}

std::string countedSentence(const StatisticsSource& source) {
  const SpanStatistics& statistics = source.statistics;
  const std::string length = plainDuration(statistics.window.length());
  const std::string step =
      statistics.part.step ? "Step " + std::to_string(shownStep(source.trace, *statistics.part.step)) : std::string();
  if (!statistics.part.range) return (step.empty() ? "All of the trace" : step) + ", " + length + ".";
  const Nanoseconds begin = source.trace.range().start;
  return (step.empty() ? "" : step + ", ") + microsecondsText(statistics.window.start - begin) + " µs to " +
         microsecondsText(statistics.window.end - begin) + " µs of the trace, " + length + ".";
}

std::string groupsSentence(const StatisticsSource& source, std::size_t top) {
  const SpanStatistics& statistics = source.statistics;
  const auto digits = [](std::uint64_t count) { return groupedDigits(static_cast<std::int64_t>(count)); };
  const std::size_t shown = topOf(statistics, top).size();
  std::string text;
  if (shown < statistics.groups.size())
    text = "The " + digits(shown) + " largest totals of " + digits(statistics.groups.size()) + " " +
           pluralOf(statistics.by) + "; --top N lists more. ";
  text += "Total is inclusive, and share is of the lane time, " + plainDuration(statistics.laneTime()) +
          "; self leaves out the spans within.";
  if (statistics.cut > 0)
    text += " " + digits(statistics.cut) +
            (statistics.cut == 1 ? " span is cut at an end of the range and counts"
                                 : " spans are cut at the ends of the range and count") +
            " with the part inside.";
  if (statistics.without_group > 0)
    text += " " + digits(statistics.without_group) + (statistics.without_group == 1 ? " span has" : " spans have") +
            " no " + toWord(statistics.by) + " and " + (statistics.without_group == 1 ? "does" : "do") + " not count.";
  return text;
}

std::string statisticsJson(const StatisticsSource& source, std::size_t top, Nanoseconds axis) {
  const SpanStatistics& statistics = source.statistics;
  const SpanKeys keys(source.trace, source.imported, statistics.by);
  const TimeZeros zeros{axis, source.trace.range().start};
  std::string out = "{\n  \"by\": ";
  appendJsonString(out, toWord(statistics.by));
  out += ",\n  \"window\": " + rangeJson(statistics, zeros);
  out += ",\n  \"lane_time_us\": " + microsecondsText(statistics.laneTime());
  out += ",\n  \"overview\": " + overviewJson(statistics.overview);
  LineObject all(out += ",\n  \"all\": ");
  putFigures(all, statistics, statistics.all);
  all.number("cut", statistics.cut);
  all.number("without_group", statistics.without_group);
  all.close();
  appendLines(out += ",\n  \"rows\": ", topOf(statistics, top), "    ",
              [&](LineObject& object, const GroupStatistics& group) {
                object.text("name", keys.nameOf(group.key));
                putFigures(object, statistics, group);
                putLongest(object, source.trace, group.longest_span, zeros);
              });
  return out + "\n}\n";
}

std::string statisticsCsv(const StatisticsSource& source, std::size_t top) {
  const SpanStatistics& statistics = source.statistics;
  const SpanKeys keys(source.trace, source.imported, statistics.by);
  const Nanoseconds begin = source.trace.range().start;
  std::string csv;
  CsvTable table(csv, "name,count,total_us,self_us,mean_us,median_us,p95_us,longest_us,longest_start_us,share");
  for (const GroupStatistics& group : topOf(statistics, top)) {
    table.text(keys.nameOf(group.key)).integer(static_cast<std::int64_t>(group.count));
    for (const Nanoseconds time : {group.total, group.self, group.mean, group.median, group.p95, group.longest,
                                   group.longest_span.start - begin})
      appendMicroseconds(table.cell(), time);
    table.exact(statistics.shareOf(group)).endRow();
  }
  return csv;
}

}  // namespace lanelab
