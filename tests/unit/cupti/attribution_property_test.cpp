// SPDX-License-Identifier: GPL-3.0-only
// Random runs whose records come split over buffers and rounds, out of order and with losses, and whether every kernel
// finds its action and launch.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>

#include "profiler/collect/cupti/activity_sink.h"
#include "tests/unit/cupti/activity_records.h"

namespace lanelab {
namespace {

constexpr std::uint8_t kThisRun = 9;
constexpr std::uint32_t kFirstThread = 100;
constexpr int kLanes = 3;
constexpr int kRounds = 6;

/// What is expected of a kernel, known by its start.
struct Expected {
  LaunchOwner owner;  ///< of nobody where no lane is set
  Nanoseconds mark = 0;
};

class RandomRun {
 public:
  explicit RandomRun(unsigned seed) : m_random(seed), m_buffers(kRounds) {
    for (int lane = 0; lane < kLanes; ++lane) addLane(lane);
    for (auto& round : m_buffers) std::shuffle(round.begin(), round.end(), m_random);
  }

  std::vector<LaunchLog::Entry> launches;
  std::map<Nanoseconds, Expected> expected;

  std::vector<RecordBuffer>& buffersOf(int round) { return m_buffers[static_cast<std::size_t>(round)]; }

 private:
  bool oneIn(int times) { return m_random() % static_cast<unsigned>(times) == 0; }

  void addLane(int lane) {
    const std::uint32_t thread = kFirstThread + static_cast<std::uint32_t>(lane);
    Nanoseconds time = 1'000;
    for (int action = 0; action < 30; ++action) {
      const LaunchOwner owner{lane, action / 6, static_cast<std::int16_t>(lane), static_cast<std::int16_t>(action % 6),
                              action % 2 == 0 ? Phase::Forward : Phase::Backward};
      launches.push_back({thread, time, owner, true});
      const int kernels = 1 + static_cast<int>(m_random() % 6);
      for (int i = 0; i < kernels; ++i, time += 100) addLaunch(lane, thread, time + 10, owner);
      launches.push_back({thread, time + 20, {}, false});
      if (oneIn(3)) addLaunch(lane, thread, time + 40, {});  // between two actions
      time += 100;
    }
  }

  /// Records of a launch lie in any of the rounds; a call may be lost, its id too, and ids of an earlier run come
  /// along.
  void addLaunch(int lane, std::uint32_t thread, Nanoseconds called, const LaunchOwner& owner) {
    const std::uint32_t correlation = ++m_correlation;
    const auto start = static_cast<std::uint64_t>(1'000'000 + 10 * correlation);
    const bool lost_call = oneIn(10), lost_id = oneIn(3) || owner.lane < 0, old_id = lost_id && oneIn(4);
    // An id may lie behind its kernel's call, but within what the call was waited for.
    const int round_of_call = static_cast<int>(m_random() % kRounds);
    if (!lost_id)
      emit(static_cast<int>(m_random() % (static_cast<unsigned>(round_of_call) + 1)),
           externalId(correlation, externalIdOf(owner, kThisRun)));
    if (old_id) emit(round_of_call, externalId(correlation, externalIdOf({0, 77, 0, 0, Phase::Update}, kThisRun - 1)));
    if (!lost_call)
      emit(round_of_call, call(CUPTI_ACTIVITY_KIND_RUNTIME, 211, static_cast<std::uint64_t>(called),
                               static_cast<std::uint64_t>(called + 5), thread, correlation));
    emit(static_cast<int>(m_random() % kRounds),
         kernel("k", start, start + 5, correlation, 7 + static_cast<std::uint32_t>(lane)));
    Expected& kernel = expected[static_cast<Nanoseconds>(start)];
    if (!lost_id || !lost_call) kernel.owner = owner;
    if (!lost_call) kernel.mark = called + 5;
  }

  template <class Record>
  void emit(int round, const Record& record) {
    std::vector<RecordBuffer>& buffers = buffersOf(round);
    if (buffers.empty() || oneIn(4)) buffers.emplace_back();
    buffers[m_random() % buffers.size()].add(record);
  }

  std::mt19937 m_random;
  std::vector<std::vector<RecordBuffer>> m_buffers;
  std::uint32_t m_correlation = 0;
};

TEST(AttributionProperty, EveryKernelFindsItsActionAndItsLaunchWhereverTheirRecordsLie) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    RandomRun run(seed);
    TraceBuilder builder("t", {{"a", "cuda:0"}, {"b", "cuda:0"}, {"c", "cuda:0"}});
    CuptiOptions options;
    options.lane_of_stream = [](CudaStream stream) { return static_cast<int>(stream.stream) - 7; };
    CuptiDecoder decoder(test::recordLibrary());
    ActivitySink sink(builder, options, decoder, kThisRun, true);
    LaunchOwners owners;
    owners.add(run.launches);
    const ClockPairing clock;
    for (int round = 0; round < kRounds; ++round) {
      std::vector<ActivityBuffer> buffers;
      for (RecordBuffer& buffer : run.buffersOf(round)) buffers.push_back(buffer.view());
      std::vector<RawActivity> activities;
      decoder.decode(buffers, activities);
      sink.add(activities, clock, owners);
    }
    sink.finish(clock, owners);

    std::size_t spans = 0;
    std::int64_t unattributed = 0;
    for (const Track& track : builder.snapshot()->tracks) {
      for (const Span& span : track.spans) {
        ++spans;
        const auto expected = run.expected.find(span.start);
        ASSERT_NE(expected, run.expected.end());
        const auto& [owner, mark] = expected->second;
        unattributed += owner.lane < 0;
        ASSERT_EQ(span.mark, mark) << "seed " << seed << ", kernel at " << span.start;
        ASSERT_EQ((LaunchOwner{-1, span.step, span.stage, span.micro_batch, span.phase}),
                  (LaunchOwner{-1, owner.step, owner.stage, owner.micro_batch, owner.phase}))
            << "seed " << seed << ", kernel at " << span.start;
      }
    }
    EXPECT_EQ(spans, run.expected.size()) << "none is lost, none comes twice";
    EXPECT_EQ(sink.counts().unattributed, unattributed);
    EXPECT_EQ(sink.counts().kernels, static_cast<std::int64_t>(spans));
  }
}

}  // namespace
}  // namespace lanelab
