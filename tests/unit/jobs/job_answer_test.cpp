// SPDX-License-Identifier: GPL-3.0-only
// The truth of a what-if is the job that ran with the change.
#include "engine/jobs/job_answer.h"

#include <gtest/gtest.h>

#include "engine/schedule/generate.h"
#include "tests/unit/analysis/pipeline_world.h"

namespace lanelab {
namespace {

constexpr Nanoseconds kUs = 1000;
constexpr int kMicroBatches = 8;
constexpr int kSteps = 3;
constexpr Nanoseconds kCopy = 40 * kUs;

/// A pipeline, and how much longer than usual its stages, lanes and one link take.
struct JobWorld {
  std::string schedule;
  int stages = 4;
  int lanes = 4;
  std::map<int, int> stage_percent = {};
  std::map<int, int> lane_percent = {};
  std::map<int, int> link_percent = {};
};

int percentOf(const std::map<int, int>& percents, int key) {
  const auto found = percents.find(key);
  return found == percents.end() ? 100 : found->second;
}

/// Different for each stage, micro-batch and step, and whole when a percentage or half of it is taken.
Nanoseconds usualLength(const Action& action, int step) {
  const int stage = action.stage.value, micro_batch = action.micro_batch.value;
  const Nanoseconds forward = (300 + 40 * stage + 6 * micro_batch + 10 * step) * kUs;
  return action.kind == ActionKind::Forward ? forward : action.kind == ActionKind::Backward ? 2 * forward : forward;
}

PlannedStep plannedStep(const JobWorld& world, const Schedule& schedule, int step) {
  PlannedStep planned;
  planned.schedule = schedule;
  planned.copy = kCopy;
  for (std::size_t lane = 0; lane < schedule.lanes.size(); ++lane) {
    for (const Action& action : schedule.lanes[lane]) {
      const int stage = action.stage.value;
      planned.lengths[action] = usualLength(action, step) * percentOf(world.stage_percent, stage) / 100 *
                                percentOf(world.lane_percent, static_cast<int>(lane)) / 100;
      const int link = action.kind == ActionKind::Forward ? stage - 1 : stage;
      const bool receives = action.kind == ActionKind::Forward ? stage > 0 : stage + 1 < schedule.stages;
      const Nanoseconds more = kCopy * (percentOf(world.link_percent, link) - 100) / 100;
      if (receives && action.kind != ActionKind::BackwardWeight && more > 0)
        planned.delays[action] = {Cause::Transfer, more};
    }
  }
  return planned;
}

struct RecordedJob {
  Trace trace;
  double step = 0;  ///< mean, seconds
};

RecordedJob jobOf(const JobWorld& world) {
  const Schedule schedule = scheduleOf(world.schedule, world.stages, world.lanes, kMicroBatches);
  PipelineWorld lanes(world.lanes);
  Nanoseconds begin = 0, sum = 0;
  for (int step = 0; step < kSteps; ++step) {
    const Nanoseconds end = run(lanes, plannedStep(world, schedule, step), begin, step);
    lanes.window(begin, end, step);
    sum += end - begin;
    begin = end + 700 * kUs;  // between steps, which is no part of one
  }
  return {lanes.built(), kNanosecond * static_cast<double>(sum) / kSteps};
}

void expectPredicts(const JobWorld& recorded, const WhatIf& factors, const JobWorld& changed,
                    std::optional<ScheduleKind> schedule = {}) {
  const RecordedJob before = jobOf(recorded), truth = jobOf(changed);
  const Result<JobAnswer> answer = answerOfJob(before.trace, {factors, schedule});
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_NEAR(answer->step_before / before.step, 1, 1e-6);
  EXPECT_NEAR(answer->measured_step / before.step, 1, 1e-6);
  EXPECT_NEAR(answer->step_after / truth.step, 1, 1e-6) << recorded.schedule << " to " << changed.schedule;
  EXPECT_EQ(answer->after->origin, Origin::Replayed);
}

TEST(JobAnswer, IsTheJobWithAnotherLength) {
  for (const std::string schedule : {"gpipe", "1f1b", "zb-h1"}) {
    const JobWorld job{schedule};
    JobWorld faster_stage = job, slower_rank = job, slower_link = job;
    faster_stage.stage_percent[2] = 70;
    slower_rank.lane_percent[1] = 150;
    slower_link.link_percent[1] = 400;
    WhatIf stage, rank, link;
    stage.stages[2] = 0.7;
    rank.ranks[1] = 1.5;
    link.links[1] = 4;
    expectPredicts(job, stage, faster_stage);
    expectPredicts(job, rank, slower_rank);
    expectPredicts(job, link, slower_link);
  }
}

TEST(JobAnswer, IsTheJobWithSeveralChangesTogether) {
  const JobWorld job{"interleaved-1f1b", 8, 4};
  JobWorld changed = job;
  changed.stage_percent = {{0, 50}, {5, 120}};
  changed.lane_percent[3] = 150;
  changed.link_percent[4] = 300;
  WhatIf factors;
  factors.stages = {{0, 0.5}, {5, 1.2}};
  factors.ranks[3] = 1.5;
  factors.links[4] = 3;
  expectPredicts(job, factors, changed);
}

TEST(JobAnswer, IsTheJobInAnotherOrder) {
  struct Row {
    const char* from;
    const char* to;
    int stages;
  };
  for (const Row& row : {Row{"gpipe", "1f1b", 4}, Row{"1f1b", "gpipe", 4}, Row{"1f1b", "zb-h1", 4},
                         Row{"zb-h1", "1f1b", 4}, Row{"looped-bfs", "interleaved-1f1b", 8},
                         Row{"interleaved-1f1b", "interleaved-zb", 8}, Row{"zb-v", "v-half", 8}}) {
    const ScheduleKind kind = *parseScheduleName(row.to);
    expectPredicts({row.from, row.stages}, {}, {row.to, row.stages}, kind);
  }
}

TEST(JobAnswer, ChangesOrderAndLengthsTogether) {
  JobWorld changed{"zb-h1"};
  changed.stage_percent[3] = 80;
  WhatIf factors;
  factors.stages[3] = 0.8;
  expectPredicts({"gpipe"}, factors, changed, ScheduleKind::ZbH1);
}

TEST(JobAnswer, SaysWhatItAssumes) {
  const Result<JobAnswer> answer = answerOfJob(jobOf({"1f1b"}).trace, {{}, ScheduleKind::ZbH1});
  ASSERT_TRUE(answer.ok());
  ASSERT_EQ(answer->assumptions.size(), 3U);
  EXPECT_NE(answer->assumptions[1].message.find("at most 4, 4, 4 and 4 micro-batches are in flight, and 4, 3, 2 and 1 "
                                                "before"),
            std::string::npos)
      << answer->assumptions[1].message;
  EXPECT_NE(answer->assumptions[2].message.find("take half of each"), std::string::npos);
}

TEST(JobAnswer, LeavesTheStepAloneWithoutAChange) {
  const JobWorld job{"1f1b"};
  expectPredicts(job, {}, job);
  expectPredicts(job, {}, job, ScheduleKind::OneFOneB);
}

TEST(JobAnswer, RefusesWhatTheJobLacks) {
  const Trace trace = jobOf({"1f1b"}).trace;
  const auto whyNot = [](const Trace& of, const JobQuestion& question) {
    const Result<JobAnswer> answer = answerOfJob(of, question);
    return answer.ok() ? std::string() : answer.error().message;
  };
  WhatIf factors;
  factors.stages[4] = 0.5;
  EXPECT_EQ(whyNot(trace, {factors, {}}), "The job has no stage 4.");
  factors = {};
  factors.links[3] = 0.5;
  EXPECT_EQ(whyNot(trace, {factors, {}}), "The job has no link 3.");
  factors = {};
  factors.ranks[9] = 0.5;
  EXPECT_EQ(whyNot(trace, {factors, {}}), "The job has no rank 9.");
  EXPECT_NE(whyNot(trace, {{}, ScheduleKind::ZbV}).find("cannot be the schedule of this job"), std::string::npos);
  EXPECT_NE(whyNot({}, {}).find("does not name forward and backward passes"), std::string::npos);
}

}  // namespace
}  // namespace lanelab
