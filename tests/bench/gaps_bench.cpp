// SPDX-License-Identifier: GPL-3.0-only
#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>

#include "engine/schedule/generate.h"
#include "profiler/analysis/critical_path.h"
#include "profiler/analysis/idle_causes.h"
#include "tests/bench/benches.h"
#include "tests/bench/median_time.h"

namespace lanelab::bench {

namespace {

constexpr int kLanes = 8;
constexpr int kRepeats = 15;

struct GapsCase {
  const char* name;
  int micro_batches;
};

/// Steps of 1F1B until there are enough events: actions, transfers, and for each lane and step a wait for data and a
/// synchronisation.
class TraceMaker {
 public:
  explicit TraceMaker(int micro_batches) {
    std::vector<LaneId> lanes;
    for (int lane = 0; lane < kLanes; ++lane) {
      lanes.emplace_back(lane);
      m_trace.lanes.push_back({"lane " + std::to_string(lane), "cpu:" + std::to_string(lane)});
      for (const auto& [kind, name] :
           {std::pair(Track::Kind::Compute, "compute"), std::pair(Track::Kind::Transfer, "transfers"),
            std::pair(Track::Kind::Host, "host")})
        m_trace.tracks.push_back({lane, kind, name, {}});
    }
    m_trace.names = {"work"};
    const Result<Schedule> schedule =
        generateSchedule(ScheduleKind::OneFOneB, lanes, kLanes, micro_batches, WindowKind::Step);
    if (!schedule.ok()) throw std::runtime_error(schedule.error().message);
    m_schedule = *schedule;
  }

  Trace make(std::int64_t events) {
    for (int step = 0; static_cast<std::int64_t>(m_trace.spanCount()) < events; ++step) addStep(step);
    return std::move(m_trace);
  }

 private:
  void addStep(int step) {
    m_ends.clear();
    std::vector<std::size_t> next(kLanes, 0);
    std::vector<Nanoseconds> free(kLanes, m_time);
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const auto& row = m_schedule.lanes[lane];
        for (; next[lane] < row.size() && perform(lane, row[next[lane]], free[lane], step); ++next[lane]) moved = true;
      }
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      add(lane, 2, spanOf(Category::Data, m_time, m_time + 500));
      add(lane, 2, spanOf(Category::Sync, free[lane], free[lane] + 200));
    }
    m_time = *std::max_element(free.begin(), free.end()) + 1000;
  }

  bool perform(std::size_t lane, const Action& action, Nanoseconds& free, int step) {
    const bool forward = action.kind == ActionKind::Forward;
    const int from = action.stage.value + (forward ? -1 : 1);
    Nanoseconds ready = free;
    if (from >= 0 && from < kLanes) {
      const auto input = m_ends.find({StageId(from), action.kind, action.micro_batch});
      if (input == m_ends.end()) return false;
      const Nanoseconds sent = input->second + 50;
      add(static_cast<std::size_t>(from), 1,
          labelled(spanOf(Category::Transfer, sent, sent + 300), {StageId(from), action.kind, action.micro_batch},
                   step));
      ready = std::max(free, sent + 300);
    }
    const Nanoseconds length = (forward ? 10'000 : 20'000) + static_cast<Nanoseconds>(m_random() % 2000);
    add(lane, 0, labelled(spanOf(Category::Action, ready, ready + length), action, step));
    free = m_ends[action] = ready + length;
    return true;
  }

  void add(std::size_t lane, std::size_t row, const Span& span) {
    m_trace.tracks[lane * 3 + row].spans.push_back(span);
  }

  static Span spanOf(Category category, Nanoseconds start, Nanoseconds end) {
    Span span;
    span.start = start;
    span.end = end;
    span.category = category;
    return span;
  }

  static Span labelled(Span span, const Action& action, int step) {
    span.stage = static_cast<std::int16_t>(action.stage.value);
    span.micro_batch = static_cast<std::int16_t>(action.micro_batch.value);
    span.phase = action.kind == ActionKind::Forward ? Phase::Forward : Phase::Backward;
    span.step = step;
    return span;
  }

  Trace m_trace;
  Schedule m_schedule;
  std::map<Action, Nanoseconds> m_ends;
  Nanoseconds m_time = 0;
  std::mt19937 m_random{1};
};

}  // namespace

nlohmann::json benchGaps(std::int64_t events, bool print) {
  nlohmann::json rows = nlohmann::json::array();
  if (print) std::printf("%-28s %9s %9s %12s %12s\n", "causes of idle time", "events", "gaps", "causes ms", "path ms");
  for (const GapsCase& c : {GapsCase{"32 micro-batches a step", 32}, GapsCase{"one step of 30000", 30000}}) {
    const Trace trace = TraceMaker(c.micro_batches).make(events);
    std::size_t gaps = 0;
    for (const LaneCauses& lane : explainIdle(trace).lanes) gaps += lane.gaps.size();
    const double causes = medianMilliseconds(kRepeats, [&] { explainIdle(trace); });
    const double path = medianMilliseconds(kRepeats, [&] { criticalPaths(trace); });
    rows.push_back({{"name", c.name},
                    {"events", trace.spanCount()},
                    {"gaps", gaps},
                    {"causes_ms", causes},
                    {"critical_path_ms", path}});
    if (print) std::printf("%-28s %9zu %9zu %12.1f %12.1f\n", c.name, trace.spanCount(), gaps, causes, path);
  }
  return rows;
}

}  // namespace lanelab::bench
