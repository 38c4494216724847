// SPDX-License-Identifier: GPL-3.0-only
// What a run took goes back to the system when its sessions end.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "engine/torch/train/torch_executor.h"
#include "tests/support/prepared.h"
#include "tests/support/resolved.h"
#include "tests/unit/two_lane_pipeline.h"

namespace lanelab {
namespace {

constexpr std::int64_t kMiB = 1 << 20;

std::int64_t residentBytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

/// The most bytes after a step.
std::int64_t trainResNet50(Executor& executor) {
  Experiment experiment = test::twoLanePipeline({"resnet50", 1000, std::nullopt}, {3, 64, 64}, "layer3.0");
  experiment.data.batch = 16;
  experiment.variants[0].split_size = 8;
  const auto resolution = resolve(experiment);
  const auto session = prepare(executor, resolution->variants()[0], 1);
  EXPECT_TRUE(session.ok());
  std::int64_t most = 0;
  const RepeatOutcome outcome =
      (*session)->runRepeat({.on_step = [&](int, double, double) { most = std::max(most, residentBytes()); }});
  EXPECT_TRUE(outcome.failure.ok());
  return most;
}

TEST(MemoryAfterARun, ReturnsToTheSystem) {
  const auto executor = makeTorchExecutor();
  (void)trainResNet50(*executor);  // loads libraries, and makes kernels
  const std::int64_t before = residentBytes();
  for (int run = 0; run < 2; ++run) {
    const std::int64_t during = trainResNet50(*executor), after = residentBytes();
    std::printf("before %ld MiB, during %ld MiB, after %ld MiB\n", before / kMiB, during / kMiB, after / kMiB);
    EXPECT_GT(during, before + 200 * kMiB);
    EXPECT_LT(after, before + 30 * kMiB) << "run " << run;
    EXPECT_LT(after, 400 * kMiB);
  }
}

}  // namespace
}  // namespace lanelab
