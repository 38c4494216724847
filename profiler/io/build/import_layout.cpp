// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/import_builder.h"

#include <algorithm>
#include <tuple>

#include "profiler/io/build/annotated_job.h"
#include "profiler/io/build/first_fit.h"
#include "profiler/io/build/flow_owners.h"
#include "profiler/io/build/import_remarks.h"
#include "profiler/io/build/impossible_times.h"
#include "profiler/io/build/job_rows.h"
#include "profiler/io/build/kernel_kinds.h"
#include "profiler/io/build/launch_join.h"
#include "profiler/io/build/named_gpus.h"
#include "profiler/io/source/imported_id.h"

namespace lanelab {

namespace {

Track::Kind kindOf(const std::vector<Span>& spans) {
  bool found[32] = {};
  for (const Span& span : spans) found[static_cast<std::size_t>(span.category)] = true;
  const auto any = [&](Category category) { return found[static_cast<std::size_t>(category)]; };
  if (any(Category::Action)) return Track::Kind::Compute;
  if (any(Category::Transfer)) return Track::Kind::Transfer;
  if (any(Category::Step)) return Track::Kind::Step;
  if (any(Category::Kernel) || any(Category::Communication) || any(Category::Memcpy) || any(Category::Memset))
    return Track::Kind::Stream;
  if (any(Category::Block)) return Track::Kind::Detail;
  return Track::Kind::Host;
}

/// By sort index, then by number, then by text.
std::tuple<std::int64_t, bool, std::int64_t, std::string> orderOf(std::optional<std::int64_t> sort_index,
                                                                  const ImportedId& id) {
  const auto number = numberOf(id);
  return {sort_index.value_or(0), !number, number.value_or(0), id.text};
}

/// PyTorch's word for the devices of a process that Kineto labels "MTIA 17"; its GPUs are all cuda.
std::string deviceKind(std::string_view labels) {
  const std::string_view word = labels.substr(0, labels.find(' '));
  for (const auto& [label, kind] : {std::pair("MTIA", "mtia"), std::pair("XPU", "xpu"), std::pair("HPU", "hpu")})
    if (word == label) return kind;
  return "cuda";
}

void noteLaunches(const JoinedLaunches& launches, const Trace& trace, ImportCounts& counts) {
  if (launches.without > 0) counts.notes["kernel_without_launch"] = launches.without;
  if (launches.ambiguous > 0) counts.notes["ambiguous_launch"] = launches.ambiguous;
  if (launches.before > 0) counts.notes["before_launch"] = launches.before;
  if (launches.left_out > 0) counts.problems["before_launch"] = launches.left_out;
  if (launches.before + launches.left_out > 0)
    counts.remarks.push_back(beforeLaunchRemark(launches, trace.names[launches.before_name]));
}

/// Whether a span of the track is open at that time.
bool isOpenAt(const Track& track, Nanoseconds time) {
  constexpr int kDeepest = 64;
  std::size_t at = track.spans.firstAfter(time);
  for (int i = 0; i < kDeepest && at > 0; ++i)
    if (track.spans.endOf(--at) > time) return true;
  return false;
}

}  // namespace

/// A lane each process, in the order in which viewers show processes; a track each row, further tracks for what
/// overlaps; blocks and operators on a row of actions get a track of their own. Rows that a declared track takes go
/// there.
class ImportLayout {
 public:
  ImportLayout(ImportBuilder& builder, std::optional<DeclaredTrace> declared)
      : m_builder(builder), m_out(builder.m_result), m_declared(std::move(declared)) {}

  void run() {
    if (!m_declared) recognizeJob(m_builder);
    if (!m_declared) recognizeAnnotations(m_builder);
    if (!m_declared) recognizeGpus();
    m_places.resize(m_builder.m_rows.size());
    recognizeKinds();
    shiftTimes();
    if (!m_dialect && !m_declared)
      correctImpossibleTimes(m_builder.m_rows, m_builder.m_names, m_builder.labelOfCategory("mtia_ccp_events"), m_out);
    if (m_declared) layDeclared();
    m_rows_of_process.resize(m_builder.m_processes.size());
    for (std::uint32_t row = 0; row < m_builder.m_rows.size(); ++row)
      m_rows_of_process[m_builder.m_rows[row].process].push_back(row);
    for (const Lane& lane : lanes()) addLane(lane);
    layRest();
    for (const DraftProcess& process : m_builder.m_processes) m_out.processes.push_back(process.known);
    m_trace.names = m_builder.m_names.releaseTexts();
    m_trace.labels = m_builder.m_labels.releaseTexts();
    layCounters();
    bindEnds();
    separateFlows(m_out, [this](std::uint16_t label) { return label > 0 && isLaunchFlow(m_trace.labels[label - 1U]); });
    const JoinedLaunches launches = joinLaunches(m_out, m_trace);
    countSpans();
    if (!m_dialect && !m_declared) noteLaunches(launches, m_trace, m_out.counts);
    for (Track& track : m_trace.tracks) track.spans.seal();
    if (m_dialect || m_declared) m_out.format = "lanelab";
    m_out.declared = m_declared.has_value();
    m_out.trace = std::make_shared<const Trace>(std::move(m_trace));
  }

 private:
  struct Lane {
    std::uint32_t process = 0;
    bool steps_only = false;  ///< its rows go to lane 0, since it is no lane
  };
  /// Tracks and rows of one draft row.
  struct Place {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  /// What spans of a row have besides, each empty or one a span.
  struct SpanLinks {
    std::vector<std::int64_t> correlations;
    std::vector<std::uint32_t> groups;
  };

  /// When the spans of a thread that takes several rows start, and on which row.
  using StartedRows = std::vector<std::pair<Nanoseconds, std::uint32_t>>;

  /// What is known of the thread of a row; nothing of most.
  const DraftThread& threadOf(const DraftRow& row) const {
    static const DraftThread unknown{};
    const auto found = m_builder.m_threads.find({row.process, row.tid});
    return found == m_builder.m_threads.end() ? unknown : found->second;
  }

  void recognizeGpus() {
    const auto isAction = [](const Span& span) { return span.category == Category::Action; };
    RowTitles titles;
    for (const DraftRow& row : m_builder.m_rows) {
      if (std::any_of(row.spans.begin(), row.spans.end(), isAction)) return;
      const std::string& name = threadOf(row).name;
      titles.threads.push_back(name.empty() ? m_builder.m_tid_ids[row.tid].text : name);
    }
    titles.none = m_builder.tableLabelIndex("");
    titles.labels = m_builder.m_labels.texts();
    recognizeNamedGpus(m_builder.m_processes, m_builder.m_rows, m_builder.m_names, titles);
    recognizeAgents(m_builder.m_rows, titles);
  }

  void recognizeKinds() {
    KernelKinds kinds(m_builder.m_names, m_builder.labelOfCategory("mtia_ccp_events"),
                      m_builder.labelOfCategory("gpu_op"));
    for (DraftRow& row : m_builder.m_rows) {
      for (Span& span : row.spans) {
        span.category = kinds.of(span);
        m_dialect = m_dialect || span.category == Category::Action;
      }
    }
  }

  /// Of the finished tracks, which no longer hold what was left out.
  void countSpans() {
    std::map<std::pair<Category, std::uint16_t>, std::int64_t> counts;
    for (const Track& track : m_trace.tracks) {
      auto place = counts.end();
      for (const Span& span : track.spans) {
        if (place == counts.end() || place->first != std::pair(span.category, span.label))
          place = counts.try_emplace({span.category, span.label}, 0).first;
        ++place->second;
      }
      m_out.counts.spans += static_cast<std::int64_t>(track.spans.size());
    }
    for (const auto& [key, count] : counts)
      m_out.counts.categories[key.second == 0 ? std::string(toString(key.first)) : m_trace.labels[key.second - 1U]] +=
          count;
  }

  void shiftTimes() {
    const Nanoseconds base = m_out.base;
    for (DraftRow& row : m_builder.m_rows) {
      for (Span& span : row.spans) {
        span.start += base;
        span.end += base;
        span.mark = span.mark == ImportBuilder::kNoMark ? 0 : span.mark + base;
      }
    }
    for (ImportedInstant& instant : m_out.instants) instant.time += base;
    for (Counter& counter : m_builder.m_counters)
      for (Nanoseconds& time : counter.times) time += base;
    for (ImportedFlowEnd& end : m_out.flow_ends) end.time += base;
  }

  void layDeclared() {
    m_trace = std::move(m_declared->trace);
    for (const Track& track : m_trace.tracks) {
      ImportedRow row;
      row.process = m_builder.processIndex(numberId(track.lane));
      row.thread = track.name;
      m_out.rows.push_back(std::move(row));
    }
    for (const auto& [place, track] : m_declared->track_of_row)
      if (ImportedId& tid = m_out.rows[track].tid; tid.text.empty()) tid = numberId(place.second);
    for (std::uint32_t row = 0; row < m_builder.m_rows.size(); ++row)
      if (const auto track = declaredTrackOf(m_builder.m_rows[row])) intoDeclared(row, *track);
    for (Track& track : m_trace.tracks) track.spans.sort();
  }

  std::optional<std::size_t> declaredTrackOf(const DraftRow& row) const {
    if (row.track >= 0 && static_cast<std::size_t>(row.track) < m_trace.tracks.size())
      return static_cast<std::size_t>(row.track);
    const auto lane = numberOf(m_builder.m_processes[row.process].known.pid);
    const auto tid = numberOf(m_builder.m_tid_ids[row.tid]);
    constexpr std::int64_t kLargest = std::numeric_limits<int>::max();
    if (!lane || !tid || *lane < -kLargest || *lane > kLargest || *tid < 0 || *tid > kLargest) return std::nullopt;
    const auto found = m_declared->track_of_row.find({static_cast<int>(*lane), static_cast<int>(*tid)});
    return found == m_declared->track_of_row.end() ? std::nullopt : std::optional(found->second);
  }

  void intoDeclared(std::uint32_t index, std::size_t track) {
    DraftRow& row = m_builder.m_rows[index];
    m_trace.tracks[track].spans.append(row.spans);
    row.spans = std::vector<Span>();
    m_places[index] = Place{static_cast<std::uint32_t>(track), 1};
  }

  std::vector<Lane> lanes() const {
    const auto& processes = m_builder.m_processes;
    std::vector<bool> anySpan(processes.size());
    std::vector<bool> onlySteps(processes.size(), true);
    for (const DraftRow& row : m_builder.m_rows) {
      if (row.spans.empty()) continue;
      anySpan[row.process] = true;
      if (kindOf(row.spans) != Track::Kind::Step) onlySteps[row.process] = false;
    }
    std::vector<Lane> lanes;
    for (std::uint32_t process = 0; process < processes.size(); ++process) {
      // A lane of ours that did nothing is a lane all the same; other programs name processes that nothing is known of.
      const bool idle = !anySpan[process] && processes[process].named && m_dialect && !m_declared;
      if (anySpan[process] || idle) lanes.push_back({process, anySpan[process] && onlySteps[process]});
    }
    std::stable_sort(lanes.begin(), lanes.end(), [&](const Lane& a, const Lane& b) {
      const ImportedProcess& left = processes[a.process].known;
      const ImportedProcess& right = processes[b.process].known;
      if (a.steps_only != b.steps_only) return b.steps_only;
      return orderOf(left.sort_index, left.pid) < orderOf(right.sort_index, right.pid);
    });
    return lanes;
  }

  std::string laneName(const DraftProcess& process) const {
    if (!m_dialect) return process.known.title();
    return process.named ? process.known.name : "lane " + std::to_string(m_trace.lanes.size());
  }

  void addLane(const Lane& lane) {
    const DraftProcess& process = m_builder.m_processes[lane.process];
    int index = 0;
    if (!lane.steps_only || m_trace.lanes.empty()) {
      index = static_cast<int>(m_trace.lanes.size());
      m_trace.lanes.push_back({laneName(process), process.device});
      m_lane_of_process[lane.process] = index;
    }
    std::vector<std::uint32_t>& rows = m_rows_of_process[lane.process];
    const auto place = [&](std::uint32_t index_of) {
      const DraftRow& row = m_builder.m_rows[index_of];
      const auto& [name, sort_index, part] = threadOf(row);
      return std::tuple(orderOf(sort_index, part.part > 0 ? part.of : m_builder.m_tid_ids[row.tid]),
                        row.async || part.async, part.part + row.split);
    };
    std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
    for (const std::uint32_t row : rows) {
      if (m_builder.m_rows[row].spans.empty()) continue;
      layRow(row, index);
      LaneInfo& info = m_trace.lanes[static_cast<std::size_t>(index)];
      if (info.device.empty() && m_builder.m_rows[row].device >= 0 && !m_dialect)
        info.device = deviceKind(process.known.labels) + ":" + std::to_string(m_builder.m_rows[row].device);
    }
  }

  std::string threadName(const DraftRow& row) const {
    std::string name = threadOf(row).name;
    if (name.empty()) name = "thread " + m_builder.m_tid_ids[row.tid].text;
    if (row.split > 0) name += " (GPU " + std::to_string(row.device) + " stream " + std::to_string(row.stream) + ")";
    return name;
  }

  void layRow(std::uint32_t index, int lane) {
    m_builder.m_stop.now();
    DraftRow& row = m_builder.m_rows[index];
    const auto first = static_cast<std::uint32_t>(m_trace.tracks.size());
    const Track whole{lane, kindOf(row.spans), threadName(row) + (row.async ? " async" : ""), {}};
    FirstFit fit;
    std::vector<std::uint32_t> parts;
    parts.reserve(row.spans.size());
    for (const Span& span : row.spans) parts.push_back(static_cast<std::uint32_t>(fit.rowOf(span)));
    if (fit.rowCount() == 1) {
      addPart(row, std::move(row.spans), {std::move(row.correlations), std::move(row.groups)}, whole, 0);
    } else {
      std::vector<std::vector<Span>> spans(fit.rowCount());
      std::vector<SpanLinks> links(fit.rowCount());
      for (std::size_t i = 0; i < parts.size(); ++i) {
        spans[parts[i]].push_back(row.spans[i]);
        if (!row.correlations.empty()) links[parts[i]].correlations.push_back(row.correlations[i]);
        if (!row.groups.empty()) links[parts[i]].groups.push_back(row.groups[i]);
      }
      if (!row.async)
        m_builder.problems()["overlap_to_further_row"] += static_cast<std::int64_t>(row.spans.size() - spans[0].size());
      for (std::size_t part = 0; part < spans.size(); ++part)
        addPart(row, std::move(spans[part]), std::move(links[part]), whole, static_cast<int>(part));
    }
    row.spans = std::vector<Span>();
    m_places[index] = Place{first, static_cast<std::uint32_t>(m_trace.tracks.size()) - first};
  }

  void addPart(const DraftRow& row, std::vector<Span> spans, SpanLinks links, Track track, int part) {
    ImportedRow known = outputRow(row, part);
    if (part > 0) track.name += " (" + std::to_string(part + 1) + ")";
    // A further row is what lies on it, but whatever overlaps on a GPU's stream is still the stream's.
    if (track.kind != Track::Kind::Stream) track.kind = kindOf(spans);
    if (track.kind == Track::Kind::Step) track.lane = 0;
    const auto isPart = [](const Span& span) { return isDetail(span.category); };
    if (track.kind == Track::Kind::Compute && std::any_of(spans.begin(), spans.end(), isPart)) {
      // Neither actions nor details have correlations.
      Track details{track.lane, Track::Kind::Detail, track.name, {}};
      for (const Span& span : spans) (isPart(span) ? details : track).spans.push_back(span);
      addTrack(known, std::move(track));
      return addTrack(known, std::move(details));
    }
    known.correlations = std::move(links.correlations);
    known.groups = std::move(links.groups);
    track.spans = spans;
    addTrack(known, std::move(track));
  }

  void addTrack(const ImportedRow& row, Track track) {
    m_out.rows.push_back(row);
    m_trace.tracks.push_back(std::move(track));
  }

  ImportedRow outputRow(const DraftRow& row, int place) {
    constexpr int kPartsOfSplit = 1 << 12;
    const int part = row.split * kPartsOfSplit + std::min(place, row.split > 0 ? kPartsOfSplit - 1 : place);
    ImportedRow known;
    known.process = row.process;
    known.tid = row.async || part > 0 ? freshTid(row, part) : m_builder.m_tid_ids[row.tid];
    const DraftThread& thread = threadOf(row);
    known.thread = thread.name;
    known.sort_index = thread.sort_index;
    known.part_of = m_builder.m_tid_ids[row.tid];
    known.part = row.async ? part + 1 : part;
    known.async = row.async;
    if (thread.part.part > 0) {
      known.part_of = thread.part.of;
      known.part += thread.part.part;
      known.async = thread.part.async;
    }
    known.device = row.device;
    known.stream = row.stream;
    known.launcher = row.launcher;
    return known;
  }

  ImportedId freshTid(const DraftRow& row, int part) {
    constexpr std::int64_t kLargest = std::int64_t{1} << 53;  // beyond it viewers mix numbers up
    const ImportedId& tid = m_builder.m_tid_ids[row.tid];
    auto [last, fresh] = m_last_tid.try_emplace(row.process, 0);
    if (fresh) {
      for (const std::uint32_t other : m_rows_of_process[row.process])
        last->second = std::max(last->second, numberOf(m_builder.m_tid_ids[m_builder.m_rows[other].tid]).value_or(0));
    }
    if (!tid.is_text && last->second < kLargest) return numberId(++last->second);
    return {tid.text + (row.async ? " async" : "") + " (" + std::to_string(part + 1) + ")", true};
  }

  /// Rows that hold no span have no track.
  void layRest() {
    for (std::uint32_t index = 0; index < m_places.size(); ++index) {
      if (m_places[index]) continue;
      m_places[index] = Place{static_cast<std::uint32_t>(m_out.rows.size()), 1};
      m_out.rows.push_back(outputRow(m_builder.m_rows[index], 0));
    }
  }

  void layCounters() {
    m_trace.counters = std::move(m_builder.m_counters);
    const auto lanes = static_cast<std::int64_t>(m_trace.lanes.size());
    for (Counter& counter : m_trace.counters) {
      const auto found = m_lane_of_process.find(counter.process);
      if (found != m_lane_of_process.end()) counter.lane = found->second;
      if (!m_declared) continue;
      const auto pid = numberOf(m_builder.m_processes[counter.process].known.pid);
      if (pid && *pid >= 0 && *pid < lanes) counter.lane = static_cast<int>(*pid);
      if (m_declared->run_counters.contains(counter.name)) counter.lane = -1;
    }
  }

  void bindEnds() {
    for (ImportedInstant& instant : m_out.instants) instant.row = m_places[instant.row]->first;
    std::map<std::uint32_t, StartedRows> started;
    for (ImportedFlowEnd& end : m_out.flow_ends) {
      m_builder.m_stop();
      const Place place = *m_places[end.row];
      if (place.count == 1) {
        end.row = place.first;
        continue;
      }
      auto found = started.find(place.first);
      if (found == started.end()) found = started.emplace(place.first, startedRows(place)).first;
      end.row = rowAt(place, found->second, end.time);
    }
  }

  /// Of the rows of a thread, the one with a span that begins right then, else one with a span that is open.
  std::uint32_t rowAt(const Place& place, const StartedRows& started, Nanoseconds time) const {
    constexpr std::uint32_t kMostRows = 64;
    const auto begun = std::lower_bound(started.begin(), started.end(), std::pair(time, std::uint32_t{0}));
    if (begun != started.end() && begun->first == time) return begun->second;
    for (std::uint32_t row = place.first; row < place.first + std::min(place.count, kMostRows); ++row)
      if (isOpenAt(m_trace.tracks[row], time)) return row;
    return place.first;
  }

  StartedRows startedRows(const Place& place) const {
    StartedRows started;
    for (std::uint32_t row = place.first; row < place.first + place.count; ++row)
      for (const Span& span : m_trace.tracks[row].spans) started.emplace_back(span.start, row);
    std::sort(started.begin(), started.end());
    return started;
  }

  ImportBuilder& m_builder;
  ImportedTrace& m_out;
  std::optional<DeclaredTrace> m_declared;
  Trace m_trace;
  bool m_dialect = false;                                     ///< some span is an action
  std::vector<std::optional<Place>> m_places;                 ///< by draft row
  std::vector<std::vector<std::uint32_t>> m_rows_of_process;  ///< draft rows
  std::map<std::uint32_t, std::int64_t> m_last_tid;
  std::map<std::uint32_t, int> m_lane_of_process;  ///< of those that became lanes
};

void ImportBuilder::layOut(std::optional<DeclaredTrace> declared) { ImportLayout(*this, std::move(declared)).run(); }

}  // namespace lanelab
