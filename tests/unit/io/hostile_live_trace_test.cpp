// SPDX-License-Identifier: GPL-3.0-only
// Live traces that claim more than they hold. What a test here shows is that reading them ends, in little memory:
// ctest's time limit is the measure.
#include <gtest/gtest.h>
#include <zlib.h>

#include <functional>

#include "profiler/io/import/trace_import.h"
#include "profiler/io/perfetto/live_tracks.h"
#include "profiler/io/perfetto/perfetto_fields.h"
#include "profiler/io/perfetto/perfetto_import.h"
#include "tests/unit/io/packet_texts.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

using Problems = std::map<std::string, std::int64_t>;
using Put = std::function<void(ProtobufText&)>;

std::string packed(const std::string& packets) {
  uLongf size = compressBound(packets.size());
  std::string bytes(size, '\0');
  compress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(packets.data()),
           packets.size());
  bytes.resize(size);
  return packet([&](ProtobufText& p) { p.bytes(perfetto::packet::kCompressedPackets, bytes); });
}
std::string state(const std::string& declaration, std::uint64_t spans = 0) {
  return packed(packet([&](ProtobufText& p) {
    p.bytes(perfetto::packet::kOwn, message([&](ProtobufText& own) {
              if (!declaration.empty()) own.bytes(perfetto::own::kDeclaration, declaration);
              own.varint(perfetto::own::kSpans, spans);
              own.varint(perfetto::own::kEnded, 1);
            }));
  }));
}
std::string event(std::uint64_t time, std::uint64_t track, std::uint64_t type, const Put& more = {}) {
  return packet([&](ProtobufText& p) {
    p.varint(perfetto::packet::kTimestamp, time);
    p.varint(perfetto::packet::kSequence, 1);
    p.bytes(perfetto::packet::kTrackEvent, message([&](ProtobufText& e) {
              e.varint(perfetto::event::kType, type);
              e.varint(perfetto::event::kTrack, track);
              if (more) more(e);
            }));
  });
}
std::string spanOn(std::uint64_t track, std::uint64_t start, std::uint64_t end) {
  return event(start, track, 1) + event(end, track, 2);
}

const std::string kOneTrack = R"({"lanelab":{"version":1,"lanes":[{"name":"a","device":"cpu:0"}],)"
                              R"("tracks":[{"lane":0,"kind":"compute","name":"compute","tids":[]}]}})";

ReadImport readOf(const std::string& packets) { return importBytes(packets, "it"); }

TEST(HostileLiveTrace, SpansOfTracksThatAreNotDeclaredMakeFewTracks) {
  const ReadImport read = readOf(state(kOneTrack, 1) + spanOn(live_tracks::ofRow(900'000, 0), 5, 7));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->trace->tracks.size(), 2u);
  EXPECT_EQ((*read)->trace->spanCount(), 1u);
}

TEST(HostileLiveTrace, ACounterInManyPacketsTakesNoTime) {
  const std::uint64_t count = 10'000;
  std::string packets = state(kOneTrack);
  for (std::uint64_t i = 0; i < count; ++i)
    packets += packed(event(i, live_tracks::ofCounter(0), 4,
                            [](ProtobufText& e) { e.number(perfetto::event::kDoubleCounter, 1.5); }));
  const ReadImport read = readOf(packets);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->counts.problems, Problems{});
  EXPECT_EQ((*read)->trace->counters[0].times.size(), count);
  EXPECT_EQ((*read)->trace->counters[0].times.back(), static_cast<Nanoseconds>(count - 1));
}

TEST(HostileLiveTrace, PacketsWithoutACheckSumThatHoldsTakeNoTime) {
  std::string packets = state(kOneTrack);
  const std::size_t count = 20'000;
  for (std::size_t i = 0; i < count; ++i)
    packets += packet([](ProtobufText& p) { p.bytes(perfetto::packet::kCompressedPackets, "\x78\x9Ctiny"); });
  const ReadImport read = readOf(packets);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->counts.problems, (Problems{{"damaged_packet", count}}));
}

TEST(HostileLiveTrace, PacketsWithinPacketsWithinPacketsAreNotUnpacked) {
  const ReadImport read = readOf(state(kOneTrack) + packed(packed(spanOn(live_tracks::ofRow(0, 0), 5, 7))));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->trace->spanCount(), 0u);
}

TEST(HostileLiveTrace, WhatItUnpacksToCountsAgainstTheLimit) {
  const TemporaryFolder folder;
  const std::string zeros = packet([](ProtobufText& p) { p.bytes(99, std::string(1'000'000, '\0')); });
  writeContent(folder.file("t"), state(kOneTrack) + packed(zeros));
  ImportLimits limits;
  limits.unpacked_bytes = 500'000;
  const ReadImport read = importTrace(folder.file("t"), limits);
  EXPECT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("unpacks to more than 500000 bytes"), std::string::npos) << read.error().message;
  EXPECT_TRUE(importTrace(folder.file("t")).ok());
}

TEST(HostileLiveTrace, APacketUnpacksToNoMoreThanOneMayHold) {
  std::string zeros;
  for (int i = 0; i < 70; ++i) zeros += packet([](ProtobufText& p) { p.bytes(99, std::string(1U << 20U, '\0')); });
  const ReadImport read = readOf(state(kOneTrack) + packed(zeros));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->counts.problems, (Problems{{"long_packet", 1}}));
}

TEST(HostileLiveTrace, HasNoMoreLanesThanItsLimit) {
  std::string lanes = "{}";
  for (int i = 1; i < 200'000; ++i) lanes += ",{}";
  const ReadImport read = readOf(state(R"({"lanelab":{"version":1,"lanes":[)" + lanes + "]}}"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->trace->lanes.size(), 65'536u);
}

TEST(HostileLiveTrace, SpansEndAfterTheyStartAndTimesAreInReach) {
  const auto problemsOf = [](std::uint64_t start, std::uint64_t end) {
    return (*readOf(state(kOneTrack) + spanOn(live_tracks::ofRow(0, 0), start, end)))->counts.problems;
  };
  EXPECT_EQ(problemsOf(5, 12), Problems{});
  EXPECT_EQ(problemsOf(5, 4), (Problems{{"unmatched_begin", 1}, {"unmatched_end", 1}}));
  EXPECT_EQ(problemsOf(std::uint64_t{1} << 62, 7), (Problems{{"bad_number", 1}, {"unmatched_end", 1}}));
}

TEST(HostileLiveTrace, CountersAndTracksBelongToLanesThatAreThere) {
  const std::string counter = packet([](ProtobufText& p) {
    p.bytes(perfetto::packet::kTrackDescriptor, message([](ProtobufText& d) {
              d.varint(perfetto::track::kUuid, live_tracks::ofCounter(0));
              d.varint(perfetto::track::kParent, live_tracks::ofLane(70'000));
            }));
  });
  const auto value = [](ProtobufText& e) { e.number(perfetto::event::kDoubleCounter, 1.5); };
  const ReadImport read =
      readOf(state(R"({"lanelab":{"version":1,"tracks":[{"lane":70000,"kind":"compute","name":"t"}]}})") + counter +
             event(4, live_tracks::ofCounter(0), 4, value));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->trace->tracks[0].lane, -1);
  EXPECT_EQ((*read)->trace->counters[0].lane, -1);
}

}  // namespace
}  // namespace lanelab
