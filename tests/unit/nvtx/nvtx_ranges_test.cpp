// SPDX-License-Identifier: GPL-3.0-only
// What a tool of NVIDIA's is told of a training, told by a tool of our own (listener/), which NVTX loads as it would
// load Nsight's.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "engine/torch/record/nvtx_ranges.h"
#include "engine/torch/train/torch_executor.h"
#include "tests/support/prepared.h"
#include "tests/unit/two_lane_pipeline.h"

namespace lanelab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// By thread; the first is the domain.
std::vector<std::string> heard() {
  void* const tool = dlopen(LANELAB_NVTX_LISTENER, RTLD_NOW | RTLD_NOLOAD);
  if (!tool) return {};
  const auto take = reinterpret_cast<const char* (*)()>(dlsym(tool, "takeHeard"));
  std::istringstream text(take());
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  dlclose(tool);
  return lines;
}

/// Every range closed, innermost first.
bool balanced(const std::string& line) {
  int open = 0;
  for (const char letter : line) {
    open += letter == '(' ? 1 : letter == ')' ? -1 : 0;
    if (open < 0) return false;
  }
  return open == 0;
}

class NvtxRanges : public ::testing::Test {
 protected:
  // ctest sets it too; so a plain call of the program tests the same.
  static void SetUpTestSuite() { setenv("NVTX_INJECTION64_PATH", LANELAB_NVTX_LISTENER, 1); }
};

Experiment toyExperiment(RecordMode record) {
  Experiment experiment = test::twoLanePipeline({"toy", 5, std::nullopt}, {10}, "net2");
  experiment.variants[0].schedule = ScheduleKind::Gpipe;
  experiment.record = record;
  return experiment;
}

std::vector<std::string> heardOfTraining(RecordMode record) {
  const auto executor = makeTorchExecutor();
  const Experiment experiment = toyExperiment(record);
  auto session = prepare(*executor, resolve(experiment)->variants()[0], experiment.data.steps);
  EXPECT_TRUE(session.ok());
  TraceBuilder trace("Pipeline", {{"a", "cpu:0"}, {"b", "cpu:1"}});
  EXPECT_TRUE((*session)->runRepeat({.trace = record == RecordMode::Off ? nullptr : &trace}).failure.ok());
  std::vector<std::string> lines = heard();
  std::sort(lines.begin() + 1, lines.end());
  return lines;
}

TEST_F(NvtxRanges, StepsActionsAndBlocksNestUnderTheNamesOfTheTimeline) {
  for (const RecordMode mode : {RecordMode::Off, RecordMode::Actions, RecordMode::Blocks, RecordMode::Operators}) {
    const std::string lane0 = "(0F0 (net1 )(relu ))(0F1 (net1 )(relu ))(0B0 (relu )(net1 ))(0B1 (relu )(net1 ))(0U )";
    const std::string lane1 = "(1F0 (net2 ))(1F1 (net2 ))(1B0 (net2 ))(1B1 (net2 ))(1U )";
    EXPECT_THAT(heardOfTraining(mode), ElementsAre("LaneLab", "(step 0 " + lane0 + ")(step 1 " + lane0 + ")",
                                                   "(step 0 " + lane1 + ")(step 1 " + lane1 + ")"))
        << toWord(mode);
  }
}

TEST_F(NvtxRanges, AStepThatFailsClosesItsRanges) {
  const auto executor = makeTorchExecutor();
  Experiment experiment = toyExperiment(RecordMode::Off);
  experiment.data.steps = 1000;
  auto session = prepare(*executor, resolve(experiment)->variants()[0], experiment.data.steps);
  ASSERT_TRUE(session.ok());
  std::stop_source stop;
  const RepeatOutcome outcome =
      (*session)->runRepeat({.on_step = [&](int, double, double) { stop.request_stop(); }, .stop = stop.get_token()});
  ASSERT_FALSE(outcome.failure.ok());
  session = Error::failed("closed");
  const std::vector<std::string> lines = heard();
  ASSERT_EQ(lines.size(), 3u);
  for (const std::string& line : lines) EXPECT_TRUE(balanced(line)) << line;
}

}  // namespace
}  // namespace lanelab
