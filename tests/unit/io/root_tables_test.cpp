// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/root_tables.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "profiler/analysis/cause_shares.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

using Json = nlohmann::json;

/// Two replicas; the second takes twice as long, and both wait for it before their update.
Trace replicas() {
  SmallWorld world;
  for (int lane = 0; lane < 2; ++lane) {
    const std::string name = "cpu:" + std::to_string(lane);
    const auto index = world.lane(name, name);
    const auto track = world.track(index, Track::Kind::Compute, "compute");
    const Nanoseconds end = lane == 0 ? 10'000 : 20'000;
    world.action(track, 0, Phase::Forward, lane, 0, end);
    world.span(world.track(index, Track::Kind::Host, "host"), Category::Sync, "wait", end, 21'000);
    world.action(track, 0, Phase::Update, 0, 21'000, 22'000);
  }
  return world.trace;
}

TEST(RootTables, NameWhatCostsTheStepMost) {
  const Trace trace = replicas();
  const RootCosts roots = rootCosts(trace, prepareActions(trace));
  EXPECT_EQ(rootRows(trace, roots, 5),
            (TableRows{{"Without", "Mean step (replayed)", "Saved"},
                       {"more time of cpu:1 than of the other replicas", "12.0 µs", "10.0 µs, 45.5 %"}}));
  EXPECT_EQ(rootRows(trace, roots, 0).size(), 1U) << "as many as are wanted";
  EXPECT_EQ(
      stragglerSentence(trace, roots),
      "The slowest replica is cpu:1: at the speed of the others, the mean step would take 12.0 µs instead of 22.0 µs "
      "(replayed).");
  EXPECT_EQ(stragglerSentence(trace, {}), "");
}

TEST(RootTables, NameEveryKindOfRoot) {
  const Trace trace = replicas();
  EXPECT_EQ(rootText(trace, {Root::Kind::Link, 2, Cause::Unresolved}), "transfers between stage 2 and 3");
  EXPECT_EQ(rootText(trace, {Root::Kind::Delay, 0, Cause::Data}), "data on cpu:0");
  EXPECT_EQ(rootText(trace, {Root::Kind::Stage, 1, Cause::Unresolved}), "more work of stage 1 than of the mean stage");
  EXPECT_EQ(rootText(trace, {Root::Kind::Unequal, 7, Cause::Unresolved}), "slow actions of lane 7");
}

TEST(RootTables, ShowThePathByStageAndPhase) {
  const Trace trace = replicas();
  const PathParts path = pathParts(trace, tracedActions(trace), criticalPaths(trace));
  EXPECT_EQ(pathRows(trace, path, 1),
            (TableRows{{"Stage and phase", "Of the critical path", "Slack"}, {"0F on cpu:1", "90.9 %", "0 ns"}}));
  EXPECT_EQ(pathBlocksSentence(path), "") << "none are recorded";
}

TEST(RootTables, AreJson) {
  const Trace trace = replicas();
  const Json roots = Json::parse(rootsJson(trace, rootCosts(trace, prepareActions(trace))));
  ASSERT_EQ(roots.size(), 1U);
  EXPECT_EQ(roots[0]["root"], "replica");
  EXPECT_EQ(roots[0]["lane"], 1);
  EXPECT_EQ(roots[0]["saved_us"], 10.0);
  const Json path = Json::parse(pathJson(pathParts(trace, tracedActions(trace), criticalPaths(trace))));
  EXPECT_EQ(path["parts"][0]["stage"], 0);
  EXPECT_EQ(path["parts"][0]["phase"], "F");
  EXPECT_TRUE(path["blocks"].empty());
}

TEST(RootTables, AdviceForReplicasNamesNoDevice) {
  const std::string sentence = idleSentence(explainIdle(replicas())).message;
  EXPECT_NE(sentence.find("Replicas wait for the slowest one"), std::string::npos) << sentence;
}

}  // namespace
}  // namespace lanelab
