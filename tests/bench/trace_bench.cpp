// SPDX-License-Identifier: GPL-3.0-only
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "base/quantile.h"
#include "profiler/trace/trace_builder.h"
#include "tests/bench/benches.h"
#include "tests/support/stopwatch.h"

namespace lanelab::bench {

namespace {

constexpr std::uint32_t kLanes = 8;
constexpr int kPolls = 101;
constexpr std::int64_t kNewSpans = 1000;  ///< of a poll: a run of blocks makes fewer in the 33 ms between two

/// The actions of a lane, one after another.
class LaneWriter {
 public:
  LaneWriter(TraceBuilder& builder, std::uint32_t lane)
      : m_builder(builder),
        m_track(builder.addTrack(static_cast<int>(lane), Track::Kind::Compute, "compute")),
        m_random(lane) {}

  void append() {
    Span span;
    span.start = m_time;
    m_time += 8'000'000 + static_cast<Nanoseconds>(m_random() % 900'000);
    span.end = m_time;
    span.mark = span.start - static_cast<Nanoseconds>(m_random() % 50'000);
    span.cpu = span.range().length() - static_cast<Nanoseconds>(m_random() % 60'000);
    span.name = static_cast<std::uint32_t>(m_count % 16);
    span.step = static_cast<std::int32_t>(m_count / 17);
    span.micro_batch = static_cast<std::int16_t>(m_count % 8);
    span.category = Category::Action;
    span.phase = m_count % 2 == 0 ? Phase::Forward : Phase::Backward;
    ++m_count;
    m_builder.append(m_track, span);
  }

 private:
  TraceBuilder& m_builder;
  TrackIndex m_track;
  std::minstd_rand m_random;
  Nanoseconds m_time = 123'456'789'012'345;
  std::int64_t m_count = 0;
};

}  // namespace

nlohmann::json benchTrace(std::int64_t events, bool print) {
  std::vector<LaneInfo> infos(kLanes);
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    infos[lane] = {"lane " + std::to_string(lane), "cpu:" + std::to_string(lane)};
  TraceBuilder builder("bench", infos);
  for (int name = 0; name < 16; ++name) builder.intern("action " + std::to_string(name));
  std::vector<LaneWriter> lanes;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) lanes.emplace_back(builder, lane);
  const auto appendToAll = [&](std::int64_t spans) {
    for (std::int64_t i = 0; i < spans; ++i) lanes[static_cast<std::size_t>(i) % kLanes].append();
  };

  const test::Stopwatch append_watch;
  appendToAll(events);
  const double append = 1e9 * append_watch.seconds() / static_cast<double>(events);
  const test::Stopwatch first_watch;
  std::shared_ptr<const Trace> trace = builder.snapshot();
  const double first = 1e3 * first_watch.seconds();

  std::vector<double> polls;
  for (int poll = 0; poll < kPolls; ++poll) {
    appendToAll(kNewSpans);
    const test::Stopwatch watch;
    trace = builder.snapshot();
    polls.push_back(1e3 * watch.seconds());
  }
  const auto count = static_cast<double>(trace->spanCount());
  const double bytes = static_cast<double>(builder.bytes()) / count;
  if (print) {
    std::printf("trace: %.0f spans on %u lanes\n", count, kLanes);
    std::printf("  append    %8.1f ns a span, making it up included\n", append);
    std::printf("  snapshot  %8.3f ms with %lld new spans (median of %d), %.1f ms the first of all\n", medianOf(polls),
                static_cast<long long>(kNewSpans), kPolls, first);
    std::printf("  memory    %8.1f bytes a span, builder and snapshot together\n", bytes);
  }
  return {{"events", trace->spanCount()},
          {"bytes_per_event", bytes},
          {"append_ns", append},
          {"snapshot_ms", medianOf(polls)},
          {"first_snapshot_ms", first}};
}

}  // namespace lanelab::bench
