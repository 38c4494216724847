// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/causes_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

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
