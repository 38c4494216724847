// data-parallel against one device, and against what torch.nn.DataParallel says of its buffers.
#include <gtest/gtest.h>

#include <ATen/ops/allclose.h>

#include "engine/run/variant_plan.h"
#include "engine/torch/torch_session.h"
#include "tests/unit/torch/training_world.h"

namespace lanelab {
namespace {

struct Trained {
  std::vector<double> losses;
  TensorMap weights;
  TensorMap gradients;
};

Trained train(const Experiment& experiment, const VariantConfig& variant) {
  Experiment own = experiment;
  own.variants = {variant};
  const ModelSpec model = *modelOf(own);
  const VariantPlan plan = *planVariant(own, model, variant);
  const auto inputs = *loadTrainingInputs(own, model);
  auto opened = TorchSession::open(std::make_shared<const TrainingJob>(TrainingJob{own, model, plan, inputs}));
  EXPECT_TRUE(opened.ok());
  auto& session = static_cast<TorchSession&>(**opened);
  const RepeatOutcome outcome = session.runRepeat(nullptr, {}, {});
  EXPECT_TRUE(outcome.failure.ok()) << outcome.failure.error().message;
  return {outcome.losses, *session.gather(TorchSession::Which::Weights), *session.gather(TorchSession::Which::Gradients)};
}

Experiment onLanes(int lanes, const std::string& arch, Shape shape, int batch) {
  Experiment experiment;
  experiment.model = {arch, 10, std::nullopt};
  experiment.data = {"random", std::move(shape), batch, 3, ""};
  experiment.training.loss = "cross_entropy";
  experiment.training.lr = 0.05;
  for (int lane = 0; lane < lanes; ++lane) experiment.lanes.push_back({"cpu:0", "lane " + std::to_string(lane), 1});
  experiment.record = RecordMode::Off;
  return experiment;
}

double distance(const TensorMap& a, const TensorMap& b) {
  double most = 0;
  for (const auto& [name, tensor] : a) most = std::max(most, (tensor.to(at::kDouble) - b.at(name).to(at::kDouble)).abs().max().item<double>());
  return most;
}

TEST(DataParallel, WithoutBatchNormsTrainsAsOneDeviceWhateverTheChunks) {
  struct Row {
    int lanes, batch;
  };
  for (const Row row : {Row{1, 6}, Row{2, 6}, Row{2, 7}, Row{3, 7}, Row{4, 5}, Row{4, 1}}) {
    SCOPED_TRACE(std::to_string(row.batch) + " samples on " + std::to_string(row.lanes) + " lanes");
    const Experiment experiment = onLanes(row.lanes, "toy", {10}, row.batch);
    const Trained single = train(experiment, {"Single", "single"});
    const Trained parallel = train(experiment, {"DataParallel", "data-parallel"});
    ASSERT_EQ(parallel.losses.size(), 3u);
    for (std::size_t step = 0; step < 3; ++step) EXPECT_NEAR(parallel.losses[step], single.losses[step], 1e-6);
    EXPECT_LT(distance(parallel.weights, single.weights), 1e-6);
    EXPECT_LT(distance(parallel.gradients, single.gradients), 1e-6);
  }
}

TEST(DataParallel, KeepsTheFirstReplicasStatistics) {
  Experiment experiment = onLanes(2, "resnet18", {3, 32, 32}, 8);
  experiment.data.steps = 1;
  experiment.data.rows = 8;
  const Trained parallel = train(experiment, {"DataParallel", "data-parallel"});
  experiment.data.batch = 4;  // rows come in order, so these are the first chunk
  const Trained first_chunk = train(experiment, {"Single", "single"});
  for (const char* const name : {"bn1.running_mean", "bn1.running_var", "bn1.num_batches_tracked", "layer4.1.bn2.running_mean"})
    EXPECT_LT(distance({{name, parallel.weights.at(name)}}, first_chunk.weights), 1e-6) << name;
}

TEST(DataParallel, GoesOnAfterACancelledRepeat) {
  Experiment experiment = onLanes(2, "toy", {10}, 6);
  experiment.data.steps = 50;
  experiment.variants = {{"DataParallel", "data-parallel"}};
  const ModelSpec model = *modelOf(experiment);
  auto opened = TorchSession::open(std::make_shared<const TrainingJob>(
      TrainingJob{experiment, model, *planVariant(experiment, model, experiment.variants[0]), *loadTrainingInputs(experiment, model)}));
  ASSERT_TRUE(opened.ok());
  const RepeatOutcome whole = (*opened)->runRepeat(nullptr, {}, {});
  std::stop_source stop;
  const auto stop_at_three = [&](int step, double, double) {
    if (step == 3) stop.request_stop();
  };
  const RepeatOutcome cancelled = (*opened)->runRepeat(nullptr, stop_at_three, stop.get_token());
  EXPECT_FALSE(cancelled.failure.ok());
  const RepeatOutcome again = (*opened)->runRepeat(nullptr, {}, {});
  EXPECT_TRUE(again.failure.ok());
  EXPECT_EQ(again.losses, whole.losses);
}

}  // namespace
}  // namespace lanelab
