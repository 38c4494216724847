// SPDX-License-Identifier: GPL-3.0-only
// Random traces, of which every nanosecond is asked alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "profiler/analysis/idle_causes.h"
#include "tests/support/dice.h"
#include "tests/unit/analysis/pipeline_world.h"

namespace lanelab {
namespace {

using test::Dice;

using Key = std::tuple<int, int, bool, int>;  // step, stage, forward, micro-batch

bool isForward(const Span& span) { return span.phase == Phase::Forward; }
bool hasResult(const Span& span) {
  return isForward(span) || span.phase == Phase::Backward || span.phase == Phase::BackwardInput;
}
Key resultOf(const Span& span) { return {span.step, span.stage, isForward(span), span.micro_batch}; }
Key inputOf(const Span& span) {
  return {span.step, isForward(span) ? span.stage - 1 : span.stage + 1, isForward(span), span.micro_batch};
}

struct Placed {
  const Span* span;
  int lane;
};

Nanoseconds windowsOf(const Trace& trace) {
  Nanoseconds sum = 0;
  for (const StepWindow& window : stepWindows(trace)) sum += std::max<Nanoseconds>(0, window.range.length());
  return sum;
}

/// The definition, word by word and slowly.
class SlowCauses {
 public:
  explicit SlowCauses(const Trace& trace) : m_trace(trace) {
    for (const Track& track : trace.tracks) {
      for (const Span& span : m_spans.emplace_back(track.spans.toVector())) {
        if (span.category == Category::Action) m_actions.push_back({&span, track.lane});
        if (span.category == Category::Transfer) m_transfers[resultOf(span)] = &span;
      }
    }
    for (const Placed& action : m_actions)
      if (hasResult(*action.span)) m_makers[resultOf(*action.span)] = action.span;
    for (const StepWindow& window : stepWindows(trace)) {
      replay(window.step, false);
      replay(window.step, true);
    }
  }

  Nanoseconds busyOf(int lane) const {
    Nanoseconds busy = 0;
    for (const StepWindow& window : stepWindows(m_trace))
      for (Nanoseconds t = window.range.start; t < window.range.end; ++t)
        busy += within(lane, Category::Action, t) ? 1 : 0;
    return busy;
  }

  CauseTimes of(int lane, const ExplainedGap& gap) const {
    CauseTimes times;
    const Span* const next = nextOf(lane, gap);
    const auto [equal, staged] = next ? m_idle_before.at(next) : m_idle_at_end.at({gap.step, lane});
    Nanoseconds upstream = 0;
    for (Nanoseconds t = gap.range.start; t < gap.range.end; ++t) {
      if (within(lane, Category::Profiler, t)) {
        ++times[Cause::Profiler];
      } else if (!next || t < produced(*next)) {
        const Cause structural = next && isForward(*next) ? Cause::Fill : Cause::Drain;
        ++times[upstream < std::llround(equal)    ? structural
                : upstream < std::llround(staged) ? Cause::Imbalance
                                                  : Cause::Jitter];
        ++upstream;
      } else {
        ++times[causeAfter(lane, *next, t)];
      }
    }
    return times;
  }

 private:
  Cause causeAfter(int lane, const Span& next, Nanoseconds t) const {
    const auto transfer = hasResult(next) ? m_transfers.find(inputOf(next)) : m_transfers.end();
    if (transfer != m_transfers.end() && t < transfer->second->start) return Cause::TransferQueued;
    if (transfer != m_transfers.end() && t < transfer->second->end) return Cause::Transfer;
    if (within(lane, Category::Data, t)) return Cause::Data;
    if (within(lane, Category::Sync, t)) return Cause::Sync;
    if (within(lane, Category::Allocator, t)) return Cause::Allocator;
    if (within(lane, Category::Host, t) || (next.mark != 0 && t < next.mark)) return Cause::Host;
    for (int other = 0; other < static_cast<int>(m_trace.lanes.size()); ++other)
      if (other != lane && deviceOf(other) == deviceOf(lane) && within(other, Category::Action, t))
        return Cause::Contention;
    return Cause::Unresolved;
  }

  const std::string& deviceOf(int lane) const { return m_trace.lanes[static_cast<std::size_t>(lane)].device; }

  Nanoseconds produced(const Span& next) const {
    if (!hasResult(next)) return INT64_MIN;
    const auto maker = m_makers.find(inputOf(next));
    return maker == m_makers.end() ? INT64_MIN : maker->second->end;
  }

  bool within(int lane, Category category, Nanoseconds t) const {
    for (const Track& track : m_trace.tracks)
      for (const Span& span : track.spans)
        if (track.lane == lane && span.category == category && t >= span.start && t < span.end) return true;
    return false;
  }

  const Span* nextOf(int lane, const ExplainedGap& gap) const {
    if (gap.before == kNoItem) return nullptr;
    for (const Placed& action : m_actions)
      if (action.lane == lane && action.span->start == gap.range.end && !action.span->range().empty())
        return action.span;
    return nullptr;
  }

  double lengthOf(const Span& span, bool staged) const {
    double sum = 0;
    int count = 0;
    for (const Placed& other : m_actions) {
      if (other.span->step != span.step || other.span->phase != span.phase ||
          (staged && other.span->stage != span.stage))
        continue;
      sum += static_cast<double>(other.span->range().length());
      ++count;
    }
    return sum / count;
  }

  /// Lane by lane, each as far as it comes, until all are done.
  void replay(int step, bool staged) {
    std::vector<std::vector<const Span*>> rows(m_trace.lanes.size());
    for (const Placed& action : m_actions)
      if (action.span->step == step) rows[static_cast<std::size_t>(action.lane)].push_back(action.span);
    std::vector<double> free(rows.size(), 0);
    std::vector<std::size_t> next(rows.size(), 0);
    std::map<const Span*, double> ends;
    const auto setIdle = [&](std::pair<double, double>& idle, double value) {
      (staged ? idle.second : idle.first) = value;
    };
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t lane = 0; lane < rows.size(); ++lane) {
        for (; next[lane] < rows[lane].size(); ++next[lane], moved = true) {
          const Span& span = *rows[lane][next[lane]];
          const auto maker = hasResult(span) ? m_makers.find(inputOf(span)) : m_makers.end();
          if (maker != m_makers.end() && !ends.contains(maker->second)) break;
          const double start = std::max(free[lane], maker == m_makers.end() ? 0.0 : ends[maker->second]);
          setIdle(m_idle_before[&span], start - free[lane]);
          free[lane] = ends[&span] = start + lengthOf(span, staged);
        }
      }
    }
    const double last = *std::max_element(free.begin(), free.end());
    for (std::size_t lane = 0; lane < rows.size(); ++lane)
      setIdle(m_idle_at_end[{step, static_cast<int>(lane)}], last - free[lane]);
  }

  const Trace& m_trace;
  std::deque<std::vector<Span>> m_spans;  ///< by track, where pointers may point
  std::vector<Placed> m_actions;
  std::map<Key, const Span*> m_transfers;
  std::map<Key, const Span*> m_makers;
  std::map<const Span*, std::pair<double, double>> m_idle_before;
  std::map<std::pair<int, int>, std::pair<double, double>> m_idle_at_end;
};

void throwHostSpans(PipelineWorld& world, Dice& dice, int until) {
  for (int i = dice.below(12); i > 0; --i) {
    const Nanoseconds start = dice.below(until);
    world.host(dice.below(static_cast<int>(world.trace.lanes.size())),
               dice.oneOf<Category>({Category::Profiler, Category::Data, Category::Sync, Category::Allocator,
                                     Category::Host, Category::Wait}),
               start, start + dice.below(30));
  }
}

/// A schedule with random lengths, transfers, delays and host spans.
void throwStep(PipelineWorld& world, Dice& dice, int number, Nanoseconds& time) {
  const int lanes = static_cast<int>(world.trace.lanes.size());
  PlannedStep step;
  step.schedule = scheduleOf(dice.oneOf<std::string>({"gpipe", "1f1b", "zb-h1"}), lanes, lanes, 1 + dice.below(4));
  step.queued = dice.below(3);
  step.copy = dice.below(4);
  for (const auto& row : step.schedule.lanes) {
    for (const Action& action : row) {
      step.lengths[action] = 1 + dice.below(12);
      if (dice.below(4) == 0)
        step.delays[action] = {dice.oneOf<Cause>({Cause::Data, Cause::Sync, Cause::Host, Cause::Unresolved}),
                               1 + dice.below(9)};
    }
  }
  const Nanoseconds begin = time;
  time = run(world, step, begin, number);
  if (dice.below(2) == 0) world.window(begin - dice.below(3), time + dice.below(5), number);
  time += 10;
}

TEST(IdleCausesProperty, EveryNanosecondOfARandomPipelineHasTheCauseThatTheDefinitionGivesIt) {
  Dice dice(20261121);
  for (int round = 0; round < 120; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    PipelineWorld world(1 + dice.below(4));
    if (dice.below(3) == 0)
      for (LaneInfo& lane : world.trace.lanes) lane.device = "cuda:0";
    Nanoseconds time = 10;
    for (int number = dice.below(2); number >= 0; --number) throwStep(world, dice, number, time);
    throwHostSpans(world, dice, static_cast<int>(time));
    const Trace& trace = world.built();
    const SlowCauses slow(trace);
    const IdleCauses causes = explainIdle(trace);
    ASSERT_EQ(causes.lanes.size(), trace.lanes.size());
    for (const LaneCauses& lane : causes.lanes) {
      ASSERT_EQ(lane.window, windowsOf(trace));
      ASSERT_EQ(lane.busy, slow.busyOf(lane.lane));
      for (const ExplainedGap& gap : lane.gaps)
        ASSERT_EQ(lane.causesOf(gap).times, slow.of(lane.lane, gap).times)
            << "lane " << lane.lane << " step " << gap.step << " before " << beforeText(trace, gap) << "\n"
            << told(trace, lane);
    }
  }
}

void throwJunk(PipelineWorld& world, Dice& dice) {
  for (int i = dice.below(30); i > 0; --i) {
    const Nanoseconds start = dice.below(180) - 20;
    const std::string name = std::to_string(dice.below(5)) + "FBIW"[dice.below(4)] + std::to_string(dice.below(3));
    const EditedSpan span = world.action(dice.below(3), name, start, start + dice.below(20), dice.below(4) - 1);
    if (dice.below(2) == 0) span->mark = start - 10 + dice.below(40);
    if (dice.below(9) == 0) span->stage = static_cast<std::int16_t>(dice.oneOf<int>({-1, 30000, 32767, -32768}));
    if (dice.below(9) == 0) span->micro_batch = static_cast<std::int16_t>(dice.oneOf<int>({-1, 30000, 32767, -32768}));
    if (dice.below(3) == 0)
      world.transfer(dice.below(3), name, start + dice.below(50), start + 50 + dice.below(20), dice.below(10),
                     dice.below(4) - 1);
  }
  throwHostSpans(world, dice, 200);
  if (dice.below(2) == 0) world.window(dice.below(100), dice.below(200), dice.below(3));
}

TEST(IdleCausesProperty, WhateverATraceSaysTheCausesAddUpToItsGaps) {
  Dice dice(7);
  for (int round = 0; round < 500; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    PipelineWorld world(3);
    throwJunk(world, dice);
    const Trace& trace = world.built();
    const WindowKind windows = dice.below(2) == 0 ? WindowKind::Step : WindowKind::Period;
    const IdleCauses causes = explainIdle(trace, windows);
    for (std::size_t i = 0; i < causes.lanes.size(); ++i) {
      const LaneCauses& lane = causes.lanes[i];
      if (windows == WindowKind::Step) {
        ASSERT_EQ(lane.window, windowsOf(trace));
      }
      ASSERT_EQ(lane.busy + lane.idle, lane.window);
      ASSERT_EQ(lane.causes.total(), lane.idle);
      for (const ExplainedGap& gap : lane.gaps) {
        Nanoseconds time = gap.range.start;
        for (std::uint32_t p = gap.first_piece; p < gap.first_piece + gap.piece_count; ++p) {
          ASSERT_EQ(lane.pieces[p].range.start, time) << told(trace, lane);
          ASSERT_FALSE(lane.pieces[p].range.empty());
          time = lane.pieces[p].range.end;
        }
        ASSERT_EQ(time, gap.range.end) << told(trace, lane);
      }
    }
  }
}

}  // namespace
}  // namespace lanelab
