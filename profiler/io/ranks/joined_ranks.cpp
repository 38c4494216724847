// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/ranks/joined_ranks.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "profiler/io/ranks/replica_numbers.h"
#include "profiler/trace/name_table.h"

namespace lanelab {

namespace {

class JoinedRanks {
 public:
  ImportedTrace join(const std::vector<RankPart>& parts) {
    std::vector<std::shared_ptr<const ImportedTrace>> traces;
    for (const RankPart& part : parts) traces.push_back(part.trace);
    const std::vector<int> shifts = microBatchShifts(traces);
    for (std::size_t i = 0; i < parts.size(); ++i) add(parts[i], shifts[i]);
    m_out.format = parts.front().trace->format;
    for (const RankPart& part : parts)
      if (part.trace->format != m_out.format) m_out.format = "several";
    layRest();
    m_trace.names = m_names.releaseTexts();
    m_trace.labels = m_labels.releaseTexts();
    m_out.trace = std::make_shared<const Trace>(std::move(m_trace));
    return std::move(m_out);
  }

 private:
  /// Of one part, what its numbers become.
  struct Places {
    const RankPart& part;
    std::vector<std::uint32_t> names;
    std::vector<std::uint16_t> labels;
    std::vector<std::uint32_t> processes;
    std::vector<std::uint32_t> rows;
    std::vector<std::uint32_t> groups;
    int first_lane = 0;
    int micro_batch_shift = 0;
  };

  static std::string rankText(const RankPart& part) { return "rank " + std::to_string(part.about.rank); }

  void add(const RankPart& part, int micro_batch_shift) {
    const ImportedTrace& from = *part.trace;
    Places places{part, {}, {}, {}, {}, {}, static_cast<int>(m_trace.lanes.size()), micro_batch_shift};
    for (const std::string& name : from.trace->names) places.names.push_back(m_names.indexOf(name));
    for (const std::string& label : from.trace->labels)
      places.labels.push_back(static_cast<std::uint16_t>(m_labels.indexOf(label) + 1));
    for (const ProcessGroup& group : from.groups) places.groups.push_back(groupIndex(group));
    addProcesses(places);
    addLanes(places);
    addRows(places);
    addCounters(places);
    addFlows(places);
    addCounts(places);
    m_out.base = m_out.ranks.empty() ? from.base : std::min(m_out.base, from.base);
    m_out.ranks.push_back(part.about);
    if (!m_out.world_size) m_out.world_size = from.rank.world_size;
  }

  /// Ranks of one group have the same one.
  std::uint32_t groupIndex(const ProcessGroup& group) {
    std::string key = group.name + '\0' + group.description + '\0' + toWord(group.kind);
    for (const int number : {static_cast<int>(group.moves), group.source, group.destination})
      key += '\0' + std::to_string(number);
    for (const int rank : group.ranks) key += ' ' + std::to_string(rank);
    const std::uint32_t index = m_groups.indexOf(key);
    if (index == m_out.groups.size()) m_out.groups.push_back(group);
    return index;
  }

  static bool isOfActions(const ImportedTrace& from) {
    return std::ranges::any_of(from.trace->tracks, [](const Track& track) {
      return track.kind == Track::Kind::Compute && !track.spans.empty() &&
             track.spans.front().category == Category::Action;
    });
  }

  /// Those of which the file has more than a name: PyTorch's lists each GPU of the machine.
  static std::vector<bool> usedProcesses(const ImportedTrace& from) {
    std::vector<bool> used(from.processes.size(), false);
    for (const ImportedRow& row : from.rows) {
      used[row.process] = true;
      if (row.launcher) used[*row.launcher] = true;
    }
    for (const Counter& counter : from.trace->counters)
      if (counter.process < used.size()) used[counter.process] = true;
    return used;
  }

  void addProcesses(Places& places) {
    const ImportedTrace& from = *places.part.trace;
    const std::string rank = rankText(places.part);
    const bool retains = isOfActions(from);
    const std::vector<bool> used = usedProcesses(from);
    for (std::size_t i = 0; i < from.processes.size(); ++i) {
      if (!used[i]) {
        places.processes.push_back(0);
        continue;
      }
      const ImportedProcess& process = from.processes[i];
      ImportedProcess known = process;
      if (!retains || process.pid.text != std::to_string(places.part.about.rank))
        known.pid = {"[" + rank + "] " + process.pid.text, true};
      if (!process.labels.empty() && process.labels != "CPU") {
        known.labels = rank + ", " + process.labels;
        known.name.clear();
      } else if (!process.name.starts_with(rank)) {
        known.name = rank + (process.name.empty() ? "" : ", " + process.name);
      }
      constexpr std::int64_t kProcessesOfRank = std::int64_t{1} << 32;
      known.sort_index = places.part.about.rank * kProcessesOfRank +
                         std::clamp<std::int64_t>(process.sort_index.value_or(0), 0, kProcessesOfRank - 1);
      places.processes.push_back(static_cast<std::uint32_t>(m_out.processes.size()));
      m_out.processes.push_back(std::move(known));
    }
  }

  void addLanes(const Places& places) {
    const ImportedTrace& from = *places.part.trace;
    for (const LaneInfo& lane : from.trace->lanes) m_trace.lanes.push_back(lane);
    for (std::size_t track = 0; track < from.trace->tracks.size(); ++track) {
      if (from.trace->tracks[track].kind == Track::Kind::Step) continue;
      const auto lane = static_cast<std::size_t>(places.first_lane + from.trace->tracks[track].lane);
      m_trace.lanes[lane].name = m_out.processes[places.processes[from.rows[track].process]].title();
    }
  }

  Nanoseconds moved(const Places& places, Nanoseconds time) const { return time + places.part.about.offset; }

  Span movedSpan(const Places& places, Span span) const {
    span.start = moved(places, span.start);
    span.end = moved(places, span.end);
    if (span.mark != 0) span.mark = moved(places, span.mark);
    span.name = places.names[span.name];
    if (span.label != 0) span.label = places.labels[span.label - 1U];
    if (span.micro_batch >= 0)
      span.micro_batch = static_cast<std::int16_t>(span.micro_batch + places.micro_batch_shift);
    return span;
  }

  void addRows(Places& places) {
    const ImportedTrace& from = *places.part.trace;
    for (std::size_t i = 0; i < from.rows.size(); ++i) {
      ImportedRow row = from.rows[i];
      row.process = places.processes[row.process];
      if (row.launcher) row.launcher = places.processes[*row.launcher];
      for (std::uint32_t& group : row.groups) group = group == 0 ? 0 : places.groups[group - 1] + 1;
      if (i >= from.trace->tracks.size()) {
        places.rows.push_back(kRest + static_cast<std::uint32_t>(m_rest.size()));
        m_rest.push_back(std::move(row));
        continue;
      }
      places.rows.push_back(static_cast<std::uint32_t>(m_out.rows.size()));
      m_out.rows.push_back(std::move(row));
      addTrack(places, from.trace->tracks[i]);
    }
  }

  void addTrack(const Places& places, const Track& from) {
    Track track = from;
    track.lane = from.kind == Track::Kind::Step ? 0 : from.lane + places.first_lane;
    std::vector<Span> spans = from.spans.toVector();
    for (Span& span : spans) span = movedSpan(places, span);
    track.spans = spans;
    track.spans.seal();
    m_trace.tracks.push_back(std::move(track));
  }

  void addCounters(const Places& places) {
    for (Counter counter : places.part.trace->trace->counters) {
      if (counter.lane >= 0) counter.lane += places.first_lane;
      if (counter.process < places.processes.size()) counter.process = places.processes[counter.process];
      if (counter.label != 0) counter.label = places.labels[counter.label - 1U];
      for (Nanoseconds& time : counter.times) time = moved(places, time);
      m_trace.counters.push_back(std::move(counter));
    }
  }

  void addFlows(const Places& places) {
    const ImportedTrace& from = *places.part.trace;
    const auto first = static_cast<std::uint32_t>(m_out.flows.size());
    const auto label = [&](std::uint16_t old) { return old == 0 ? std::uint16_t{0} : places.labels[old - 1U]; };
    for (const ImportedFlow& flow : from.flows)
      m_out.flows.push_back({m_out.flows.size() + 1, places.names[flow.name], label(flow.label), false});
    for (ImportedFlowEnd end : from.flow_ends) {
      end.time = moved(places, end.time);
      end.flow += first;
      end.row = places.rows[end.row];
      m_out.flow_ends.push_back(end);
    }
    for (ImportedInstant instant : from.instants) {
      instant.time = moved(places, instant.time);
      instant.name = places.names[instant.name];
      instant.label = label(instant.label);
      instant.row = places.rows[instant.row];
      m_out.instants.push_back(instant);
    }
  }

  void addCounts(const Places& places) {
    const ImportCounts& from = places.part.trace->counts;
    ImportCounts& into = m_out.counts;
    into.spans += from.spans;
    into.instants += from.instants;
    into.counters += from.counters;
    into.flows += from.flows;
    into.bad_counters += from.bad_counters;
    for (const auto& [category, count] : from.categories) into.categories[category] += count;
    for (const auto& [kind, count] : from.problems) into.problems[kind] += count;
    for (const auto& [kind, count] : from.notes) into.notes[kind] += count;
    addUnmatched(from.unmatched);
    for (const std::string& remark : from.remarks) into.remarks.push_back(rankText(places.part) + ": " + remark);
  }

  /// What no rank has.
  void addUnmatched(const std::vector<std::string>& unmatched) {
    std::vector<std::string>& all = m_out.counts.unmatched;
    if (m_out.ranks.empty()) all = unmatched;
    std::erase_if(all, [&](const std::string& one) { return std::ranges::find(unmatched, one) == unmatched.end(); });
  }

  /// Rows without spans follow all tracks.
  void layRest() {
    const auto first = static_cast<std::uint32_t>(m_out.rows.size());
    const auto place = [&](std::uint32_t& row) {
      if (row >= kRest) row = row - kRest + first;
    };
    for (ImportedInstant& instant : m_out.instants) place(instant.row);
    for (ImportedFlowEnd& end : m_out.flow_ends) place(end.row);
    std::ranges::move(m_rest, std::back_inserter(m_out.rows));
  }

  static constexpr std::uint32_t kRest = 0x80000000;  ///< from here: a place in m_rest

  ImportedTrace m_out;
  Trace m_trace;
  NameTable m_names, m_labels, m_groups;
  std::vector<ImportedRow> m_rest;
};

}  // namespace

ImportedTrace joinRanks(const std::vector<RankPart>& parts) { return JoinedRanks().join(parts); }

}  // namespace lanelab
