#include "profiler/collect/cupti/cupti_decoder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include "tests/unit/cupti/activity_records.h"

namespace lanelab {
namespace {

using Kind = RawActivity::Kind;

struct Decoded {
  CuptiDecoder decoder;
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
  EXPECT_EQ(activity.device, 0u);
  EXPECT_EQ(activity.context, 1u);
  EXPECT_EQ(activity.stream, 7u);
  EXPECT_EQ(activity.correlation, 42u);
}

TEST(CuptiDecoder, MakesKernelNamesReadable) {
  EXPECT_EQ(Decoded(RecordBuffer().add(kernel("_ZN2at6native5scaleEf", 1, 2))).nameOfOnly(), "at::native::scale(float)");
  EXPECT_EQ(Decoded(RecordBuffer().add(kernel("f", 1, 2))).nameOfOnly(), "f") << "a plain name that is also a mangled type";
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
  Decoded decoded(RecordBuffer().add(copy(CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, 10, 20, 4096)).add(peerCopy(0, 1, 30, 40, 1 << 20)));
  ASSERT_EQ(decoded.activities.size(), 2u);
  EXPECT_EQ(decoded.activities[0].kind, Kind::Memcpy);
  EXPECT_EQ(decoded.activities[0].bytes, 4096u);
  EXPECT_EQ(decoded.decoder.nameOf(decoded.activities[0].name), "memcpy host to device");
  EXPECT_EQ(decoded.activities[1].kind, Kind::PeerCopy);
  EXPECT_EQ(decoded.activities[1].bytes, 1u << 20);
  EXPECT_EQ(decoded.decoder.nameOf(decoded.activities[1].name), "memcpy GPU 0 to GPU 1");
}

TEST(CuptiDecoder, ReadsMemsetsSynchronizationAndOverhead) {
  Decoded decoded(RecordBuffer()
                      .add(fill(1, 2, 64))
                      .add(synchronization(CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE, 3, 9))
                      .add(synchronization(CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE, 10, 12, CUPTI_SYNCHRONIZATION_INVALID_VALUE))
                      .add(overhead(CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING, 4711, 20, 22)));
  ASSERT_EQ(decoded.activities.size(), 4u);
  EXPECT_EQ(decoded.activities[0].kind, Kind::Memset);
  EXPECT_EQ(decoded.decoder.nameOf(decoded.activities[1].name), "stream synchronize");
  EXPECT_EQ(decoded.activities[2].kind, Kind::Synchronization);
  EXPECT_EQ(decoded.activities[2].stream, RawActivity::none);
  EXPECT_EQ(decoded.activities[3].kind, Kind::Overhead);
  EXPECT_EQ(decoded.activities[3].thread, 4711u);
  EXPECT_EQ(decoded.decoder.nameOf(decoded.activities[3].name), "lazy function loading");
}

TEST(CuptiDecoder, ReadsHostCalls) {
  Decoded decoded(RecordBuffer().add(call(CUPTI_ACTIVITY_KIND_RUNTIME, 211, 5, 8, 99, 17)).add(call(CUPTI_ACTIVITY_KIND_DRIVER, 307, 6, 7, 99, 17)));
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
  const CudaContext& context = decoded.decoder.contexts().at(5);
  EXPECT_TRUE(context.is_green);
  EXPECT_EQ(context.parent, 1u);
  EXPECT_EQ(context.device, 3u);
  EXPECT_EQ(context.multiprocessors, 32u);
}

TEST(CuptiDecoder, FindsTheExternalIdInAnotherBuffer) {
  RecordBuffer first;
  RecordBuffer second;
  first.add(kernel("a", 1, 2, 10)).add(kernel("b", 3, 4, 11));
  second.add(externalId(10, 0xABCDEF0123456789U)).add(externalId(12, 3));
  const ActivityBuffer buffers[] = {first.view(), second.view()};
  CuptiDecoder decoder;
  std::vector<RawActivity> activities;
  decoder.decode(buffers, activities);
  ASSERT_EQ(activities.size(), 2u);
  EXPECT_EQ(activities[0].external_id, 0xABCDEF0123456789U);
  EXPECT_EQ(activities[1].external_id, 0u);

  RecordBuffer later;
  later.add(kernel("c", 5, 6, 12));
  const ActivityBuffer view = later.view();
  decoder.decode({&view, 1}, activities);
  EXPECT_EQ(activities.at(2).external_id, 3u) << "an id from a call before";
}

TEST(CuptiDecoder, CountsRecordsWithoutATime) {
  const Decoded decoded(RecordBuffer().add(kernel("lost", 0, 0)).add(kernel("unfinished", 50, 0)).add(kernel("good", 60, 60)));
  EXPECT_EQ(decoded.nameOfOnly(), "good");
  EXPECT_EQ(decoded.decoder.counts().zero_time, 2);
  EXPECT_EQ(decoded.decoder.counts().records, 3);
}

TEST(CuptiDecoder, PassesOverKindsItDoesNotKnow) {
  CUpti_ActivityMarker2 marker{};
  marker.kind = CUPTI_ACTIVITY_KIND_MARKER;
  const Decoded decoded(RecordBuffer().add(marker).add(kernel("a", 1, 2)));
  EXPECT_EQ(decoded.nameOfOnly(), "a");
  EXPECT_EQ(decoded.decoder.counts().other_kinds, 1);
}

TEST(CuptiDecoder, EmptyAndDamagedBuffersDoNoHarm) {
  CuptiDecoder decoder;
  std::vector<RawActivity> activities;
  std::vector<std::uint64_t> noise(16, 0xEEEEEEEEEEEEEEEEU);
  const ActivityBuffer buffers[] = {
      {nullptr, 0}, {nullptr, 64}, {reinterpret_cast<std::uint8_t*>(noise.data()), 0}, {reinterpret_cast<std::uint8_t*>(noise.data()), 128}};
  decoder.decode(buffers, activities);
  EXPECT_TRUE(activities.empty());
  EXPECT_EQ(decoder.counts().damaged, 1);
}

TEST(CuptiDecoder, ReadsManyRecordsInOrder) {
  RecordBuffer buffer;
  for (std::uint32_t i = 0; i < 10'000; ++i) buffer.add(externalId(i, i + 1'000'000)).add(kernel(i % 2 == 0 ? "even" : "odd", i + 1, i + 2, i));
  const Decoded decoded(buffer);
  ASSERT_EQ(decoded.activities.size(), 10'000u);
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    ASSERT_EQ(decoded.activities[i].start, static_cast<Nanoseconds>(i) + 1);
    ASSERT_EQ(decoded.activities[i].external_id, i + 1'000'000u);
  }
}

}  // namespace
}  // namespace lanelab
