// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/aligned_runs.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "profiler/analysis/busy_pieces.h"
#include "profiler/analysis/idle_causes.h"
#include "profiler/trace/step_periods.h"

namespace lanelab {

namespace {

using Shifts = std::vector<AlignedRuns::Shift>;

Nanoseconds shiftAt(const Shifts& shifts, Nanoseconds time) {
  const auto after = std::ranges::upper_bound(shifts, time, {}, &AlignedRuns::Shift::start);
  return (after == shifts.begin() ? after : after - 1)->shift;
}

/// Where the steps of one run go.
struct StepShifts {
  std::vector<StepWindow> windows;  ///< as the run has them, by step
  Shifts shifts;                    ///< of each; one of a run without steps

  Nanoseconds ofTime(Nanoseconds time) const { return shiftAt(shifts, time); }
  Nanoseconds of(const Span& span) const { return ofStep(span.step, span.start); }
  /// Of what belongs to a step, or to none.
  Nanoseconds ofStep(int step, Nanoseconds time) const {
    if (step >= 0) {
      const auto found = std::ranges::lower_bound(windows, step, {}, &StepWindow::step);
      if (found != windows.end() && found->step == step)
        return shifts[static_cast<std::size_t>(found - windows.begin())].shift;
    }
    return ofTime(time);
  }
  std::vector<StepWindow> moved() const {
    std::vector<StepWindow> result = windows;
    for (std::size_t i = 0; i < result.size(); ++i) result[i].range = windows[i].range.movedBy(shifts[i].shift);
    return result;
  }
};

/// From this window's start to the next one's, or to its own end where it is the last.
Nanoseconds wayOn(const std::vector<StepWindow>& windows, std::size_t index) {
  const TimeRange range = windows[index].range;
  return index + 1 < windows.size() ? std::max(range.length(), windows[index + 1].range.start - range.start)
                                    : range.length();
}

std::array<StepShifts, 2> shiftsOf(const Trace& a, const Trace& b) {
  std::array<StepShifts, 2> sides{StepShifts{stepWindows(a), {}}, StepShifts{stepWindows(b), {}}};
  std::set<int> steps;
  for (const StepShifts& side : sides)
    for (const StepWindow& window : side.windows) steps.insert(window.step);
  Nanoseconds place = sides[0].windows.empty() ? a.range().start : sides[0].windows.front().range.start;
  for (const int step : steps) {
    Nanoseconds way = 0;
    for (StepShifts& side : sides) {
      const std::size_t next = side.shifts.size();
      if (next == side.windows.size() || side.windows[next].step != step) continue;
      const Nanoseconds start = side.windows[next].range.start;
      side.shifts.push_back({start, place - start});
      way = std::max(way, wayOn(side.windows, next));
    }
    place += way;
  }
  if (sides[0].shifts.empty()) sides[0].shifts.push_back({0, 0});
  if (sides[1].shifts.empty()) sides[1].shifts.push_back({0, a.range().start - b.range().start});
  return sides;
}

/// A0 B0 A1 B1 ..., then what one run has more of.
std::vector<AlignedRuns::Lane> lanesOf(const Trace& a, const Trace& b) {
  std::vector<AlignedRuns::Lane> lanes;
  for (std::size_t i = 0; i < std::max(a.lanes.size(), b.lanes.size()); ++i) {
    if (i < a.lanes.size()) lanes.push_back({RunSide::A, static_cast<int>(i)});
    if (i < b.lanes.size()) lanes.push_back({RunSide::B, static_cast<int>(i)});
  }
  return lanes;
}

class Joiner {
 public:
  Joiner(const Trace& a, const Trace& b)
      : m_runs{&a, &b},
        m_shifts(shiftsOf(a, b)),
        m_lanes(lanesOf(a, b)),
        m_trace(std::make_shared<Trace>()),
        m_places{std::vector<int>(a.lanes.size()), std::vector<int>(b.lanes.size())} {
    for (std::size_t i = 0; i < m_lanes.size(); ++i)
      m_places[index(m_lanes[i].side)][static_cast<std::size_t>(m_lanes[i].own)] = static_cast<int>(i);
  }

  AlignedRuns joined(MicroBatchSizes micro_batches) {
    const Trace& a = *m_runs[0];
    const Trace& b = *m_runs[1];
    m_trace->title = a.title == b.title ? a.title : a.title + ", " + b.title;
    m_trace->origin = std::max(a.origin, b.origin);
    m_trace->extent = std::max(a.extent, b.extent);
    m_trace->dropped = a.dropped + b.dropped;
    for (const AlignedRuns::Lane& lane : m_lanes) m_trace->lanes.push_back(named(lane));
    for (const RunSide side : {RunSide::A, RunSide::B}) addTracks(side);
    addSteps();
    AlignedRuns runs;
    runs.lanes = m_lanes;
    runs.windows_a = m_shifts[0].moved();
    runs.windows_b = m_shifts[1].moved();
    runs.step_a = meanStepPeriod(a).value_or(0);
    runs.step_b = meanStepPeriod(b).value_or(0);
    runs.shifts_a = m_shifts[0].shifts;
    runs.shifts_b = m_shifts[1].shifts;
    runs.causes.resize(m_lanes.size());
    for (const RunSide side : {RunSide::A, RunSide::B}) {
      addCauses(side, runs.causes);
      addPaths(side, runs.paths);
    }
    runs.micro_batches = micro_batches;
    if (!micro_batches.differ()) addCells(runs);
    runs.trace = std::move(m_trace);
    return runs;
  }

 private:
  static std::size_t index(RunSide side) { return static_cast<std::size_t>(side); }
  const Trace& run(RunSide side) const { return *m_runs[index(side)]; }
  int placeOf(RunSide side, int lane) const {
    const auto& places = m_places[index(side)];
    return lane >= 0 && static_cast<std::size_t>(lane) < places.size() ? places[static_cast<std::size_t>(lane)] : -1;
  }
  static std::string prefix(RunSide side) { return side == RunSide::A ? "A: " : "B: "; }

  LaneInfo named(const AlignedRuns::Lane& lane) const {
    const LaneInfo& info = run(lane.side).lanes[static_cast<std::size_t>(lane.own)];
    return {prefix(lane.side) + (info.name.empty() ? info.device : info.name), info.device};
  }

  void addTracks(RunSide side) {
    const auto names = static_cast<std::uint32_t>(m_trace->names.size());
    const auto labels = static_cast<std::uint16_t>(m_trace->labels.size());
    m_trace->names.insert(m_trace->names.end(), run(side).names.begin(), run(side).names.end());
    m_trace->labels.insert(m_trace->labels.end(), run(side).labels.begin(), run(side).labels.end());
    for (const Track& track : run(side).tracks) {
      const int lane = placeOf(side, track.lane);
      if (track.kind == Track::Kind::Step || lane < 0) continue;
      std::vector<Span> spans;
      spans.reserve(track.spans.size());
      for (const Span& span : track.spans) spans.push_back(moved(span, m_shifts[index(side)].of(span), names, labels));
      addTrack(lane, track.kind, track.name, std::move(spans));
    }
    for (Counter counter : run(side).counters) {
      counter.lane = placeOf(side, counter.lane);
      counter.name = prefix(side) + counter.name;
      if (counter.label > 0) counter.label = static_cast<std::uint16_t>(counter.label + labels);
      for (Nanoseconds& time : counter.times) time += m_shifts[index(side)].ofTime(time);
      m_trace->counters.push_back(std::move(counter));
    }
  }

  static Span moved(Span span, Nanoseconds shift, std::uint32_t names, std::uint16_t labels) {
    span.start += shift;
    span.end += shift;
    if (span.mark != 0) span.mark += shift;
    span.name += names;
    if (span.label > 0) span.label = static_cast<std::uint16_t>(span.label + labels);
    return span;
  }

  /// A span that began before its own step moved with it, so the order may have changed.
  void addTrack(int lane, Track::Kind kind, const std::string& name, std::vector<Span> spans) {
    if (!std::ranges::is_sorted(spans, kParentsFirst)) std::ranges::stable_sort(spans, kParentsFirst);
    Track track{lane, kind, name, spans};
    track.spans.seal();
    m_trace->tracks.push_back(std::move(track));
  }

  void addSteps() {
    std::map<int, TimeRange> steps;
    for (const StepShifts& side : m_shifts)
      for (const StepWindow& window : side.moved()) {
        TimeRange& range = steps.try_emplace(window.step, window.range).first->second;
        range.end = std::max(range.end, window.range.end);
      }
    if (steps.empty() || m_lanes.empty()) return;
    std::vector<Span> spans;
    for (const auto& [step, range] : steps) {
      const auto name = static_cast<std::uint32_t>(m_trace->names.size());
      m_trace->names.push_back("step " + std::to_string(step));
      spans.push_back({.start = range.start, .end = range.end, .name = name, .step = step, .category = Category::Step});
    }
    addTrack(0, Track::Kind::Step, "steps", std::move(spans));
  }

  void addCauses(RunSide side, std::vector<std::vector<CausePiece>>& causes) const {
    if (m_shifts[index(side)].windows.empty()) return;
    // Steps that overlap are placed behind each other, each with what its own window shows.
    for (const LaneCauses& lane : explainIdle(run(side), WindowKind::Step).lanes) {
      const int place = placeOf(side, lane.lane);
      if (place < 0) continue;
      std::vector<CausePiece>& pieces = causes[static_cast<std::size_t>(place)];
      for (const ExplainedGap& gap : lane.gaps) {
        for (std::uint32_t i = gap.first_piece; i < gap.first_piece + gap.piece_count; ++i)
          pieces.push_back({lane.pieces[i].range.movedBy(m_shifts[index(side)].ofStep(gap.step, gap.range.start)),
                            lane.pieces[i].cause});
      }
      const auto start_of = [](const CausePiece& piece) { return piece.range.start; };
      if (!std::ranges::is_sorted(pieces, {}, start_of)) std::ranges::stable_sort(pieces, {}, start_of);
    }
  }

  void addPaths(RunSide side, std::vector<CriticalPath>& paths) const {
    const std::uint32_t names = side == RunSide::A ? 0 : static_cast<std::uint32_t>(run(RunSide::A).names.size());
    for (CriticalPath path : criticalPaths(run(side))) {
      const Nanoseconds shift = m_shifts[index(side)].ofStep(path.step, path.window.start);
      path.window = path.window.movedBy(shift);
      for (PathLink& link : path.links) {
        link.lane = placeOf(side, link.lane);
        link.range = link.range.movedBy(shift);
        if (link.action != kNoItem) link.action += names;
      }
      paths.push_back(std::move(path));
    }
  }

  struct Lengths {
    Nanoseconds length = 0;
    Nanoseconds start = 0;  ///< within the step
  };
  using Cells = std::map<ActionId, Lengths>;

  Cells cellsOf(RunSide side) const {
    const StepShifts& shifts = m_shifts[index(side)];
    Cells cells;
    for (const Track& track : run(side).tracks) {
      for (const Span& span : track.spans) {
        if (span.category != Category::Action || span.step < 0) continue;
        const Nanoseconds start = span.start + shifts.of(span);
        const auto [cell, is_new] = cells.try_emplace(actionIdOf(span), Lengths{0, start});
        cell->second.length += span.range().length();
        cell->second.start = std::min(cell->second.start, start);
      }
    }
    return cells;
  }

  void addCells(AlignedRuns& runs) const {
    const Cells a = cellsOf(RunSide::A), b = cellsOf(RunSide::B);
    for (const auto& [key, first] : a) {
      const auto second = b.find(key);
      if (second == b.end())
        runs.only_a.push_back(first.start);
      else
        runs.cells.push_back(
            {key, first.length, second->second.length, second->second.start - first.start, first.start});
    }
    for (const auto& [key, second] : b)
      if (!a.contains(key)) runs.only_b.push_back(second.start);
  }

  std::array<const Trace*, 2> m_runs;
  std::array<StepShifts, 2> m_shifts;
  std::vector<AlignedRuns::Lane> m_lanes;
  std::shared_ptr<Trace> m_trace;
  std::array<std::vector<int>, 2> m_places;  ///< of each run's lanes among all
};

}  // namespace

const std::vector<StepWindow>& AlignedRuns::windowsOf(int lane) const {
  return lanes[static_cast<std::size_t>(lane)].side == RunSide::A ? windows_a : windows_b;
}

TimeRange AlignedRuns::placed(RunSide side, TimeRange range) const {
  return range.movedBy(shiftAt(side == RunSide::A ? shifts_a : shifts_b, range.start));
}

const AlignedCell* AlignedRuns::find(const Span& action) const {
  if (action.category != Category::Action) return nullptr;
  const ActionId key = actionIdOf(action);
  const auto found = std::ranges::lower_bound(cells, key, {}, &AlignedCell::key);
  return found != cells.end() && found->key == key ? &*found : nullptr;
}

std::vector<CellMean> AlignedRuns::means() const {
  std::map<std::pair<int, Phase>, CellMean> means;
  for (const AlignedCell& cell : cells) {
    CellMean& mean = means[{cell.key.stage, cell.key.phase}];
    mean.stage = cell.key.stage;
    mean.phase = cell.key.phase;
    mean.cells += 1;
    mean.a += static_cast<double>(cell.a);
    mean.b += static_cast<double>(cell.b);
  }
  std::vector<CellMean> result;
  for (auto& [key, mean] : means) {
    mean.a /= static_cast<double>(mean.cells);
    mean.b /= static_cast<double>(mean.cells);
    result.push_back(mean);
  }
  return result;
}

ComparedActions comparedActions(const AlignedRuns& runs) {
  return {runs.cells, runs.only_a.size(), runs.only_b.size()};
}

ComparedActions actionsWithin(const AlignedRuns& runs, TimeRange range) {
  const auto begins_in = [range](Nanoseconds start) { return range.start <= start && start < range.end; };
  ComparedActions within;
  std::ranges::copy_if(runs.cells, std::back_inserter(within.cells), [&](const AlignedCell& cell) {
    return begins_in(cell.start) || begins_in(cell.start + cell.later_by);
  });
  within.only_a = static_cast<std::size_t>(std::ranges::count_if(runs.only_a, begins_in));
  within.only_b = static_cast<std::size_t>(std::ranges::count_if(runs.only_b, begins_in));
  return within;
}

AlignedRuns alignRuns(const Trace& a, const Trace& b, MicroBatchSizes micro_batches) {
  return Joiner(a, b).joined(micro_batches);
}

}  // namespace lanelab
