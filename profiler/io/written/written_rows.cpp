// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/written/written_rows.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "profiler/io/source/imported_id.h"

namespace lanelab {

namespace {

/// Rows without a declared track have instants only. Each belongs to the lane with the number of its process, or else
/// to a process of its own.
void addUndeclaredRows(const ImportedTrace& imported, WrittenRows& written) {
  const std::size_t lanes = written.processes.size();
  std::map<std::uint32_t, std::uint32_t> others;
  const auto processOf = [&](std::uint32_t process) {
    const ImportedProcess& known = imported.processes[process];
    const auto number = numberOf(known.pid);
    if (number && *number >= 0 && static_cast<std::uint64_t>(*number) < lanes)
      return static_cast<std::uint32_t>(*number);
    const auto [place, fresh] = others.try_emplace(process, static_cast<std::uint32_t>(written.processes.size()));
    if (fresh) written.processes.push_back(known.title());
    return place->second;
  };
  for (std::size_t row = written.row_of_imported.size(); row < imported.rows.size(); ++row) {
    written.row_of_imported.push_back(static_cast<std::uint32_t>(written.rows.size()));
    written.rows.push_back({processOf(imported.rows[row].process), imported.rows[row].thread, {}});
  }
}

WrittenRows declaredRows(const ImportedTrace& imported) {
  const Trace& trace = *imported.trace;
  WrittenRows written;
  for (const LaneInfo& lane : trace.lanes) written.processes.push_back(lane.name);
  const std::vector<TraceRow> rows = layOutRows(trace);
  written.row_of_imported.resize(trace.tracks.size());
  for (const TraceRow& row : rows) {
    const auto lane = static_cast<std::uint32_t>(std::max(row.lane, 0));
    while (written.processes.size() <= lane)
      written.processes.push_back("lane " + std::to_string(written.processes.size()));
    written.row_of_imported[row.track] = static_cast<std::uint32_t>(written.rows.size());
    written.rows.push_back({lane, row.name, row.spans});
  }
  for (const TransferFlow& flow : transferFlows(trace, rows)) written.arrows.push_back({flow.from, flow.to});
  addUndeclaredRows(imported, written);
  return written;
}

/// The innermost span of a track that begins right at the time or is open then.
std::optional<SpanPlace> spanAt(const Trace& trace, std::size_t track, Nanoseconds time) {
  constexpr int kDeepest = 64;
  const SpanColumns& spans = trace.tracks[track].spans;
  std::size_t place = spans.firstAfter(time);
  for (int i = 0; i < kDeepest && place > 0; ++i) {
    --place;
    if (spans.endOf(place) > time || spans.startOf(place) == time)
      return SpanPlace{static_cast<std::uint32_t>(track), static_cast<std::uint32_t>(place)};
  }
  return std::nullopt;
}

std::vector<WrittenArrow> importedArrows(const ImportedTrace& imported) {
  std::vector<WrittenArrow> arrows;
  std::optional<SpanPlace> from;
  std::uint32_t flow = 0;
  for (const ImportedFlowEnd& end : imported.flow_ends) {
    if (end.phase == 't' || end.row >= imported.trace->tracks.size()) continue;
    const auto place = spanAt(*imported.trace, end.row, end.time);
    if (end.phase == 's') {
      from = place;
      flow = end.flow;
    } else if (from && place && flow == end.flow) {
      arrows.push_back({*from, *place});
    }
  }
  return arrows;
}

WrittenRows importedRows(const ImportedTrace& imported) {
  const Trace& trace = *imported.trace;
  WrittenRows written;
  for (const ImportedProcess& process : imported.processes) written.processes.push_back(process.title());
  for (std::size_t i = 0; i < imported.rows.size(); ++i) {
    const ImportedRow& row = imported.rows[i];
    // Details lie on the row of the actions before them.
    const bool details = i > 0 && imported.rows[i - 1].process == row.process && imported.rows[i - 1].tid == row.tid;
    if (!details)
      written.rows.push_back({row.process, i < trace.tracks.size() ? trace.tracks[i].name : row.thread, {}});
    written.row_of_imported.push_back(static_cast<std::uint32_t>(written.rows.size() - 1));
    std::vector<SpanPlace>& spans = written.rows.back().spans;
    for (std::size_t span = 0; i < trace.tracks.size() && span < trace.tracks[i].spans.size(); ++span)
      spans.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(span)});
    if (details) {
      std::stable_sort(spans.begin(), spans.end(),
                       [&](SpanPlace a, SpanPlace b) { return kParentsFirst(spanAt(trace, a), spanAt(trace, b)); });
    }
  }
  written.arrows = importedArrows(imported);
  return written;
}

}  // namespace

WrittenRows writtenRowsOf(const ImportedTrace& imported) {
  return imported.declared ? declaredRows(imported) : importedRows(imported);
}

bool severalProcessesLaunch(const ImportedTrace& imported) {
  const auto launches = [](const Span& span) { return span.category == Category::Runtime; };
  std::set<std::uint32_t> callers;
  for (std::size_t track = 0; track < imported.trace->tracks.size(); ++track)
    if (std::ranges::any_of(imported.trace->tracks[track].spans, launches))
      callers.insert(imported.rows[track].process);
  return callers.size() > 1;
}

std::int64_t writtenEvents(const ImportedTrace& imported) {
  std::size_t events = imported.trace->spanCount() + imported.instants.size() + imported.flow_ends.size();
  for (const Counter& counter : imported.trace->counters) events += counter.times.size();
  return static_cast<std::int64_t>(events);
}

}  // namespace lanelab
