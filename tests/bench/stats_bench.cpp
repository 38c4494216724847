// SPDX-License-Identifier: GPL-3.0-only
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>

#include "profiler/analysis/statistics/flame_tree.h"
#include "profiler/analysis/statistics/span_statistics.h"
#include "tests/bench/benches.h"
#include "tests/bench/median_time.h"

namespace lanelab::bench {

namespace {

constexpr int kStatsRepeats = 9;
constexpr int kStatsLanes = 8;
constexpr int kStatsNames = 400;

Trace emptyStatsTrace(const std::string& kind) {
  Trace trace;
  for (int lane = 0; lane < kStatsLanes; ++lane)
    trace.lanes.push_back({kind + std::to_string(lane), kind + ":" + std::to_string(lane)});
  for (int name = 0; name < kStatsNames; ++name) trace.names.push_back("name " + std::to_string(name));
  return trace;
}

Span statsSpan(Category category, int name, Nanoseconds start, Nanoseconds end) {
  Span span;
  span.category = category;
  span.name = static_cast<std::uint32_t>(name);
  span.start = start;
  span.end = end;
  return span;
}

/// Actions of a step with their blocks, and these with their operators.
Trace nestedTrace(std::int64_t events) {
  constexpr int kBlocks = 8, kOperators = 10;
  Trace trace = emptyStatsTrace("cpu");
  std::minstd_rand random(1);
  for (int lane = 0; lane < kStatsLanes; ++lane) {
    std::vector<Span> actions, details;
    Nanoseconds now = 0;
    for (std::int64_t count = 0; count < events / kStatsLanes;) {
      const Nanoseconds begin = now;
      for (int block = 0; block < kBlocks; ++block) {
        const Nanoseconds block_begin = now;
        const std::size_t place = details.size();
        details.push_back({});
        for (int op = 0; op < kOperators; ++op) {
          const auto length = static_cast<Nanoseconds>(1000 + random() % 50'000);
          details.push_back(statsSpan(Category::CpuOp, 100 + static_cast<int>(random() % 300), now, now + length));
          now += length + 200;
        }
        details[place] = statsSpan(Category::Block, block, block_begin, now);
      }
      actions.push_back(statsSpan(Category::Action, 20 + static_cast<int>(random() % 64), begin, now));
      actions.back().stage = static_cast<std::int16_t>(lane);
      count += 1 + kBlocks * (1 + kOperators);
    }
    trace.tracks.push_back({lane, Track::Kind::Compute, "compute", SpanColumns(actions)});
    trace.tracks.push_back({lane, Track::Kind::Detail, "blocks", SpanColumns(details)});
  }
  return trace;
}

/// Kernels and collectives of GPUs, on streams that overlap.
Trace kernelTrace(std::int64_t events) {
  constexpr int kStreams = 2;
  Trace trace = emptyStatsTrace("GPU ");
  std::minstd_rand random(2);
  for (int row = 0; row < kStatsLanes * kStreams; ++row) {
    std::vector<Span> spans;
    Nanoseconds now = 0;
    for (std::int64_t i = 0; i < events / (kStatsLanes * kStreams); ++i) {
      const auto length = static_cast<Nanoseconds>(1000 + random() % 100'000);
      const Category category = row % kStreams == 0 ? Category::Kernel : Category::Communication;
      spans.push_back(statsSpan(category, static_cast<int>(random() % kStatsNames), now, now + length));
      now += length + static_cast<Nanoseconds>(random() % 5000);
    }
    trace.tracks.push_back({row / kStreams, Track::Kind::Stream, "stream", SpanColumns(spans)});
  }
  return trace;
}

}  // namespace

nlohmann::json benchStats(std::int64_t events, bool print) {
  nlohmann::json rows = nlohmann::json::array();
  if (print) std::printf("%-24s %-10s %9s %12s %12s\n", "statistics of spans", "by", "events", "all ms", "a tenth ms");
  const auto measure = [&](const char* name, const Trace& trace, const std::vector<Grouping>& groupings) {
    const TimeRange range = trace.range();
    const CountedPart tenth{TimeRange{range.start, range.start + range.length() / 10}, {}};
    const auto add = [&](const std::string& by, double all, double part) {
      rows.push_back({{"name", name}, {"by", by}, {"events", trace.spanCount()}, {"all_ms", all}, {"tenth_ms", part}});
      if (print) std::printf("%-24s %-10s %9zu %12.1f %12.1f\n", name, by.c_str(), trace.spanCount(), all, part);
    };
    for (const Grouping by : groupings)
      add(toWord(by), medianMilliseconds(kStatsRepeats, [&] { spanStatistics(trace, nullptr, by, {}); }),
          medianMilliseconds(kStatsRepeats, [&] { spanStatistics(trace, nullptr, by, tenth); }));
    add("flame", medianMilliseconds(kStatsRepeats, [&] { flameTree(trace, nullptr); }),
        medianMilliseconds(kStatsRepeats, [&] { flameTree(trace, nullptr, tenth); }));
  };
  measure("actions and operators", nestedTrace(events), {Grouping::Name, Grouping::Block, Grouping::Category});
  measure("kernels of 8 GPUs", kernelTrace(events), {Grouping::Name, Grouping::Lane});
  return rows;
}

}  // namespace lanelab::bench
