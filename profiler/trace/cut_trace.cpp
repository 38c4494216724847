// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/trace/cut_trace.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lanelab {

namespace {

bool holds(TimeRange range, Nanoseconds time) { return time >= range.start && time < range.end; }

bool touches(TimeRange range, const Span& span) {
  return span.start == span.end ? holds(range, span.start) : span.start < range.end && span.end > range.start;
}

Span cut(Span span, TimeRange range) {
  const TimeRange part = intersection(span.range(), range);
  if (part != span.range()) span.cpu = -1;
  span.start = part.start;
  span.end = part.end;
  return span;
}

/// What the file says of each span that is left.
template <class Value>
void keepPlaces(std::vector<Value>& values, const std::vector<std::pair<Span, std::size_t>>& kept) {
  if (values.empty()) return;
  std::vector<Value> left;
  left.reserve(kept.size());
  for (const auto& [span, place] : kept) left.push_back(values[place]);
  values = std::move(left);
}

/// `row`: what the file says of the track; null without.
SpanColumns cutSpans(const SpanColumns& spans, TimeRange range, ImportedRow* row) {
  std::vector<std::pair<Span, std::size_t>> kept;
  for (std::size_t i = 0; i < spans.size() && spans.startOf(i) < range.end; ++i)
    if (const Span span = spans[i]; touches(range, span)) kept.emplace_back(cut(span, range), i);
  std::ranges::stable_sort(kept, kParentsFirst, [](const auto& one) -> const Span& { return one.first; });
  if (row != nullptr) {
    keepPlaces(row->correlations, kept);
    keepPlaces(row->groups, kept);
  }
  SpanColumns columns;
  for (const auto& [span, place] : kept) columns.push_back(span);
  columns.seal();
  return columns;
}

void cutCounter(Counter& counter, TimeRange range) {
  const auto at = [&](Nanoseconds time) {
    return std::ranges::lower_bound(counter.times, time) - counter.times.begin();
  };
  std::ptrdiff_t first = at(range.start);
  const std::ptrdiff_t last = at(range.end);
  const bool begins_later = first == last || counter.times[static_cast<std::size_t>(first)] > range.start;
  if (first > 0 && begins_later) counter.times[static_cast<std::size_t>(--first)] = range.start;
  const auto part = [&](auto& values) { values = {values.begin() + first, values.begin() + std::max(first, last)}; };
  part(counter.times);
  part(counter.values);
}

void cutArrows(ImportedTrace& imported, TimeRange range) {
  std::vector<bool> inside(imported.flows.size(), true);
  for (const ImportedFlowEnd& end : imported.flow_ends)
    if (!holds(range, end.time)) inside[end.flow] = false;
  std::vector<std::uint32_t> place(imported.flows.size());
  std::vector<ImportedFlow> flows;
  for (std::size_t flow = 0; flow < inside.size(); ++flow) {
    place[flow] = static_cast<std::uint32_t>(flows.size());
    if (inside[flow]) flows.push_back(imported.flows[flow]);
  }
  std::erase_if(imported.flow_ends, [&](const ImportedFlowEnd& end) { return !inside[end.flow]; });
  for (ImportedFlowEnd& end : imported.flow_ends) end.flow = place[end.flow];
  imported.flows = std::move(flows);
}

/// Of what was lost or repaired nothing is known of a part.
ImportCounts countsOf(const ImportedTrace& imported, const Trace& trace) {
  ImportCounts counts;
  counts.instants = static_cast<std::int64_t>(imported.instants.size());
  counts.flows = static_cast<std::int64_t>(imported.flows.size());
  counts.remarks = imported.counts.remarks;
  for (const Counter& counter : trace.counters) counts.counters += static_cast<std::int64_t>(counter.times.size());
  for (const Track& track : trace.tracks) {
    counts.spans += static_cast<std::int64_t>(track.spans.size());
    for (const Span& span : track.spans) ++counts.categories[std::string(trace.categoryNameOf(span))];
  }
  return counts;
}

}  // namespace

std::shared_ptr<const ImportedTrace> cutTrace(const ImportedTrace& imported, TimeRange range) {
  auto part = std::make_shared<ImportedTrace>(imported);
  auto trace = std::make_shared<Trace>(*imported.trace);
  for (std::size_t track = 0; track < trace->tracks.size(); ++track) {
    ImportedRow* const row = track < part->rows.size() ? &part->rows[track] : nullptr;
    trace->tracks[track].spans = cutSpans(trace->tracks[track].spans, range, row);
  }
  for (Counter& counter : trace->counters) cutCounter(counter, range);
  std::erase_if(trace->counters, [](const Counter& counter) { return counter.times.empty(); });
  trace->live.clear();
  std::erase_if(part->instants, [&](const ImportedInstant& instant) { return !holds(range, instant.time); });
  cutArrows(*part, range);
  part->counts = countsOf(*part, *trace);
  part->trace = std::move(trace);
  return part;
}

}  // namespace lanelab
