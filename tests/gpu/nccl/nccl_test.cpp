// SPDX-License-Identifier: GPL-3.0-only
// Replicas on GPUs: NCCL where each has a GPU of its own, Gloo with a sentence where not.
#include <ATen/ops/full.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/distributed/c10d/HashStore.hpp>

#include <cmath>
#include <stdexcept>

#include "engine/dist/run_processes.h"
#include "engine/dist/watched_backend.h"
#include "engine/torch/devices/cuda_platform.h"
#include "engine/torch/train/torch_executor.h"
#include "profiler/trace/trace_builder.h"
#include "tests/gpu/gpu_world.h"
#include "tests/support/prepared.h"

namespace lanelab {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

std::string whyFewerThan(std::size_t gpus) {
  std::string why_not;
  const CudaPlatform* const platform = cudaPlatform(&why_not);
  if (!platform) return "needs " + std::to_string(gpus) + " GPU(s): " + why_not;
  const std::size_t found = platform->devices().size();
  return found < gpus ? "needs " + std::to_string(gpus) + " GPUs, and " + std::to_string(found) + " is here" : "";
}

class OneGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = whyFewerThan(1); !why.empty()) GTEST_SKIP() << why;
  }
};

class TwoGpus : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = whyFewerThan(2); !why.empty()) GTEST_SKIP() << why;
  }
};

struct NcclOfOne {
  std::shared_ptr<FaultBoard> board = std::make_shared<FaultBoard>();
  std::shared_ptr<const GlooTransport> transport =
      std::make_shared<GlooTransport>(GlooTransport{{}, 60s, board, {}, [](const std::string& what) { return what; }});
  c10::intrusive_ptr<WatchedBackend> backend = c10::make_intrusive<WatchedBackend>(
      cudaPlatform()->ncclGroup(c10::make_intrusive<c10d::HashStore>(), 0, 1, 0, 60s), transport,
      at::Device(at::kCUDA, 0));

  void reduce(const at::Tensor& tensor) {
    std::vector<at::Tensor> tensors{tensor};
    backend->allreduce(tensors, {})->wait();
  }
};

TEST_F(OneGpu, AGroupOfOneReducesItsTensorToItself) {
  NcclOfOne group;
  EXPECT_EQ(group.backend->getBackendName(), "nccl");
  const at::Tensor tensor = at::full({1 << 20}, 3.0, at::TensorOptions(at::Device(at::kCUDA, 0)));
  group.reduce(tensor);
  group.reduce(tensor);
  EXPECT_EQ(tensor.sum().item<double>(), 3.0 * (1 << 20));
  const auto reductions = group.backend->collectReductions();
  ASSERT_EQ(reductions.size(), 2u);
  EXPECT_EQ(reductions[1].bytes, 4 << 20);
  EXPECT_LT(reductions[1].time.start, reductions[1].time.end);
  EXPECT_LE(reductions[0].time.end, reductions[1].time.end);
  group.backend.reset();
  EXPECT_TRUE(group.transport->retired->await(60s)) << "the communicator must end";
}

TEST_F(OneGpu, AFaultEndsAGroupWithItsSentence) {
  NcclOfOne group;
  const at::Tensor tensor = at::full({16}, 1.0, at::TensorOptions(at::Device(at::kCUDA, 0)));
  group.reduce(tensor);
  group.board->raise("Lost rank 1: its process has ended.");
  EXPECT_THROW(namingLostPeers(*group.transport, [&] { group.reduce(tensor); }), std::runtime_error);
  group.backend.reset();
  EXPECT_TRUE(group.transport->retired->await(60s)) << "the aborted communicator must end";
}

RepeatOutcome trainReplicas(const std::vector<std::string>& devices) {
  Experiment experiment = resnetOn(devices, Strategy::Ddp, 4);
  experiment.record = RecordMode::Off;
  const auto executor = makeTorchExecutor(peersOfLanes());
  auto session = prepare(*executor, resolve(experiment)->variants().front(), experiment.data.steps);
  EXPECT_TRUE(session.ok()) << session.error().message;
  RepeatOutcome outcome = (*session)->runRepeat({});
  EXPECT_TRUE(outcome.failure.ok()) << outcome.failure.error().message;
  return outcome;
}

void expectSameLosses(const RepeatOutcome& outcome, const RepeatOutcome& wanted) {
  ASSERT_EQ(outcome.losses.size(), wanted.losses.size());
  for (std::size_t i = 0; i < wanted.losses.size(); ++i)
    EXPECT_NEAR(outcome.losses[i] / wanted.losses[i], 1, 1e-3) << "step " << i;
}

TEST_F(OneGpu, TwoReplicasOnItTrainByGlooAndSaySo) {
  const RepeatOutcome outcome = trainReplicas({"cuda:0", "cuda:0"});
  expectSameLosses(outcome, trainReplicas({"cpu:0", "cpu:1"}));
  EXPECT_THAT(outcome.notice, HasSubstr("share a GPU"));
}

TEST_F(TwoGpus, AReplicaOnEachTrainsByNccl) {
  const RepeatOutcome outcome = trainReplicas({"cuda:0", "cuda:1"});
  expectSameLosses(outcome, trainReplicas({"cpu:0", "cpu:1"}));
  EXPECT_EQ(outcome.notice, "");
}

}  // namespace
}  // namespace lanelab
