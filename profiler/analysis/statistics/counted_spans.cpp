// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/statistics/counted_spans.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "profiler/analysis/idle_causes.h"
#include "profiler/analysis/imported_steps.h"

namespace lanelab {

namespace {

constexpr std::size_t kSpansBetweenStops = 65536;
constexpr TimeRange kAllTime = {std::numeric_limits<Nanoseconds>::min(), std::numeric_limits<Nanoseconds>::max()};

TimeRange rangeOfStep(const std::vector<StepWindow>& steps, int step) {
  const auto found = std::ranges::find(steps, step, &StepWindow::step);
  return found == steps.end() ? TimeRange{} : found->range;
}

bool isCounted(const Span& span, const CountedTimes& times) {
  if (span.category == Category::Step || span.category == Category::Wait) return false;
  return !times.step || span.step < 0 || span.step == *times.step;
}

/// Whether anything of the span is in the range; of one without length, whether it begins there.
bool touches(const Span& span, TimeRange range) {
  return span.start == span.end ? span.start >= range.start && span.start < range.end
                                : span.start < range.end && span.end > range.start;
}

std::uint32_t processOfTrack(const Trace& trace, const ImportedTrace* imported, std::uint32_t track) {
  const bool known = imported && track < imported->rows.size();
  return known ? imported->rows[track].process : static_cast<std::uint32_t>(std::max(trace.tracks[track].lane, 0));
}

/// Of a trace of another program: each lane by the steps of its own process, each other track by those of its thread.
void takeImportedStep(const Trace& trace, const ImportedTrace* imported, const LanesOfWork& work, int step,
                      CountedTimes& times) {
  const ImportedSteps steps(trace, imported);
  for (std::uint32_t track = 0; track < trace.tracks.size(); ++track) {
    times.tracks[track] = rangeOfStep(steps.ofThread(processOfTrack(trace, imported, track)), step);
  }
  for (std::size_t lane = 0; lane < work.lanes.size(); ++lane) {
    const ImportedLane& of = work.lanes[lane];
    times.lanes[lane] =
        rangeOfStep(work.gpus ? steps.ofGpu(of.gpu, of.launcher, of.launched) : steps.ofThread(of.process), step);
    for (const std::uint32_t track : of.tracks) times.tracks[track] = times.lanes[lane];
  }
}

void narrow(std::vector<TimeRange>& ranges, TimeRange to) {
  for (TimeRange& range : ranges) range = intersection(range, to);
}

TimeRange hullOfNonEmpty(const std::vector<TimeRange>& ranges) {
  std::optional<TimeRange> hull;
  for (const TimeRange& range : ranges)
    if (!range.empty()) hull = hull ? hullOf(*hull, range) : range;
  return hull.value_or(TimeRange{});
}

}  // namespace

LanesOfWork lanesOfWork(const Trace& trace, const ImportedTrace* imported) {
  if (hasActions(trace)) return {};
  LanesOfWork work{importedGpus(trace, imported), true};
  return work.lanes.empty() ? LanesOfWork{importedThreads(trace, imported), false} : work;
}

std::vector<int> stepNumbers(const Trace& trace) {
  std::set<int> numbers;
  for (const StepWindow& step : stepWindows(trace)) numbers.insert(step.step);
  if (numbers.empty())
    for (const std::string& name : trace.names)
      if (const auto step = profilerStepOf(name)) numbers.insert(*step);
  return {numbers.begin(), numbers.end()};
}

std::optional<CountedTimes> countedTimes(const Trace& trace, const ImportedTrace* imported, const LanesOfWork& work,
                                         const CountedPart& part) {
  CountedTimes times;
  times.tracks.assign(trace.tracks.size(), kAllTime);
  times.window = trace.range();
  times.lanes.assign(work.lanes.empty() ? trace.lanes.size() : work.lanes.size(), times.window);
  if (part.step) {
    const std::vector<StepWindow> own = stepWindows(trace);
    if (own.empty())
      takeImportedStep(trace, imported, work, *part.step, times);
    else
      for (auto* const ranges : {&times.tracks, &times.lanes}) std::ranges::fill(*ranges, rangeOfStep(own, *part.step));
    times.step = own.empty() ? std::nullopt : part.step;  // spans of other programs have no step of their own
    std::vector<TimeRange> windows = times.tracks;
    windows.insert(windows.end(), times.lanes.begin(), times.lanes.end());
    times.window = hullOfNonEmpty(windows);
    if (times.window.empty()) return std::nullopt;
  }
  if (part.range) {
    times.window = intersection(*part.range, times.window);
    narrow(times.tracks, *part.range);
    narrow(times.lanes, *part.range);
  }
  return times;
}

StepsOfTracks stepsOfTracks(const Trace& trace, const ImportedTrace* imported, const LanesOfWork& work) {
  StepsOfTracks found;
  std::vector<StepWindow> own = stepWindows(trace);
  found.of_track.assign(trace.tracks.size(), 0);
  found.of_lane.assign(work.lanes.empty() ? trace.lanes.size() : work.lanes.size(), 0);
  found.own = !own.empty();
  if (found.own) {
    std::ranges::stable_sort(own, {}, [](const StepWindow& step) { return step.range.start; });
    found.windows.push_back(std::move(own));
    return found;
  }
  const ImportedSteps steps(trace, imported);
  std::map<std::uint32_t, std::uint32_t> of_process;
  const auto placeOf = [&](std::uint32_t process) {
    const auto [known, is_new] = of_process.try_emplace(process, static_cast<std::uint32_t>(found.windows.size()));
    if (is_new) found.windows.push_back(steps.ofThread(process));
    return known->second;
  };
  for (std::uint32_t track = 0; track < trace.tracks.size(); ++track)
    found.of_track[track] = placeOf(processOfTrack(trace, imported, track));
  for (std::size_t lane = 0; lane < work.lanes.size(); ++lane) {
    const ImportedLane& of = work.lanes[lane];
    found.of_lane[lane] = work.gpus ? static_cast<std::uint32_t>(found.windows.size()) : placeOf(of.process);
    if (work.gpus) found.windows.push_back(steps.ofGpu(of.gpu, of.launcher, of.launched));
    for (const std::uint32_t track : of.tracks) found.of_track[track] = found.of_lane[lane];
  }
  if (found.windows.empty()) found.windows.emplace_back();
  return found;
}

std::vector<CountedRow> countedRows(const Trace& trace) {
  std::vector<CountedRow> rows;
  std::vector<CountedRow> of_lane(trace.lanes.size());
  for (const auto kind : {Track::Kind::Compute, Track::Kind::Detail})
    for (std::uint32_t track = 0; track < trace.tracks.size(); ++track)
      if (trace.tracks[track].kind == kind && trace.laneAt(trace.tracks[track].lane) != nullptr)
        of_lane[static_cast<std::size_t>(trace.tracks[track].lane)].push_back(track);
  for (std::uint32_t track = 0; track < trace.tracks.size(); ++track) {
    const Track& one = trace.tracks[track];
    const bool nests = one.kind == Track::Kind::Compute || one.kind == Track::Kind::Detail;
    if (one.kind == Track::Kind::Step || (nests && trace.laneAt(one.lane) != nullptr)) continue;
    rows.push_back({track});
  }
  std::erase_if(of_lane, [](const CountedRow& row) { return row.empty(); });
  rows.insert(rows.end(), of_lane.begin(), of_lane.end());
  return rows;
}

RowWalk::RowWalk(const Trace& trace, const CountedRow& row, const CountedTimes& times, const SpanKeys& keys)
    : m_trace(trace), m_times(times), m_keys(keys) {
  for (const std::uint32_t track : row)
    if (!times.tracks[track].empty()) m_readers.push_back({track, 0, 0, {}});
}

const Span* RowWalk::front(Reader& reader) const {
  const SpanColumns& spans = m_trace.tracks[reader.track].spans;
  if (reader.at == spans.size()) return nullptr;
  if (reader.at >= reader.from + reader.spans.size()) {
    reader.from = reader.at;
    reader.spans.resize(std::min(kRead, spans.size() - reader.at));
    spans.copyTo(reader.from, reader.spans);
  }
  return &reader.spans[reader.at - reader.from];
}

/// Of spans that begin and end together that of the track named first, which holds what contains the others.
RowWalk::Reader* RowWalk::earliest() {
  Reader* first = nullptr;
  const Span* earliest = nullptr;
  for (Reader& reader : m_readers) {
    const Span* const span = front(reader);
    if (span == nullptr || (earliest != nullptr && !kParentsFirst(*span, *earliest))) continue;
    first = &reader;
    earliest = span;
  }
  return first;
}

std::optional<CountedSpan> RowWalk::next() {
  while (Reader* const reader = earliest()) {
    const Span& span = reader->spans[reader->at - reader->from];
    const auto index = static_cast<std::uint32_t>(reader->at++);
    const TimeRange counted = m_times.tracks[reader->track];
    if (span.start >= counted.end) {  // as all behind it
      reader->at = m_trace.tracks[reader->track].spans.size();
      continue;
    }
    if (!isCounted(span, m_times) || !touches(span, counted)) continue;
    while (!m_open.empty() && m_open.back().end <= span.start) m_open.pop_back();
    const std::uint32_t key =
        m_keys.keyOf(span, reader->track, index, m_open.empty() ? SpanKeys::kNone : m_open.back().key);
    m_open.push_back({span.end, key});
    const bool cut = span.start < counted.start || span.end > counted.end;
    return CountedSpan{reader->track, index, key, span.start, intersection(span.range(), counted), cut};
  }
  return std::nullopt;
}

std::vector<SpanMatch> countedSpans(const Trace& trace, const CountedTimes& times, const SpanKeys& keys,
                                    std::optional<std::uint32_t> key, const SpanFilter* filter,
                                    const std::stop_token& stop) {
  std::vector<SpanMatch> found;
  std::size_t seen = 0;
  for (const CountedRow& row : countedRows(trace)) {
    RowWalk walk(trace, row, times, keys);
    while (const auto span = walk.next()) {
      if (++seen % kSpansBetweenStops == 0 && stop.stop_requested()) return found;
      if (key && span->key != *key) continue;
      if (filter && !filter->holds(trace.tracks[span->track].spans[span->index].name, span->key)) continue;
      found.push_back({span->start, span->track, span->index});
    }
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace lanelab
