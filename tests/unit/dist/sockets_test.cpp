// SPDX-License-Identifier: GPL-3.0-only
// A run of one process opens sockets only for replicas that join.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "engine/dist/run_processes.h"
#include "engine/torch/train/torch_executor.h"
#include "tests/support/prepared.h"

namespace lanelab {
namespace {

/// Of this process, now, by their inodes.
std::set<std::string> openSockets() {
  std::set<std::string> sockets;
  std::error_code gone;  // the folder's own handle is listed too
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const std::string target = std::filesystem::read_symlink(entry, gone).string();
    if (target.starts_with("socket:")) sockets.insert(target);
  }
  return sockets;
}

/// How many sockets were open before or after a step, without those before the run, which may still be closing.
std::size_t socketsOfRun(Strategy strategy) {
  Experiment experiment;
  experiment.model = {"toy", 5, std::nullopt};
  experiment.data.shape = {10};
  experiment.data.batch = 8;
  experiment.data.steps = 2;
  experiment.training.loss = Loss::Mse;
  experiment.lanes = {{Device::cpu(0), "", 1}, {Device::cpu(1), "", 1}};
  VariantConfig variant;
  variant.name = "variant";
  variant.strategy = strategy;
  if (strategy == Strategy::Single) variant.lanes = std::vector<int>{0};
  if (strategy == Strategy::Pipeline) variant.cuts = std::vector<std::string>{"net2"};
  if (strategy == Strategy::Pipeline) variant.split_size = 2;
  experiment.variants = {variant};
  const auto resolution = resolve(experiment);
  const std::set<std::string> before = openSockets();
  std::set<std::string> opened;
  const auto look = [&] {
    for (const std::string& socket : openSockets())
      if (!before.contains(socket)) opened.insert(socket);
  };
  const auto executor = makeTorchExecutor(peersOfLanes());
  std::vector<std::string> warnings;
  EXPECT_TRUE(executor->checkMachine(*resolution, warnings).ok());
  const auto session = prepare(*executor, resolution->variants().front(), 2);
  EXPECT_TRUE(session.ok()) << session.error().message;
  if (!session.ok()) return 99;
  look();
  const RepeatOutcome outcome = (*session)->runRepeat({.on_step = [&](int, double, double) { look(); }});
  EXPECT_TRUE(outcome.failure.ok()) << outcome.failure.error().message;
  return opened.size();
}

TEST(Sockets, AreNotOpenedByRunsWithoutReplicas) {
  EXPECT_EQ(socketsOfRun(Strategy::Single), 0u);
  EXPECT_EQ(socketsOfRun(Strategy::Pipeline), 0u);
  EXPECT_EQ(socketsOfRun(Strategy::DataParallel), 0u);
}

TEST(Sockets, AreOpenedByDdp) { EXPECT_GT(socketsOfRun(Strategy::Ddp), 0u); }

}  // namespace
}  // namespace lanelab
