// SPDX-License-Identifier: GPL-3.0-only
// Operators as spans: their names, and how they nest.
#include "engine/torch/record/operator_track.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <string>

namespace lanelab {
namespace {

struct World {
  TraceBuilder builder{"test", {{"lane 0", "cpu:0"}}};
  OperatorTrack track{builder, builder.addTrack(0, Track::Kind::Host, "operators"), OperatorTrack::Blocks::Nest};

  void ends(const char* name) { track.ends(name, {{}, 0, kNoBlock}, Phase::Forward); }
  std::map<std::string, int> counts() const {
    const auto trace = builder.snapshot();
    std::map<std::string, int> counts;
    for (std::size_t i = 0; i < trace->tracks[0].spans.size(); ++i)
      ++counts[trace->names[trace->tracks[0].spans[i].name]];
    return counts;
  }
};

TEST(OperatorTrack, NamesAreWhatTheySayAndNotWhereTheyLie) {
  World world;
  const std::string longer(200, 'x');
  const std::map<std::string, int> wanted{
      {"aten::mm", 2},           {"aten::mm_", 1},         {"add", 2}, {"", 1}, {longer, 2},
      {std::string(51, 'y'), 2}, {std::string(52, 'z'), 2}};
  std::array<char, 256> place{};
  for (const char* const name :
       {"aten::mm", "aten::mm_", "add", "aten::mm", "", "add", longer.c_str(), longer.c_str()}) {
    std::strcpy(place.data(), name);
    world.track.begins();
    world.ends(place.data());
  }
  for (const auto& [name, times] : {std::pair(std::string(51, 'y'), 2), std::pair(std::string(52, 'z'), 2)}) {
    for (int i = 0; i < times; ++i) {
      std::strcpy(place.data(), name.c_str());
      world.track.begins();
      world.ends(place.data());
    }
  }
  EXPECT_EQ(world.counts(), wanted);
}

TEST(OperatorTrack, InnerOperatorsLieWithinTheOuterOne) {
  World world;
  const Nanoseconds begin = monotonicNow();
  // Past the first 10 ms nested operators are timed by the processor's counter, where it has one.
  int outer = 0;
  for (; monotonicNow() - begin < 30'000'000; ++outer) {
    world.track.begins();
    world.track.begins();
    world.track.begins();
    world.ends("inmost");
    world.ends("inner");
    world.ends("outer");
  }
  const Nanoseconds end = monotonicNow();
  const auto trace = world.builder.snapshot();
  const SpanColumns& spans = trace->tracks[0].spans;
  ASSERT_EQ(spans.size(), 3U * static_cast<std::size_t>(outer));
  Nanoseconds last = begin;
  for (std::size_t i = 0; i < spans.size(); i += 3) {
    const TimeRange out = spans[i].range(), in = spans[i + 1].range(), inmost = spans[i + 2].range();
    ASSERT_LE(last, out.start);
    ASSERT_TRUE(out.start <= in.start && in.start <= inmost.start && inmost.start <= inmost.end &&
                inmost.end <= in.end && in.end <= out.end)
        << i;
    last = out.end;
  }
  EXPECT_LE(last, end);
}

}  // namespace
}  // namespace lanelab
