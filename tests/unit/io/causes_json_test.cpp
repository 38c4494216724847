// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/causes_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "profiler/io/tables/csv_tables.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

using Json = nlohmann::json;

Json jsonOf(const Trace& trace, Nanoseconds axis) { return Json::parse(causesJson(trace, explainIdle(trace), axis)); }

/// Microseconds with three decimals are whole nanoseconds.
Nanoseconds nanoseconds(const Json& microseconds) { return std::llround(microseconds.get<double>() * 1000); }

TEST(CausesJson, TellsLanesGapsAndBubble) {
  const Trace trace = twoLanePipeline();
  const Json json = jsonOf(trace, trace.range().start);
  EXPECT_EQ(json.size(), 3u);
  EXPECT_EQ(json["windows"], "step");
  ASSERT_EQ(json["lanes"].size(), 2u);
  const Json& left = json["lanes"][0];
  EXPECT_EQ(left["lane"], 0);
  EXPECT_EQ(left["name"], "left");
  EXPECT_EQ(left["window_us"], 100.0);
  EXPECT_EQ(left["busy_us"], 44.507);
  EXPECT_EQ(left["idle_us"], 55.493);
  EXPECT_EQ(left["causes"].size(), kCauseCount - 2) << "only GPUs of imported traces communicate; nothing evaluates";
  const Json& gap = left["gaps"][0];
  EXPECT_EQ(gap["start_us"], 0.0);
  EXPECT_EQ(gap["duration_us"], 1.0);
  EXPECT_EQ(gap["before"], "0F0");
  EXPECT_EQ(gap["step"], 0);
  EXPECT_EQ(gap["cause"], "host");
  EXPECT_EQ(gap["causes"], Json({{"host", 0.9}, {"unresolved", 0.1}}));
  EXPECT_TRUE(json["bubble"]["of_total"].is_number());
  EXPECT_TRUE(json["bubble"]["of_ideal"].is_number());
}

TEST(CausesJson, OfALaneWithoutWorkBlamesNoCause) {
  SmallWorld world;
  const auto busy = world.lane("cpu:0", "cpu:0");
  world.span(world.track(busy, Track::Kind::Step, "steps"), Category::Step, "step 0", 0, 12'000);
  world.action(world.track(busy, Track::Kind::Compute, "compute"), 0, Phase::Forward, 0, 0, 9'000);
  world.track(world.lane("cpu:1", "cpu:1"), Track::Kind::Compute, "compute");
  const Json lanes = jsonOf(world.trace, 0)["lanes"];
  EXPECT_FALSE(lanes[0]["causes"].contains("no_work_in_the_steps"));
  EXPECT_NE(lanes[0]["gaps"][0]["cause"], "no_work_in_the_steps");
  EXPECT_EQ(lanes[1]["causes"]["drain"], 0.0);
  EXPECT_EQ(lanes[1]["causes"]["no_work_in_the_steps"], lanes[1]["idle_us"]);
  EXPECT_EQ(lanes[1]["gaps"][0]["cause"], "no_work_in_the_steps");
  EXPECT_EQ(lanes[1]["gaps"][0]["causes"], Json({{"no_work_in_the_steps", 12.0}}));
  const std::string csv = gapTableCsv(world.trace, explainIdle(world.trace), 0);
  EXPECT_NE(csv.find("1,cpu:1,0,end,0.000,12.000,no_work_in_the_steps,0.000,0.000,"), std::string::npos) << csv;
}

TEST(CausesJson, OfAGpuHasItsCommunicationAndWhatIdleTimeIsMadeOf) {
  SmallWorld world;
  const auto track = world.track(world.lane("GPU 0", ""), Track::Kind::Stream, "stream");
  world.span(track, Category::Kernel, "gemm", 0, 10'000);
  world.span(track, Category::Communication, "ncclDevKernel", 8'000, 14'000);
  world.span(track, Category::Memcpy, "copy", 13'000, 16'000);
  world.span(track, Category::Kernel, "gemm", 20'000, 30'000);
  const Json lane = jsonOf(world.trace, 0)["lanes"][0];
  EXPECT_EQ(lane["busy_us"], 20.0);
  EXPECT_EQ(lane["idle_us"], 10.0);
  EXPECT_EQ(lane["communication_us"], 6.0);
  EXPECT_EQ(lane["exposed_communication_us"], 4.0);
  EXPECT_EQ(lane["exposed_memory_us"], 2.0);
  EXPECT_EQ(lane["inactive_us"], 4.0);
  EXPECT_EQ(lane["causes"]["communication"], 4.0);
}

TEST(CausesJson, AddsUpToTheNanosecond) {
  const Json json = jsonOf(twoLanePipeline(), 0);
  for (const Json& lane : json["lanes"]) {
    Nanoseconds causes = 0;
    Nanoseconds gaps = 0;
    for (const Json& time : lane["causes"]) causes += nanoseconds(time);
    for (const Json& gap : lane["gaps"]) gaps += nanoseconds(gap["duration_us"]);
    EXPECT_EQ(causes, nanoseconds(lane["idle_us"]));
    EXPECT_EQ(gaps, nanoseconds(lane["idle_us"]));
    EXPECT_EQ(nanoseconds(lane["busy_us"]) + nanoseconds(lane["idle_us"]), nanoseconds(lane["window_us"]));
  }
}

TEST(CausesJson, CountsStartsFromTheFilesOwnAxis) {
  const Trace trace = twoLanePipeline();
  const std::string text = causesJson(trace, explainIdle(trace), trace.range().start - 1);
  EXPECT_NE(text.find("\"start_us\": 0.001, \"since_begin_us\": 0.000, \"duration_us\": 1.000"), std::string::npos);
}

TEST(CausesJson, OfNothingAndOfOddNamesIsValid) {
  EXPECT_EQ(jsonOf(Trace{}, 0),
            Json::parse(R"({"windows": "step", "lanes": [], "bubble": {"of_total": 0, "of_ideal": 0}})"));
  SmallWorld world;
  const auto track = world.track(world.lane("a \"b\"\n\xff", "cpu:0"), Track::Kind::Compute, "compute");
  world.action(track, 0, Phase::Forward, 0, 0, 10);
  EXPECT_EQ(jsonOf(world.trace, 0)["lanes"][0]["name"], "a \"b\"\n\xEF\xBF\xBD");
}

}  // namespace
}  // namespace lanelab
