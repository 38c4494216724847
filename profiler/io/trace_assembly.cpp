#include "profiler/io/trace_assembly.h"

#include <algorithm>
#include <limits>

#include "profiler/io/decimal.h"

namespace lanelab {

namespace {

/// Ids of processes and threads that are texts start here, above all numbers that occur.
constexpr std::int64_t firstTextId = std::int64_t{1} << 62;
/// Sums of two times this large still fit.
constexpr Nanoseconds timeLimit = std::int64_t{1} << 61;

bool inReach(Nanoseconds time) { return time >= -timeLimit && time <= timeLimit; }

bool isDetail(const Span& span) { return span.category == Category::Block || span.category == Category::CpuOp; }

bool startsBefore(const Span& a, const Span& b) { return a.start != b.start ? a.start < b.start : a.end > b.end; }

Track::Kind kindOf(const std::vector<Span>& spans) {
  const auto any = [&](Category category) { return std::any_of(spans.begin(), spans.end(), [=](const Span& s) { return s.category == category; }); };
  if (any(Category::Action)) return Track::Kind::Compute;
  if (any(Category::Transfer)) return Track::Kind::Transfer;
  if (any(Category::Step)) return Track::Kind::Step;
  if (any(Category::Kernel) || any(Category::Memcpy) || any(Category::Memset)) return Track::Kind::Stream;
  if (any(Category::Block)) return Track::Kind::Detail;
  return Track::Kind::Host;
}

}  // namespace

TraceAssembly::TraceAssembly(Nanoseconds base, std::optional<DeclaredTrace> declared, std::map<std::string, std::int64_t>& problems)
    : m_base(base), m_declared(declared.has_value()), m_problems(problems) {
  if (declared) m_result = std::move(*declared);
}

void TraceAssembly::add(const ChromeEvent& event) {
  constexpr std::string_view otherPhases = "BEbneiIRCPSTpFNODvVM(),=c";
  if (event.phase == "X") {
    addSpan(event);
  } else if (event.phase == "M") {
    addMetadata(event);
  } else if (event.phase == "s" || event.phase == "t" || event.phase == "f") {
    return;  // derived from transfers and actions wherever they are needed
  } else {
    const bool known = event.phase.size() == 1 && otherPhases.find(event.phase) != std::string_view::npos;
    ++m_problems[known ? "unsupported_phase" : "unknown_phase"];
  }
}

void TraceAssembly::addMetadata(const ChromeEvent& event) {
  Process& process = m_processes[idOf(event.pid)];
  if (event.name == "process_name") {
    process.name = event.args.name;
    process.named = true;
  } else if (event.name == "process_sort_index") {
    process.order = event.args.sort_index.value_or(0);
  } else if (event.name == "thread_name") {
    process.rows[idOf(event.tid)].name = event.args.name;
  }
}

void TraceAssembly::addSpan(const ChromeEvent& event) {
  const std::optional<Span> span = spanOf(event);
  if (!span) return;
  const std::int64_t pid = idOf(event.pid);
  const std::int64_t tid = idOf(event.tid);
  if (const auto track = declaredTrack(pid, tid, event)) {
    m_result.trace.tracks[*track].spans.push_back(*span);
    return;
  }
  Process& process = m_processes[pid];
  if (process.device.empty()) process.device = event.args.device;
  process.rows[tid].spans.push_back(*span);
}

std::optional<std::size_t> TraceAssembly::declaredTrack(std::int64_t pid, std::int64_t tid, const ChromeEvent& event) const {
  if (!m_declared) return std::nullopt;
  if (event.args.track) {
    const std::int64_t track = *event.args.track;
    if (track >= 0 && static_cast<std::size_t>(track) < m_result.trace.tracks.size()) return static_cast<std::size_t>(track);
  }
  constexpr std::int64_t largest = std::numeric_limits<int>::max();
  if (pid < -largest || pid > largest || tid < 0 || tid > largest) return std::nullopt;
  const auto found = m_result.trackOfRow.find({static_cast<int>(pid), static_cast<int>(tid)});
  return found == m_result.trackOfRow.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Span> TraceAssembly::spanOf(const ChromeEvent& event) {
  const ChromeEvent::Args& args = event.args;
  if (!event.ts || !event.dur || *event.dur < 0 || !inReach(*event.ts) || !inReach(*event.dur)) {
    ++m_problems["bad_number"];
    return std::nullopt;
  }
  Span span;
  span.start = m_base + *event.ts;
  span.end = span.start + *event.dur;
  span.name = intern(event.name);
  span.category = categoryOf(event.category);
  span.phase = args.phase.size() == 1 ? phaseOfLetter(args.phase.front()) : Phase::None;
  span.step = fitted<std::int32_t>(args.step);
  span.stage = fitted<std::int16_t>(args.from_stage ? args.from_stage : args.stage);
  span.micro_batch = fitted<std::int16_t>(args.micro_batch);
  const std::optional<Nanoseconds> mark = args.issued ? args.issued : args.mark;
  if (mark && inReach(*mark)) span.mark = m_base + *mark;
  if (args.queued && inReach(*args.queued)) span.mark = span.start - *args.queued;
  return span;
}

template <class Integer>
Integer TraceAssembly::fitted(std::optional<std::int64_t> value) {
  if (!value) return -1;
  if (*value >= std::numeric_limits<Integer>::min() && *value <= std::numeric_limits<Integer>::max()) return static_cast<Integer>(*value);
  ++m_problems["bad_number"];
  return -1;
}

std::int64_t TraceAssembly::idOf(std::string_view text) {
  if (const auto number = scaledDecimal(text, 0); number && *number < firstTextId) return *number;
  const auto found = m_textIds.find(text);
  if (found != m_textIds.end()) return found->second;
  return m_textIds.emplace(text, firstTextId + static_cast<std::int64_t>(m_textIds.size())).first->second;
}

std::uint32_t TraceAssembly::intern(std::string_view name) {
  const auto found = m_names.find(name);
  if (found != m_names.end()) return found->second;
  const auto index = static_cast<std::uint32_t>(m_result.trace.names.size());
  m_result.trace.names.emplace_back(name);
  return m_names.emplace(name, index).first->second;
}

/// Details on a row of actions become a track of their own below it.
void TraceAssembly::addRow(const Row& row, int lane) {
  const Track::Kind kind = kindOf(row.spans);
  Track main{kind == Track::Kind::Step ? 0 : lane, kind, row.name, {}};
  Track details{lane, Track::Kind::Detail, row.name, {}};
  for (const Span& span : row.spans) (kind == Track::Kind::Compute && isDetail(span) ? details : main).spans.push_back(span);
  m_result.trace.tracks.push_back(std::move(main));
  if (!details.spans.empty()) m_result.trace.tracks.push_back(std::move(details));
}

void TraceAssembly::addProcess(const Process& process, int lane) {
  for (const auto& [tid, row] : process.rows)
    if (!row.spans.empty()) addRow(row, lane);
}

Trace TraceAssembly::finish() {
  // A process that holds only steps is no lane. Lanes in the order in which viewers show processes.
  std::vector<std::pair<std::int64_t, std::int64_t>> laneOrder;
  std::vector<const Process*> stepsOnly;
  for (const auto& [pid, process] : m_processes) {
    bool anySpan = false;
    bool onlySteps = true;
    for (const auto& [tid, row] : process.rows) {
      anySpan = anySpan || !row.spans.empty();
      if (!row.spans.empty() && kindOf(row.spans) != Track::Kind::Step) onlySteps = false;
    }
    if (anySpan && onlySteps) {
      stepsOnly.push_back(&process);
    } else if (anySpan || (process.named && !m_declared)) {
      laneOrder.emplace_back(process.order, pid);
    }
  }
  std::sort(laneOrder.begin(), laneOrder.end());
  for (const auto& [order, pid] : laneOrder) {
    const Process& process = m_processes[pid];
    const int lane = static_cast<int>(m_result.trace.lanes.size());
    m_result.trace.lanes.push_back({process.named ? process.name : "lane " + std::to_string(lane), process.device});
    addProcess(process, lane);
  }
  for (const Process* process : stepsOnly) addProcess(*process, 0);
  for (Track& track : m_result.trace.tracks) {
    if (!std::is_sorted(track.spans.begin(), track.spans.end(), startsBefore)) std::stable_sort(track.spans.begin(), track.spans.end(), startsBefore);
  }
  return std::move(m_result.trace);
}

}  // namespace lanelab
