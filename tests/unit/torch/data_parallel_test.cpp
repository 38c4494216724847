// SPDX-License-Identifier: GPL-3.0-only
// data-parallel against one device, and against what torch.nn.DataParallel says of its buffers.
#include <gtest/gtest.h>

#include "tests/unit/torch/training_world.h"

namespace lanelab {
namespace {

const VariantConfig kSingle = {"Single", Strategy::Single, ScheduleKind::Gpipe, {}, {}, {}, {}};
const VariantConfig kDataParallel = {"DataParallel", Strategy::DataParallel, ScheduleKind::Gpipe, {}, {}, {}, {}};

Experiment onLanes(int lanes, const std::string& arch, Shape shape, int batch) {
  Experiment experiment;
  experiment.model = {arch, 10, std::nullopt};
  experiment.data = {DataSource::Random, std::move(shape), batch, 3, ""};
  experiment.training.loss = Loss::CrossEntropy;
  experiment.training.lr = 0.05;
  for (int lane = 0; lane < lanes; ++lane)
    experiment.lanes.push_back({Device::cpu(0), "lane " + std::to_string(lane), 1});
  experiment.record = RecordMode::Off;
  return experiment;
}

double distance(const TensorMap& a, const TensorMap& b) {
  double most = 0;
  for (const auto& [name, tensor] : a)
    most = std::max(most, tensor.to(at::kDouble).sub(b.at(name).to(at::kDouble)).abs().max().item<double>());
  return most;
}

TEST(DataParallel, WithoutBatchNormsTrainsAsOneDeviceWhateverTheChunks) {
  struct Row {
    int lanes, batch;
  };
  for (const Row row : {Row{1, 6}, Row{2, 6}, Row{2, 7}, Row{3, 7}, Row{4, 5}, Row{4, 1}}) {
    SCOPED_TRACE(std::to_string(row.batch) + " samples on " + std::to_string(row.lanes) + " lanes");
    const Experiment experiment = onLanes(row.lanes, "toy", {10}, row.batch);
    const Trained alone = train(experiment, kSingle);
    const Trained parallel = train(experiment, kDataParallel);
    ASSERT_EQ(parallel.outcome.losses.size(), 3u);
    for (std::size_t step = 0; step < 3; ++step)
      EXPECT_NEAR(parallel.outcome.losses[step], alone.outcome.losses[step], 1e-6);
    EXPECT_LT(distance(parallel.weights, alone.weights), 1e-6);
    EXPECT_LT(distance(parallel.gradients, alone.gradients), 1e-6);
  }
}

TEST(DataParallel, KeepsTheFirstReplicasStatistics) {
  Experiment experiment = onLanes(2, "resnet18", {3, 32, 32}, 8);
  experiment.data.steps = 1;
  experiment.data.rows = 8;
  const Trained parallel = train(experiment, kDataParallel);
  experiment.data.batch = 4;  // rows come in order, so these are the first chunk
  const Trained first_chunk = train(experiment, kSingle);
  for (const char* const name :
       {"bn1.running_mean", "bn1.running_var", "bn1.num_batches_tracked", "layer4.1.bn2.running_mean"})
    EXPECT_LT(distance({{name, parallel.weights.at(name)}}, first_chunk.weights), 1e-6) << name;
}

TEST(DataParallel, GoesOnAfterACancelledRepeat) {
  Experiment experiment = onLanes(2, "toy", {10}, 6);
  experiment.data.steps = 50;
  const auto session = openSession(experiment, kDataParallel);
  const RepeatOutcome whole = session->runRepeat({});
  std::stop_source stop;
  const auto stop_at_three = [&](int step, double, double) {
    if (step == 3) stop.request_stop();
  };
  const RepeatOutcome cancelled = session->runRepeat({.on_step = stop_at_three, .stop = stop.get_token()});
  EXPECT_FALSE(cancelled.failure.ok());
  const RepeatOutcome again = session->runRepeat({});
  EXPECT_TRUE(again.failure.ok());
  EXPECT_EQ(again.losses, whole.losses);
}

}  // namespace
}  // namespace lanelab
