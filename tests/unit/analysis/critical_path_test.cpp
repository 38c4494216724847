// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/critical_path.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "tests/unit/analysis/pipeline_world.h"

namespace lanelab {
namespace {

std::string told(const Trace& trace, const CriticalPath& path) {
  constexpr const char* kKinds[] = {"", "queued ", "send ", "wait for "};
  std::ostringstream text;
  for (const PathLink& link : path.links) {
    text << (text.tellp() > 0 ? ", " : "") << kKinds[static_cast<int>(link.kind)]
         << (link.action == kNoItem ? "end" : trace.names[link.action]) << " " << link.range.start << "-"
         << link.range.end;
  }
  return text.str();
}

std::string pathOf(PipelineWorld& world) {
  const Trace& trace = world.built();
  const auto paths = criticalPaths(trace);
  return paths.size() == 1 ? told(trace, paths[0]) : std::to_string(paths.size()) + " paths";
}

TEST(CriticalPath, GoesThroughActionsTransfersAndWaits) {
  PipelineWorld world(2);
  world.action(0, "0F0", 0, 10);
  world.action(0, "0F1", 10, 20);
  world.transfer(0, "0F0", 12, 15, 2);
  world.action(1, "1F0", 16, 30);
  world.action(1, "1B0", 30, 45);
  world.transfer(1, "1B0", 45, 50);
  world.action(0, "0B0", 50, 60);
  world.window(0, 63);
  EXPECT_EQ(pathOf(world),
            "0F0 0-10, queued 0F0 10-12, send 0F0 12-15, wait for 1F0 15-16, 1F0 16-30, 1B0 30-45, send 1B0 45-50, 0B0 "
            "50-60, wait for end 60-63");
}

TEST(CriticalPath, FollowsTheLaneWhereThatWasFreeLast) {
  PipelineWorld world(2);
  world.action(0, "0F0", 0, 10);
  world.action(0, "0F1", 10, 20);
  world.action(1, "1F0", 10, 40);
  world.action(1, "1F1", 40, 50);
  EXPECT_EQ(pathOf(world), "0F0 0-10, 1F0 10-40, 1F1 40-50");
}

TEST(CriticalPath, BeginsWithTheWaitForTheFirstAction) {
  PipelineWorld world(1);
  world.window(0, 30);
  world.action(0, "0F0", 20, 30);
  EXPECT_EQ(pathOf(world), "wait for 0F0 0-20, 0F0 20-30");
}

TEST(CriticalPath, EveryStepHasItsOwn) {
  PipelineWorld world(1);
  world.action(0, "0F0", 0, 10, 0);
  world.action(0, "0F0", 20, 50, 1);
  const Trace& trace = world.built();
  const auto paths = criticalPaths(trace);
  ASSERT_EQ(paths.size(), 2u);
  EXPECT_EQ(paths[1].step, 1);
  EXPECT_EQ(told(trace, paths[1]), "0F0 20-50");
  EXPECT_TRUE(criticalPaths(Trace{}).empty());
}

TEST(CriticalPathProperty, LinksCoverTheWindowWithoutGapOrOverlapWhateverTheTraceSays) {
  std::mt19937 random(5);
  const auto upTo = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    PipelineWorld world(3);
    for (int i = 1 + upTo(20); i > 0; --i) {
      const Nanoseconds start = upTo(200);
      const std::string name = std::to_string(upTo(4)) + "FBIW"[upTo(4)] + std::to_string(upTo(3));
      world.action(upTo(3), name, start, start + upTo(40), upTo(2));
      if (upTo(2) == 0) world.transfer(upTo(3), name, start + upTo(50), start + 50 + upTo(20), upTo(10), upTo(2));
    }
    if (upTo(3) == 0) world.window(20, 150, 0);
    const Trace& trace = world.built();
    for (const CriticalPath& path : criticalPaths(trace)) {
      Nanoseconds time = path.window.start;
      for (const PathLink& link : path.links) {
        ASSERT_EQ(link.range.start, time) << told(trace, path);
        ASSERT_FALSE(link.range.empty());
        time = link.range.end;
      }
      ASSERT_EQ(time, path.window.end) << told(trace, path);
    }
  }
}

}  // namespace
}  // namespace lanelab
