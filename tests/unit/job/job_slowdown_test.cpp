// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/slowdown/job_slowdown.h"

#include <gtest/gtest.h>

#include "profiler/io/tables/slowdown_tables.h"

namespace lanelab {
namespace {

constexpr Nanoseconds kMs = 1'000'000;

/// A lane of each stage, without transfers: what it does in milliseconds from the begin of the step.
struct Pass {
  int lane, stage, micro_batch;
  Phase phase;
  Nanoseconds start, end;
};

Trace traceOf(const std::vector<Pass>& passes, int steps, int lanes) {
  Trace trace;
  trace.names = {"forward", "backward"};
  for (int lane = 0; lane < lanes; ++lane) {
    trace.lanes.push_back({"rank " + std::to_string(lane), ""});
    Track track{lane, Track::Kind::Compute, "actions", {}};
    for (int step = 0; step < steps; ++step) {
      for (const Pass& pass : passes) {
        if (pass.lane != lane) continue;
        Span span;
        const Nanoseconds zero = step * 1000 * kMs;
        span.start = zero + pass.start * kMs;
        span.end = zero + pass.end * kMs;
        span.name = pass.phase == Phase::Forward ? 0 : 1;
        span.step = step;
        span.stage = static_cast<std::int16_t>(pass.stage);
        span.micro_batch = static_cast<std::int16_t>(pass.micro_batch);
        span.phase = pass.phase;
        span.category = Category::Action;
        track.spans.push_back(span);
      }
    }
    trace.tracks.push_back(track);
  }
  return trace;
}

/// Two stages of 1F1B with two micro-batches, of which the second takes three times as long: F 10 and 30 ms, B 20
/// and 60.
const std::vector<Pass> kUnequal = {{0, 0, 0, Phase::Forward, 0, 10},     {0, 0, 1, Phase::Forward, 10, 20},
                                    {1, 1, 0, Phase::Forward, 10, 40},    {1, 1, 0, Phase::Backward, 40, 100},
                                    {1, 1, 1, Phase::Forward, 100, 130},  {1, 1, 1, Phase::Backward, 130, 190},
                                    {0, 0, 0, Phase::Backward, 100, 120}, {0, 0, 1, Phase::Backward, 190, 210}};

TEST(JobSlowdown, IsThatOfStepsWithMeanLengths) {
  const auto found = jobSlowdown(traceOf(kUnequal, 3, 2));
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->step, 0.210, 1e-9);
  EXPECT_NEAR(found->measured_step, 0.210, 1e-9);
  // All F 20 and all B 40 ms: 20 + 20 + 40 + 20 + 40 on the second lane from 20 on, and 40 on the first behind it.
  EXPECT_NEAR(found->ideal_step, 0.180, 1e-9);
  ASSERT_EQ(found->by_stage.size(), 2U);
  // The second stage as it is: from 20 on 30 + 60 + 30 + 60, then 40.
  EXPECT_NEAR(found->by_stage[1], 0.240 / 0.180, 1e-9);
  // The first stage as it is: from 10 on 20 + 40 + 20 + 40, then 20.
  EXPECT_NEAR(found->by_stage[0], 0.150 / 0.180, 1e-9);
  ASSERT_EQ(found->stage_shares.size(), 2U);
  EXPECT_NEAR(found->stage_shares[1], (0.210 - 0.150) / (0.210 - 0.180), 1e-9);
  ASSERT_EQ(found->by_operation.size(), 2U);
  // Backwards as they are: 20 + 20 + 60 + 20 + 60, then 20.
  EXPECT_EQ(found->by_operation[0].first, "backward");
  EXPECT_NEAR(found->by_operation[0].second, 0.200 / 0.180, 1e-9);
  // Forwards as they are: 10 + 30 + 40 + 30 + 40, then 40.
  EXPECT_NEAR(found->by_operation[1].second, 0.190 / 0.180, 1e-9);
}

TEST(JobSlowdown, NamesTheLongStage) {
  const Trace trace = traceOf(kUnequal, 3, 2);
  const std::vector<std::string> said = slowdownSentences(trace, *jobSlowdown(trace));
  ASSERT_GE(said.size(), 2U);
  EXPECT_EQ(said[0],
            "The step takes 210 ms, 17 % longer than the ideal 180 ms, in which each operation takes the mean of its "
            "kind.");
  EXPECT_EQ(said[1], "Stage 1 is 33 % too long: with the mean time of its operations, 200 % of the slowdown would go.");
}

TEST(JobSlowdown, IsNoneWhereNothingIsLate) {
  std::vector<Pass> equal = {{0, 0, 0, Phase::Forward, 0, 10},   {0, 0, 1, Phase::Forward, 10, 20},
                             {1, 1, 0, Phase::Forward, 10, 20},  {1, 1, 0, Phase::Backward, 20, 40},
                             {1, 1, 1, Phase::Forward, 40, 50},  {1, 1, 1, Phase::Backward, 50, 70},
                             {0, 0, 0, Phase::Backward, 40, 60}, {0, 0, 1, Phase::Backward, 70, 90}};
  const Trace trace = traceOf(equal, 2, 2);
  const auto found = jobSlowdown(trace);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->ratio(), 1, 1e-9);
  EXPECT_FALSE(found->worker_share);
  const std::vector<std::string> said = slowdownSentences(trace, *found);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_TRUE(said[0].starts_with("No stage or rank is late")) << said[0];
}

TEST(JobSlowdown, LeavesOutStepsOfOtherOperations) {
  Trace trace = traceOf(kUnequal, 3, 2);
  std::vector<Span> spans = trace.tracks[0].spans.toVector();
  std::erase_if(spans, [](const Span& span) { return span.step == 1 && span.micro_batch == 1; });
  trace.tracks[0].spans = spans;
  const auto found = jobSlowdown(trace);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->skipped_steps, std::vector<int>{1});
  EXPECT_NEAR(found->step, 0.210, 1e-9);
}

TEST(JobSlowdown, NeedsPassesOfSeveralLanes) {
  EXPECT_FALSE(jobSlowdown({}));
  EXPECT_FALSE(jobSlowdown(traceOf({{0, 0, 0, Phase::Forward, 0, 10}, {0, 0, 0, Phase::Backward, 10, 30}}, 2, 1)));
}

}  // namespace
}  // namespace lanelab
