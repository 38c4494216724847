// CUDA lanes: loading everywhere, training where a GPU is.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/torch/cuda_platform.h"
#include "engine/torch/torch_executor.h"

namespace lanelab {
namespace {

TEST(CudaModule, LoadsWithAllItsSymbolsAndFindsAPlatformOnlyWhereAGpuIs) {
  void* const module = ::dlopen(LANELAB_CUDA_MODULE, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(module, nullptr) << ::dlerror();
  const auto factory = reinterpret_cast<CudaFactory>(::dlsym(module, kCudaFactoryName));
  ASSERT_NE(factory, nullptr);
  std::string why_not;
  EXPECT_EQ(factory() != nullptr, cudaPlatform(&why_not) != nullptr) << why_not;
}

TEST(CudaModule, ItsAbsenceIsASentence) {
  std::string why_not;
  const bool there = cudaPlatform(&why_not) != nullptr;
  EXPECT_EQ(why_not.empty(), there);
}

/// ResNet-18 on the given lanes, cut in the middle when there are two.
Experiment experimentOn(const std::vector<std::string>& devices) {
  Experiment experiment;
  experiment.model = {"resnet18", 10, std::nullopt};
  experiment.data.shape = {3, 64, 64};
  experiment.data.batch = 8;
  experiment.data.steps = 3;
  experiment.record = RecordMode::Blocks;
  for (const std::string& device : devices) experiment.lanes.push_back({device, "", 1});
  VariantConfig variant;
  variant.name = "v";
  variant.strategy = "pipeline";
  variant.schedule = "1f1b";
  variant.split_size = 4;
  variant.cuts = devices.size() > 1 ? std::vector<std::string>{"layer3.0"} : std::vector<std::string>{};
  experiment.variants = {variant};
  return experiment;
}

struct Trained {
  RepeatOutcome outcome;
  std::shared_ptr<const Trace> trace;
};

Trained train(const std::vector<std::string>& devices, const std::string& precision = "fp32") {
  Experiment experiment = experimentOn(devices);
  experiment.training.precision = precision;
  const auto executor = makeTorchExecutor();
  const auto spec = modelOf(experiment);
  const auto plan = planVariant(experiment, *spec, experiment.variants[0]);
  auto session = executor->prepare(experiment, *spec, *plan);
  EXPECT_TRUE(session.ok()) << session.error().message;
  std::vector<LaneInfo> lanes;
  for (const std::string& device : devices) lanes.push_back({device, device});
  TraceBuilder builder("v", lanes);
  Trained trained{(*session)->runRepeat(&builder, {}, {}), nullptr};
  EXPECT_TRUE(trained.outcome.failure.ok()) << trained.outcome.failure.error().message;
  trained.trace = builder.snapshot();
  return trained;
}

class CudaLanes : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why_not;
    if (!cudaPlatform(&why_not)) GTEST_SKIP() << "needs a GPU: " << why_not;
  }

  static void expectLossesOf(const std::vector<std::string>& devices) {
    const auto wanted = train({"cpu:0"}).outcome.losses;
    const auto losses = train(devices).outcome.losses;
    ASSERT_EQ(losses.size(), wanted.size());
    for (std::size_t i = 0; i < losses.size(); ++i) EXPECT_NEAR(losses[i] / wanted[i], 1, 1e-3) << "step " << i;
  }
};

TEST_F(CudaLanes, OneLaneTrainsAsTheCpuDoes) { expectLossesOf({"cuda:0"}); }

TEST_F(CudaLanes, OtherPrecisionsStayNearAndAreNoFp32) {
  const auto wanted = train({"cuda:0", "cuda:0"}).outcome.losses;
  for (const auto& [precision, limit] : {std::pair("tf32", 5e-3), std::pair("bf16", 3e-2)}) {
    const auto losses = train({"cuda:0", "cuda:0"}, precision).outcome.losses;
    ASSERT_EQ(losses.size(), wanted.size());
    for (std::size_t i = 0; i < losses.size(); ++i) EXPECT_NEAR(losses[i] / wanted[i], 1, limit) << precision << ", step " << i;
    EXPECT_NE(losses, wanted) << precision;
  }
}

TEST_F(CudaLanes, TwoStreamsOfOneGpuTrainAsTheCpuDoes) { expectLossesOf({"cuda:0", "cuda:0"}); }

TEST_F(CudaLanes, ACpuLaneAndAGpuLaneTrainTogether) {
  expectLossesOf({"cpu:0", "cuda:0"});
  expectLossesOf({"cuda:0", "cpu:0"});
}

TEST_F(CudaLanes, ActionsAndBlocksHaveTheDevicesTimes) {
  const auto trained = train({"cuda:0", "cuda:0"});
  std::size_t actions = 0, blocks = 0;
  const TimeRange range = trained.trace->range();
  for (const Track& track : trained.trace->tracks) {
    for (const Span& span : track.spans) {
      actions += span.category == Category::Action;
      blocks += span.category == Category::Block;
      EXPECT_LE(span.start, span.end);
    }
  }
  EXPECT_EQ(actions, 3u * 2 * (2 * 2 + 1));
  EXPECT_EQ(blocks, 3u * 2 * 2 * 10);
  EXPECT_LT(range.length(), 120'000'000'000);
  EXPECT_GT(trained.outcome.peak_bytes[0], 0);
}

TEST_F(CudaLanes, KernelsAreRecordedOnTheirLanes) {
  const auto trained = train({"cuda:0", "cuda:0"});
  std::vector<std::size_t> kernels(2);
  for (const Track& track : trained.trace->tracks) {
    kernels[static_cast<std::size_t>(track.lane)] += static_cast<std::size_t>(
        std::count_if(track.spans.begin(), track.spans.end(), [](const Span& span) { return span.category == Category::Kernel; }));
  }
  EXPECT_GT(kernels[0], 100u);
  EXPECT_GT(kernels[1], 100u);
}

}  // namespace
}  // namespace lanelab
