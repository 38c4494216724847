// SPDX-License-Identifier: GPL-3.0-only
// The schedules of the literature: legal wherever they are defined, and idle as long as their papers say.
#include "engine/schedule/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "engine/schedule/check.h"
#include "tests/support/sanitized.h"
#include "tests/unit/schedule/made_schedule.h"

namespace lanelab {
namespace {

using test::inV;
using test::inWaves;
using test::lanesOf;
using test::Made;
using test::made;
using test::round;

struct Times {
  std::int64_t forward, input, weight;
  std::int64_t of(ActionKind kind) const {
    return kind == ActionKind::Forward          ? forward
           : kind == ActionKind::BackwardInput  ? input
           : kind == ActionKind::BackwardWeight ? weight
                                                : input + weight;
  }
};

struct Timeline {
  std::vector<std::int64_t> busy, first, last;  ///< by lane
  std::int64_t end() const { return *std::max_element(last.begin(), last.end()); }
  std::int64_t idle(std::size_t lane) const { return end() - busy[lane]; }
  std::int64_t idleBetween(std::size_t lane) const { return last[lane] - first[lane] - busy[lane]; }
};

/// A small event simulation of its own: the earliest start of each action, found by going over the lanes until nothing
/// changes.
Timeline simulate(const Schedule& schedule, Times times) {
  std::map<std::string, std::int64_t> ends;
  const auto endOf = [&](int stage, char kind, int k) {
    const auto found = ends.find(std::to_string(stage) + kind + std::to_string(k));
    return found == ends.end() ? -1 : found->second;
  };
  const auto readyOf = [&](const Action& a) -> std::int64_t {
    const int s = a.stage.value, k = a.micro_batch.value;
    if (a.kind == ActionKind::Forward) return s == 0 ? 0 : endOf(s - 1, 'F', k);
    if (a.kind == ActionKind::BackwardWeight) return endOf(s, 'I', k);
    if (s + 1 == schedule.stages) return endOf(s, 'F', k);
    return std::max(endOf(s + 1, 'I', k), endOf(s + 1, 'B', k));
  };
  Timeline line;
  const std::size_t lanes = schedule.lanes.size();
  line.busy.resize(lanes, 0);
  line.first.resize(lanes, -1);
  line.last.resize(lanes, 0);
  std::vector<std::size_t> next(lanes, 0);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      for (; next[lane] < schedule.lanes[lane].size(); ++next[lane], moved = true) {
        const Action& action = schedule.lanes[lane][next[lane]];
        const std::int64_t ready = readyOf(action);
        if (ready < 0) break;
        const std::int64_t start = std::max(ready, line.last[lane]);
        if (line.first[lane] < 0) line.first[lane] = start;
        line.last[lane] = start + times.of(action.kind);
        line.busy[lane] += times.of(action.kind);
        ends[toString(action)] = line.last[lane];
      }
    }
  }
  return line;
}

/// The most micro-batches that a lane holds at once, a stage's counted from F to B or W.
int mostHeld(const Schedule& schedule, std::size_t lane) {
  int held = 0, most = 0;
  for (const Action& action : schedule.lanes[lane]) {
    held += action.kind == ActionKind::Forward ? 1 : action.kind == ActionKind::BackwardInput ? 0 : -1;
    most = std::max(most, held);
  }
  return most;
}

const std::vector<Times> kTimes = {{1, 1, 1}, {10, 12, 7}, {9, 13, 8}, {5, 20, 3}};

TEST(Legal, LoopedAndVSchedulesForAllSmallSizes) {
  for (int lanes = 1; lanes <= 8; ++lanes) {
    for (int micro_batches = 1; micro_batches <= 33; micro_batches += test::strideOf(1)) {
      for (int own = 1; own <= 4; ++own) {
        made("interleaved-1f1b", round(own * lanes, lanes), micro_batches);
        made("looped-bfs", round(own * lanes, lanes), micro_batches);
        made("interleaved-zb", round(own * lanes, lanes), micro_batches);
      }
      for (const char* name : {"zb-v", "v-half", "v-min", "dualpipe-v"}) made(name, inV(lanes), micro_batches);
      for (const int waves : {1, 2, 3}) made("hanayo", inWaves(lanes, waves), micro_batches);
      made("zb-h1", round(lanes, lanes), micro_batches);
    }
  }
}

TEST(Legal, EveryWarmUpDepth) {
  for (int lanes = 1; lanes <= 5; ++lanes) {
    for (const int micro_batches : {1, 2, 3, 5, 8, 12}) {
      for (int depth = 1; depth <= 40; depth += test::strideOf(1)) {
        for (const char* name : {"1f1b", "zb-h1", "list"})
          made(name, round(lanes, lanes), micro_batches, {}, {.warm_up = depth});
        made("hanayo", inWaves(lanes, 2), micro_batches, {}, {.warm_up = depth});
        for (const int own : {1, 2, 3}) {
          if (checkScheduleRequest(ScheduleKind::InterleavedOneFOneB, round(own * lanes, lanes), lanes, micro_batches,
                                   {.warm_up = depth})
                  .ok())
            made("interleaved-1f1b", round(own * lanes, lanes), micro_batches, {}, {.warm_up = depth});
        }
      }
    }
  }
}

TEST(Idle, GpipeAnd1f1bLoseOneForwardAndBackwardForEachOtherLane) {
  for (const Times times : kTimes) {
    for (const char* name : {"gpipe", "1f1b"}) {
      for (const int p : {1, 2, 4, 8}) {
        for (const int m : {1, 2, 8, 13}) {
          const Timeline line = simulate(made(name, round(p, p), m).schedule, times);
          for (std::size_t lane = 0; lane < static_cast<std::size_t>(p); ++lane)
            EXPECT_EQ(line.idle(lane), (p - 1) * (times.forward + times.input + times.weight))
                << name << " p=" << p << " m=" << m;
        }
      }
    }
  }
}

TEST(Idle, StagesThatGoRoundDivideItByTheirNumber) {
  for (const Times times : kTimes) {  // of one stage, 1/v of what the lane has
    for (const char* name : {"interleaved-1f1b", "looped-bfs"}) {
      for (const int p : {2, 4, 8}) {
        for (const int v : {2, 3}) {
          for (const int rounds : {1, 2, 3}) {
            const Timeline line = simulate(made(name, round(v * p, p), rounds * p).schedule, times);
            for (std::size_t lane = 0; lane < static_cast<std::size_t>(p); ++lane)
              EXPECT_EQ(line.idle(lane), (p - 1) * (times.forward + times.input + times.weight))
                  << name << " p=" << p << " v=" << v;
          }
        }
      }
    }
  }
}

TEST(Idle, ZeroBubbleHidesTheWeightPartsWhereTheyAreTheShortest) {
  for (const Times times : kTimes) {
    for (const int p : {1, 2, 4, 8}) {
      for (const int m : {p, p + 1, 2 * p, 3 * p + 1}) {
        const Timeline line = simulate(made("zb-h1", round(p, p), m).schedule, times);
        for (std::size_t lane = 0; lane < static_cast<std::size_t>(p); ++lane)
          EXPECT_EQ(line.idle(lane), (p - 1) * (times.forward + times.input - times.weight)) << "p=" << p << " m=" << m;
      }
    }
  }
}

TEST(Idle, ZbVAndZbH2LeaveNoGapWithinALaneInUnitTimes) {
  for (const int p : {1, 2, 4, 8}) {
    for (const int m : {2 * p - 1, 2 * p, 4 * p}) {
      const Timeline v = simulate(made("zb-v", inV(p), m).schedule, {1, 1, 1});
      const Timeline h2 = simulate(made("zb-h1", round(p, p), m, {}, {.warm_up = 2 * p - 1}).schedule, {1, 1, 1});
      for (std::size_t lane = 0; lane < static_cast<std::size_t>(p); ++lane) {
        EXPECT_EQ(v.idleBetween(lane), 0) << "zb-v p=" << p << " m=" << m;
        EXPECT_EQ(h2.idleBetween(lane), 0) << "zb-h2 p=" << p << " m=" << m;
      }
    }
  }
}

TEST(Idle, OneWaveLosesAForwardAndABackwardOnTheWayDownAndBack) {
  for (const int p : {1, 2, 4, 8}) {
    for (const int m : {p, p + 1, 2 * p, 4 * p}) {  // a backward takes two forwards, a stage is half a lane
      const Timeline line = simulate(made("hanayo", inV(p), m).schedule, {1, 1, 1});
      for (std::size_t lane = 0; lane < static_cast<std::size_t>(p); ++lane)
        EXPECT_EQ(line.idle(lane), 4 * (p - 1)) << "p=" << p << " m=" << m;
    }
  }
}

TEST(Idle, MoreWavesDivideIt) {
  for (const int p : {2, 4, 8}) {  // the paper's case: as many micro-batches as lanes
    std::vector<double> share;
    for (const int waves : {1, 2, 3}) {
      const Timeline line = simulate(made("hanayo", inWaves(p, waves), p).schedule, {1, 1, 1});
      share.push_back(static_cast<double>(line.idle(0)) / static_cast<double>(line.end()));
    }
    EXPECT_LT(share[1], 0.7 * share[0]) << p;
    EXPECT_LT(share[2], 0.75 * share[1]) << p;
  }
}

/// What the authors' script prints for v-half and v-min: peak in stages' activations (1F1B: 2p), and the share of
/// the longest lane's window in which it is idle.
struct VMemoryRow {
  const char* schedule;
  int lanes, micro_batches, peak;
  double idle;
};

TEST(Memory, OfVSchedulesIsADial) {
  for (const VMemoryRow& row : {VMemoryRow{"v-half", 4, 16, 6, 0.0495}, VMemoryRow{"v-min", 4, 16, 4, 0.1028},
                                VMemoryRow{"v-half", 8, 24, 10, 0.1056}, VMemoryRow{"v-min", 8, 24, 8, 0.1579}}) {
    SCOPED_TRACE(std::string(row.schedule) + " p=" + std::to_string(row.lanes));
    const Schedule schedule = made(row.schedule, inV(row.lanes), row.micro_batches).schedule;
    const Timeline line = simulate(schedule, {1, 1, 1});
    int peak = 0;
    std::int64_t window = 0;
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(row.lanes); ++lane) {
      peak = std::max(peak, mostHeld(schedule, lane));
      window = std::max(window, line.last[lane] - line.first[lane]);
    }
    EXPECT_EQ(peak, row.peak);
    EXPECT_NEAR(1 - 6.0 * row.micro_batches / static_cast<double>(window), row.idle, 5e-5);
  }
}

TEST(Memory, IsThatOfThePaper) {
  for (const int p : {2, 4, 8}) {
    const int m = 3 * p;
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(p); ++lane) {
      EXPECT_EQ(mostHeld(made("gpipe", round(p, p), m).schedule, lane), m);
      EXPECT_EQ(mostHeld(made("1f1b", round(p, p), m).schedule, lane), p - static_cast<int>(lane));
      EXPECT_LE(mostHeld(made("zb-h1", round(p, p), m).schedule, lane), p);
      EXPECT_LE(mostHeld(made("zb-v", inV(p), m).schedule, lane), 2 * p);  // of stages half as large
      EXPECT_LE(mostHeld(made("dualpipe-v", inV(p), m).schedule, lane), 2 * p + 1);
      EXPECT_LE(mostHeld(made("hanayo", inV(p), m).schedule, lane), 2 * p);
      EXPECT_LE(mostHeld(made("list", round(p, p), m).schedule, lane), p);
      EXPECT_LE(mostHeld(made("list", round(p, p), m, {}, {.warm_up = 2}).schedule, lane), 2);
    }
  }
}

TEST(WarmUp, DepthGoesFromOneAtATimeToEagerAndKeepsTheLastStageAtOne) {
  const auto firstBackward = [](const Schedule& schedule, std::size_t lane) {
    const auto& row = schedule.lanes[lane];
    return std::find_if(row.begin(), row.end(), [](const Action& a) { return a.kind != ActionKind::Forward; }) -
           row.begin();
  };
  const auto depths = [&](const std::string& name, int depth) {
    const Schedule schedule = made(name, round(4, 4), 16, {}, {.warm_up = depth}).schedule;
    std::vector<std::ptrdiff_t> found;
    for (std::size_t lane = 0; lane < 4; ++lane) found.push_back(firstBackward(schedule, lane));
    return found;
  };
  using Depths = std::vector<std::ptrdiff_t>;
  EXPECT_EQ(depths("1f1b", 1), (Depths{1, 1, 1, 1}));
  EXPECT_EQ(depths("1f1b", 4), (Depths{4, 3, 2, 1}));
  EXPECT_EQ(depths("1f1b", 7), (Depths{7, 5, 3, 1}));
  EXPECT_EQ(depths("zb-h1", 7), (Depths{7, 5, 3, 1}));
  EXPECT_EQ(toCsv(made("1f1b", round(4, 4), 8, {}, {.warm_up = 4}).schedule),
            toCsv(made("1f1b", round(4, 4), 8).schedule));
}

TEST(List, IsNeverSlowerThanZbH1Or1f1bAtTheSameMemory) {
  for (const Times times : {Times{1, 1, 1}, Times{10, 12, 7}, Times{5, 4, 9}, Times{3, 8, 8}}) {
    for (const int p : {2, 3, 4}) {
      std::vector<StageTimes> known(static_cast<std::size_t>(p),
                                    {times.forward, times.input + times.weight, times.weight});
      const std::int64_t list = simulate(made("list", round(p, p), 12, known).schedule, times).end();
      EXPECT_LE(list, simulate(made("zb-h1", round(p, p), 12).schedule, times).end());
      EXPECT_LE(list, simulate(made("1f1b", round(p, p), 12).schedule, times).end());
    }
  }
}

Schedule overlapping(const std::string& name, int lanes, int micro_batches, Times times, const ScheduleLimits& limits) {
  const std::vector<StageTimes> known(static_cast<std::size_t>(lanes),
                                      {times.forward, times.input + times.weight, times.weight});
  Result<Schedule> schedule = generateSchedule(*parseScheduleName(name), round(lanes, lanes), lanes, micro_batches,
                                               WindowKind::Period, known, limits);
  EXPECT_TRUE(schedule.ok() && checkSchedule(*schedule, round(lanes, lanes)).empty()) << name;
  return schedule.ok() ? std::move(*schedule) : Schedule{};
}

double periodFor(const Schedule& schedule, Times times) {
  return periodOf(schedule, std::vector<StageTimes>(static_cast<std::size_t>(schedule.stages),
                                                    {times.forward, times.input + times.weight, times.weight}));
}

TEST(Period, OfOrdersWithWholeBackwardsIsTheStepAndOfDeepZeroBubbleTheWork) {
  struct Row {
    std::string name;
    std::optional<int> warm_up;
    int lanes, micro_batches;
    Times times;
    double period;
  };
  for (const Row& row : std::vector<Row>{{"gpipe", {}, 2, 4, {1, 1, 1}, 12 + 3},
                                         {"1f1b", {}, 4, 8, {2, 3, 1}, 8 * 6 + 3 * 6},
                                         {"zb-h1", 4, 4, 12, {2, 3, 1}, 12 * 6 + 3 * (2 + 3 - 1)},
                                         {"zb-h1", 7, 4, 12, {2, 3, 1}, 12 * 6 + 3 * (2 + 3 - 2)},
                                         {"zb-h1", 7, 4, 12, {1, 1, 1}, 36},
                                         {"list", 8, 4, 12, {1, 1, 1}, 36}}) {
    const Schedule schedule = overlapping(row.name, row.lanes, row.micro_batches, row.times, {row.warm_up});
    EXPECT_EQ(periodFor(schedule, row.times), row.period) << row.name << " " << row.warm_up.value_or(0);
  }
}

TEST(Period, MakesZbH1AndListDeeperOnlyWhereThatPays) {
  for (const std::string name : {"zb-h1", "list"}) {
    for (const int p : {2, 3, 4}) {
      const int m = 4 * p;
      const Times even{1, 1, 1};
      const Schedule deep = overlapping(name, p, m, even, {});
      EXPECT_EQ(periodFor(deep, even), 3 * m) << name << " p=" << p;
      EXPECT_LT(periodFor(deep, even), periodFor(made(name, round(p, p), m).schedule, even)) << name << " p=" << p;
      const Schedule given = overlapping(name, p, m, even, {.warm_up = p});
      EXPECT_EQ(periodFor(given, even), periodFor(made(name, round(p, p), m).schedule, even)) << "as given";
    }
    EXPECT_EQ(toCsv(overlapping(name, 1, 4, {1, 1, 1}, {})), toCsv(made(name, round(1, 1), 4).schedule));
  }
}

TEST(Period, IsTheMeanOfManyStepsEvenWhereItTakesLongToSettle) {
  // Lane 0 alone would do a step in 4000, lane 1 in 4004, and together they wait for each other's turn.
  const Schedule schedule = made("1f1b", round(2, 2), 1).schedule;
  EXPECT_EQ(periodOf(schedule, {{1000, 3000}, {1001, 3003}}), 1000 + 1001 + 3003 + 3000);
}

TEST(List, CountsWhatIsHeldAfterI) {
  const Times times{2, 2, 1};
  const auto mostHeld = [](const Schedule& schedule) {
    int most = 0;
    for (const auto& row : schedule.lanes) {
      int held = 0;
      for (const Action& action : row) {
        held += action.kind == ActionKind::Forward ? 1 : action.kind == ActionKind::BackwardWeight ? -1 : 0;
        most = std::max(most, held);
      }
    }
    return most;
  };
  const ScheduleLimits whole{.warm_up = 8};
  ScheduleLimits half = whole;
  half.held_after_input = 0.5;
  const Schedule kept = overlapping("list", 4, 24, times, whole), freed = overlapping("list", 4, 24, times, half);
  EXPECT_LE(mostHeld(kept), 8);
  EXPECT_GT(mostHeld(freed), 8);
  EXPECT_LT(periodFor(freed, times), periodFor(kept, times));
}

TEST(List, KeepsALanesBytes) {
  const std::vector<LaneId> zigzag = {LaneId(0), LaneId(1), LaneId(1), LaneId(0)};
  for (const std::int64_t limit : {5, 8, 10, 24}) {
    const Schedule schedule =
        made("list", zigzag, 9, {{3, 6}, {5, 8}, {2, 4}, {7, 7}}, {.stage_bytes = {4, 1, 2, 1}, .lane_bytes = limit})
            .schedule;
    for (const auto& row : schedule.lanes) {
      std::int64_t held = 0;
      const std::vector<std::int64_t> bytes = {4, 1, 2, 1};
      for (const Action& action : row) {
        if (action.kind == ActionKind::Forward) held += bytes[action.stage.index()];
        if (action.kind == ActionKind::BackwardWeight) held -= bytes[action.stage.index()];
        EXPECT_LE(held, limit);
      }
    }
  }
}

}  // namespace
}  // namespace lanelab
