// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/collect/cupti/cupti_decoder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include "tests/unit/cupti/activity_records.h"

namespace lanelab {
namespace {

using Kind = RawActivity::Kind;

struct Decoded {
  CuptiDecoder decoder = CuptiDecoder(test::recordLibrary());
  std::vector<RawActivity> activities;

  explicit Decoded(RecordBuffer buffer) { add(std::move(buffer)); }
  void add(RecordBuffer buffer) {
    const ActivityBuffer view = buffer.view();
    decoder.decode({&view, 1}, activities);
  }
  const RawActivity& only() const {
    EXPECT_EQ(activities.size(), 1u);
    return activities.at(0);
  }
  std::string nameOfOnly() const { return decoder.nameOf(only().name); }
};

TEST(CuptiDecoder, ReadsAKernel) {
  const Decoded decoded(RecordBuffer().add(kernel("sgemm", 100, 250, 42, 7)));
  const RawActivity& activity = decoded.only();
  EXPECT_EQ(activity.kind, Kind::Kernel);
  EXPECT_EQ(decoded.nameOfOnly(), "sgemm");
  EXPECT_EQ(activity.start, 100);
  EXPECT_EQ(activity.end, 250);
  EXPECT_EQ(activity.context, 1u);
  EXPECT_EQ(activity.stream, 7u);
  EXPECT_EQ(activity.correlation, 42u);
}

TEST(CuptiDecoder, MakesKernelNamesReadable) {
  EXPECT_EQ(Decoded(RecordBuffer().add(kernel("_ZN2at6native5scaleEf", 1, 2))).nameOfOnly(),
            "at::native::scale(float)");
  EXPECT_EQ(Decoded(RecordBuffer().add(kernel("f", 1, 2))).nameOfOnly(), "f")
      << "a plain name that is also a mangled type";
  EXPECT_EQ(Decoded(RecordBuffer().add(kernel(nullptr, 1, 2))).nameOfOnly(), "kernel");
}

TEST(CuptiDecoder, CopiesNamesAtOnce) {
  auto name = std::make_unique<char[]>(32);
  std::strcpy(name.get(), "short-lived");
  const Decoded decoded(RecordBuffer().add(kernel(name.get(), 1, 2)));
  std::strcpy(name.get(), "overwritten");
  name.reset();
  EXPECT_EQ(decoded.nameOfOnly(), "short-lived");
}

TEST(CuptiDecoder, ReadsCopiesOfBothKinds) {
  Decoded decoded(
      RecordBuffer().add(copy(CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, 10, 20, 4096)).add(peerCopy(0, 1, 30, 40, 1 << 20)));
  ASSERT_EQ(decoded.activities.size(), 2u);
  EXPECT_EQ(decoded.activities[0].kind, Kind::Memcpy);
  EXPECT_EQ(decoded.decoder.nameOf(decoded.activities[0].name), "memcpy host to device");
  EXPECT_EQ(decoded.activities[1].kind, Kind::PeerCopy);
  EXPECT_EQ(decoded.decoder.nameOf(decoded.activities[1].name), "memcpy GPU 0 to GPU 1");
}

TEST(CuptiDecoder, ReadsMemsetsSynchronizationAndOverhead) {
  Decoded decoded(RecordBuffer()
                      .add(fill(1, 2, 64))
                      .add(synchronization(CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE, 3, 9))
                      .add(synchronization(CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE, 10, 12,
                                           CUPTI_SYNCHRONIZATION_INVALID_VALUE))
                      .add(overhead(CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING, 4711, 20, 22)));
  ASSERT_EQ(decoded.activities.size(), 4u);
  EXPECT_EQ(decoded.activities[0].kind, Kind::Memset);
  EXPECT_EQ(decoded.decoder.nameOf(decoded.activities[1].name), "stream synchronize");
  EXPECT_EQ(decoded.activities[2].kind, Kind::Synchronization);
  EXPECT_EQ(decoded.activities[2].stream, RawActivity::kNone);
  EXPECT_EQ(decoded.activities[3].kind, Kind::Upkeep) << "without CUPTI it would have been loaded too";
  EXPECT_EQ(decoded.activities[3].thread, 4711u);
  EXPECT_EQ(decoded.decoder.nameOf(decoded.activities[3].name), "lazy function loading");
}

TEST(CuptiDecoder, TellsWhatCuptiTookFromWhatCudaTook) {
  const std::pair<CUpti_ActivityOverheadKind, Kind> table[] = {
      {CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH, Kind::Overhead},
      {CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION, Kind::Overhead},
      {CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE, Kind::Overhead},
      {CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST, Kind::Overhead},
      {CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER, Kind::Upkeep},
      {CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING, Kind::Upkeep},
      {CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL, Kind::Upkeep}};
  for (const auto& [kind, wanted] : table)
    EXPECT_EQ(Decoded(RecordBuffer().add(overhead(kind, 1, 2, 3))).only().kind, wanted) << kind;
}

TEST(CuptiDecoder, ReadsHostCalls) {
  Decoded decoded(RecordBuffer()
                      .add(call(CUPTI_ACTIVITY_KIND_RUNTIME, 211, 5, 8, 99, 17))
                      .add(call(CUPTI_ACTIVITY_KIND_DRIVER, 307, 6, 7, 99, 17)));
  ASSERT_EQ(decoded.activities.size(), 2u);
  EXPECT_EQ(decoded.activities[0].kind, Kind::RuntimeCall);
  EXPECT_EQ(decoded.activities[1].kind, Kind::DriverCall);
  EXPECT_EQ(decoded.activities[0].thread, 99u);
  EXPECT_EQ(decoded.activities[0].correlation, 17u);
  EXPECT_NE(decoded.decoder.nameOf(decoded.activities[0].name), decoded.decoder.nameOf(decoded.activities[1].name));
}

TEST(CuptiDecoder, RemembersGreenContexts) {
  const Decoded decoded(RecordBuffer().add(greenContext(5, 1, 32)));
  EXPECT_TRUE(decoded.activities.empty());
  EXPECT_EQ(decoded.decoder.greenContexts().at(5), 32u);
}

TEST(CuptiDecoder, FindsTheExternalIdAndTheLaunchInAnotherBuffer) {
  RecordBuffer first;
  RecordBuffer second;
  first.add(kernel("a", 1, 2, 10)).add(kernel("b", 3, 4, 11));
  second.add(externalId(10, 0xABCDEF0123456789U))
      .add(call(CUPTI_ACTIVITY_KIND_RUNTIME, 211, 5, 8, 99, 10))
      .add(externalId(12, 3));
  const ActivityBuffer buffers[] = {first.view(), second.view()};
  CuptiDecoder decoder(test::recordLibrary());
  std::vector<RawActivity> activities;
  decoder.decode(buffers, activities);
  ASSERT_EQ(activities.size(), 3u);
  const LaunchCall* const launch = decoder.launches().find(activities[0].correlation);
  ASSERT_NE(launch, nullptr);
  EXPECT_EQ(launch->external_id, 0xABCDEF0123456789U);
  EXPECT_EQ(launch->start, 5);
  EXPECT_EQ(launch->end, 8);
  EXPECT_EQ(launch->thread, 99u);
  EXPECT_EQ(decoder.launches().find(activities[1].correlation), nullptr);

  const LaunchCall* const named = decoder.launches().find(12);
  ASSERT_NE(named, nullptr);
  EXPECT_EQ(named->external_id, 3u);
  EXPECT_FALSE(named->known()) << "its call has not come";
  RecordBuffer later;
  later.add(call(CUPTI_ACTIVITY_KIND_RUNTIME, 211, 20, 30, 99, 12));
  const ActivityBuffer view = later.view();
  decoder.decode({&view, 1}, activities);
  EXPECT_EQ(named->external_id, 3u) << "an id from a call before";
  EXPECT_EQ(named->end, 30);
}

TEST(CuptiDecoder, ARuntimeCallAndTheDriverCallWithinAreOneLaunch) {
  Decoded decoded(RecordBuffer()
                      .add(call(CUPTI_ACTIVITY_KIND_DRIVER, 307, 6, 7, 99, 17))
                      .add(call(CUPTI_ACTIVITY_KIND_RUNTIME, 211, 5, 8, 99, 17)));
  const LaunchCall* const launch = decoded.decoder.launches().find(17);
  ASSERT_NE(launch, nullptr);
  EXPECT_EQ(launch->start, 5);
  EXPECT_EQ(launch->end, 8);
}

TEST(CuptiDecoder, NodesOfAGraphKeepTheirNumbersAndShareItsLaunch) {
  const Decoded decoded(
      RecordBuffer()
          .add(ofGraph(kernel("a", 10, 20, 5), 3, 0x300000001U))
          .add(ofGraph(correlated(copy(CUPTI_ACTIVITY_MEMCPY_KIND_DTOD, 20, 25, 64), 5), 3, 0x300000002U))
          .add(ofGraph(correlated(fill(25, 26, 8), 5), 3, 0x300000003U))
          .add(ofGraph(correlated(peerCopy(0, 1, 26, 30, 8), 5), 3, 0x300000004U))
          .add(kernel("alone", 30, 31, 6)));
  ASSERT_EQ(decoded.activities.size(), 5u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(decoded.activities[i].graph_node, 0x300000001U + i);
    EXPECT_EQ(decoded.activities[i].correlation, 5u);
  }
  EXPECT_EQ(decoded.activities[4].graph_node, 0u);
}

TEST(CuptiDecoder, AWaitKnowsTheStreamOfItsEventBySyncIdAndNotByHandle) {
  const auto wait = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT;
  // Handle 50 was recorded on stream 13, then again on stream 21, then waited for by the first recording's id.
  Decoded decoded(RecordBuffer()
                      .add(eventWait(wait, 1001, 50, 10, 12))
                      .add(recordedEvent(1001, 50, 13))
                      .add(recordedEvent(1002, 50, 21))
                      .add(eventWait(CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE, 1002, 50, 20, 22))
                      .add(eventWait(wait, 2002, 50, 30, 32))
                      .add(eventWait(CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE, 1001, 0, 40, 42)));
  ASSERT_EQ(decoded.activities.size(), 4u);
  const auto nameOf = [&](std::size_t i) { return decoded.decoder.nameOf(decoded.activities[i].name); };
  EXPECT_EQ(nameOf(0), "stream wait event of stream 13");
  EXPECT_EQ(nameOf(1), "event synchronize of stream 21");
  EXPECT_EQ(nameOf(2), "stream wait event") << "a recording that nobody told of";
  EXPECT_EQ(nameOf(3), "stream synchronize") << "no wait for an event";
}

TEST(CuptiDecoder, AnAddressThatIsUsedAgainHasTheNewName) {
  char name[8] = "first";
  Decoded decoded(RecordBuffer().add(kernel(name, 1, 2)).add(kernel(name, 3, 4)));
  std::strcpy(name, "second");
  decoded.add(RecordBuffer().add(kernel(name, 5, 6)));
  ASSERT_EQ(decoded.activities.size(), 3u);
  EXPECT_EQ(decoded.decoder.nameOf(decoded.activities[1].name), "first");
  EXPECT_EQ(decoded.decoder.nameOf(decoded.activities[2].name), "second");
}

TEST(LaunchTable, KeepsTheNewestAndForgetsTheOldest) {
  LaunchTable table;
  constexpr auto kCalls = static_cast<std::uint32_t>(LaunchTable::kPlaces);
  for (std::uint32_t i = 1; i <= kCalls + 100; ++i) table.addCall(i, 1, i, i + 1);
  EXPECT_EQ(table.find(100), nullptr);
  for (std::uint32_t i = 101; i <= kCalls + 100; ++i) ASSERT_NE(table.find(i), nullptr) << i;
  EXPECT_EQ(table.find(0), nullptr);
  EXPECT_EQ(table.find(kCalls + 101), nullptr);
}

TEST(CuptiDecoder, CountsRecordsWithoutATime) {
  const Decoded decoded(
      RecordBuffer().add(kernel("lost", 0, 0)).add(kernel("unfinished", 50, 0)).add(kernel("good", 60, 60)));
  EXPECT_EQ(decoded.nameOfOnly(), "good");
  EXPECT_EQ(decoded.decoder.counts().zero_time, 2);
}

TEST(CuptiDecoder, PassesOverKindsItDoesNotKnow) {
  CUpti_ActivityMarker2 marker{};
  marker.kind = CUPTI_ACTIVITY_KIND_MARKER;
  const Decoded decoded(RecordBuffer().add(marker).add(kernel("a", 1, 2)));
  EXPECT_EQ(decoded.nameOfOnly(), "a");
}

TEST(CuptiDecoder, EmptyAndDamagedBuffersDoNoHarm) {
  CuptiDecoder decoder(test::recordLibrary());
  std::vector<RawActivity> activities;
  std::vector<std::uint64_t> noise(16, 0xEEEEEEEEEEEEEEEEU);
  const ActivityBuffer buffers[] = {{nullptr, 0},
                                    {nullptr, 64},
                                    {reinterpret_cast<std::uint8_t*>(noise.data()), 0},
                                    {reinterpret_cast<std::uint8_t*>(noise.data()), 128}};
  decoder.decode(buffers, activities);
  EXPECT_TRUE(activities.empty());
  EXPECT_EQ(decoder.counts().damaged, 1);
}

TEST(CuptiDecoder, ReadsManyRecordsInOrder) {
  RecordBuffer buffer;
  for (std::uint32_t i = 0; i < 10'000; ++i)
    buffer.add(externalId(i + 1, i + 1'000'000)).add(kernel(i % 2 == 0 ? "even" : "odd", i + 1, i + 2, i + 1));
  const Decoded decoded(buffer);
  ASSERT_EQ(decoded.activities.size(), 10'000u);
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    ASSERT_EQ(decoded.activities[i].start, static_cast<Nanoseconds>(i) + 1);
    ASSERT_EQ(decoded.decoder.launches().find(decoded.activities[i].correlation)->external_id, i + 1'000'000u);
  }
}

}  // namespace
}  // namespace lanelab
