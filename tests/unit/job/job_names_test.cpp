// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/job_names.h"

#include <gtest/gtest.h>

namespace lanelab {
namespace {

using Work = AnnotationName::Work;

TEST(JobNames, OfAnnotationsSayWhatARankDid) {
  const struct {
    const char* name;
    AnnotationName is;
  } known[] = {{"PP:2F0", {Work::Compute, Phase::Forward, 2, 0}},
               {"PP:13B7", {Work::Compute, Phase::Backward, 13, 7}},
               {"PP:1I3", {Work::Compute, Phase::BackwardInput, 1, 3}},
               {"PP:1W3", {Work::Compute, Phase::BackwardWeight, 1, 3}},
               {"PP:0SEND_F1", {Work::Send, Phase::Forward, 0, 1}},
               {"PP:0RECV_B1", {Work::Receive, Phase::Backward, 0, 1}},
               {"Forward 4", {Work::Compute, Phase::Forward, -1, 4}},
               {"Backward 11", {Work::Compute, Phase::Backward, -1, 11}},
               {"gloo:send", {Work::Send, Phase::None, -1, -1}},
               {"gloo:all_reduce", {Work::Collective, Phase::None, -1, -1}},
               {"Optimizer.step#SGD.step", {Work::Compute, Phase::Update, -1, -1}}};
  for (const auto& [name, is] : known) {
    const auto found = annotationNameOf(name);
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(found->work, is.work) << name;
    EXPECT_EQ(found->phase, is.phase) << name;
    EXPECT_EQ(found->stage, is.stage) << name;
    EXPECT_EQ(found->micro_batch, is.micro_batch) << name;
  }
}

TEST(JobNames, OfOtherThingsAreNone) {
  for (const char* name :
       {"", "PP:", "PP:F0", "PP:2F", "PP:2F0x", "PP:0UNSHARD", "PP:1WAIT_SEND_F0", "PP:99999999999F0", "Forward",
        "Forward pass", "Forward 1 of 2", "aten::linear", "Optimizer.zero_grad#SGD.zero_grad"})
    EXPECT_FALSE(annotationNameOf(name)) << name;
  for (const char* name : {"", "forward", "forward-compute ", "forward-send-backward-recv"})
    EXPECT_FALSE(jobNameOf(name)) << name;
}

}  // namespace
}  // namespace lanelab
