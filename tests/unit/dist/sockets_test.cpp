// SPDX-License-Identifier: GPL-3.0-only
// A run of one process opens sockets only for replicas that join.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "engine/dist/run_processes.h"
#include "engine/torch/train/torch_executor.h"

namespace lanelab {
namespace {

/// Of this process, now.
int openSockets() {
  int sockets = 0;
  std::error_code gone;  // the folder's own handle is listed too
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
    sockets += std::filesystem::read_symlink(entry, gone).string().starts_with("socket:") ? 1 : 0;
  return sockets;
}

/// The most sockets that the run had open after a step, beyond those before it.
int socketsOfRun(Strategy strategy) {
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
  const int before = openSockets();
  const auto executor = makeTorchExecutor(peersOfLanes());
  std::vector<std::string> warnings;
  EXPECT_TRUE(executor->checkMachine(*resolution, warnings).ok());
  const auto session = executor->prepare(resolution->variants().front(), 2);
  EXPECT_TRUE(session.ok()) << session.error().message;
  if (!session.ok()) return -1;
  int most = openSockets();
  const RepeatOutcome outcome =
      (*session)->runRepeat({.on_step = [&](int, double, double) { most = std::max(most, openSockets()); }});
  EXPECT_TRUE(outcome.failure.ok()) << outcome.failure.error().message;
  return most - before;
}

TEST(Sockets, AreNotOpenedByRunsWithoutReplicas) {
  EXPECT_EQ(socketsOfRun(Strategy::Single), 0);
  EXPECT_EQ(socketsOfRun(Strategy::Pipeline), 0);
  EXPECT_EQ(socketsOfRun(Strategy::DataParallel), 0);
}

TEST(Sockets, AreOpenedByDdp) { EXPECT_GT(socketsOfRun(Strategy::Ddp), 0); }

}  // namespace
}  // namespace lanelab
