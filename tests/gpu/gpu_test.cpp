// SPDX-License-Identifier: GPL-3.0-only
// CUDA lanes: loading everywhere, training where a GPU is.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "engine/torch/devices/cuda_platform.h"
#include "engine/torch/train/torch_executor.h"
#include "profiler/analysis/idle_causes.h"
#include "tests/gpu/gpu_world.h"
#include "tests/support/prepared.h"
#include "tests/support/source_folder.h"

namespace lanelab {
namespace {

TEST(CudaModule, LoadsWithAllItsSymbolsAndFindsAPlatformOnlyWhereAGpuIs) {
  const auto beside = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "liblanelab_cuda.so";
  void* const module = ::dlopen(beside.c_str(), RTLD_NOW | RTLD_LOCAL);
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
Experiment pipelineOn(const std::vector<std::string>& devices) {
  Experiment experiment = resnetOn(devices, Strategy::Pipeline, 3);
  experiment.record = RecordMode::Blocks;
  VariantConfig& variant = experiment.variants.front();
  variant.schedule = ScheduleKind::OneFOneB;
  variant.split_size = 4;
  if (devices.size() > 1) variant.cuts = {"layer3.0"};
  return experiment;
}

struct Trained {
  RepeatOutcome outcome;
  std::shared_ptr<const Trace> trace;
};

Trained train(const std::vector<std::string>& devices, Precision precision = Precision::Fp32,
              RecordMode record = RecordMode::Blocks) {
  Experiment experiment = pipelineOn(devices);
  experiment.training.precision = precision;
  experiment.record = record;
  const auto executor = makeTorchExecutor();
  auto session = prepare(*executor, resolve(experiment)->variants()[0], experiment.data.steps);
  EXPECT_TRUE(session.ok()) << session.error().message;
  std::vector<LaneInfo> lanes;
  for (const std::string& device : devices) lanes.push_back({device, device});
  TraceBuilder builder("v", lanes);
  Trained trained{(*session)->runRepeat({.trace = &builder}), nullptr};
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

TEST_F(CudaLanes, DriverLimitsAndLibrariesAreKnown) {
  const auto executor = makeTorchExecutor();
  const std::string packages = packagesText(executor->packages());
  for (const char* name : {"CUDA ", "cuDNN ", "NCCL "})
    EXPECT_NE(packages.find(name), std::string::npos) << name << "in " << packages;
  for (const auto& [name, value] : executor->describe()) {
    const bool is_version = name == "gpu driver" || name == "CUDA" || name == "cuDNN";
    EXPECT_TRUE(!is_version || (!value.empty() && value.find_first_not_of("0123456789.") == std::string::npos))
        << name << " " << value;
  }
  for (const DeviceInfo& device : executor->devices())
    EXPECT_EQ(device.device.isCuda(), device.limits.starts_with("power ")) << toString(device.device) << device.limits;
}

TEST_F(CudaLanes, OneLaneTrainsAsTheCpuDoes) { expectLossesOf({"cuda:0"}); }

TEST_F(CudaLanes, OtherPrecisionsStayNearAndAreNoFp32) {
  const auto wanted = train({"cuda:0", "cuda:0"}).outcome.losses;
  for (const auto& [precision, limit] : {std::pair(Precision::Tf32, 5e-3), std::pair(Precision::Bf16, 3e-2)}) {
    const auto losses = train({"cuda:0", "cuda:0"}, precision).outcome.losses;
    ASSERT_EQ(losses.size(), wanted.size());
    for (std::size_t i = 0; i < losses.size(); ++i)
      EXPECT_NEAR(losses[i] / wanted[i], 1, limit) << toWord(precision) << ", step " << i;
    EXPECT_NE(losses, wanted) << toWord(precision);
  }
}

TEST_F(CudaLanes, TwoStreamsOfOneGpuTrainAsTheCpuDoes) { expectLossesOf({"cuda:0", "cuda:0"}); }

TEST_F(CudaLanes, ACpuLaneAndAGpuLaneTrainTogether) {
  expectLossesOf({"cpu:0", "cuda:0"});
  expectLossesOf({"cuda:0", "cpu:0"});
}

/// Losses of an exported network without dropout on two lanes, cut before the block.
std::vector<double> lossesOfExported(const std::string& name, const std::string& cut, const std::string& device) {
  Experiment experiment = pipelineOn({device, device});
  experiment.model = {"", 0};
  experiment.model.file = test::sourceFolder() + "/tests/data/exported/" + name + ".pt2";
  experiment.data.shape.clear();
  experiment.variants.front().cuts = {cut};
  const auto resolution = resolve(experiment);
  auto session = prepare(*makeTorchExecutor(), resolution->variants()[0], experiment.data.steps);
  EXPECT_TRUE(session.ok()) << session.error().message;
  if (!session.ok()) return {};
  const RepeatOutcome outcome = (*session)->runRepeat({});
  EXPECT_TRUE(outcome.failure.ok()) << outcome.failure.error().message;
  return outcome.losses;
}

TEST_F(CudaLanes, ExportedNetworksTrainAsOnTheCpu) {
  for (const auto& [name, cut] : {std::pair("resnet18", "layer3.0"), std::pair("llama", "inner.model.layers.1"),
                                  std::pair("swin", "features.3.0")}) {
    const auto wanted = lossesOfExported(name, cut, "cpu:0"), losses = lossesOfExported(name, cut, "cuda:0");
    ASSERT_EQ(losses.size(), wanted.size()) << name;
    for (std::size_t i = 0; i < losses.size(); ++i) EXPECT_NEAR(losses[i] / wanted[i], 1, 1e-3) << name << " " << i;
  }
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

/// Calls visit(track, span) for every span of the category.
template <class Visit>
void eachSpan(const Trace& trace, Category category, const Visit& visit) {
  for (const Track& track : trace.tracks)
    for (const Span& span : track.spans)
      if (span.category == category) visit(track, span);
}

TEST_F(CudaLanes, KernelsAreRecordedOnTheirLanes) {
  const auto trained = train({"cuda:0", "cuda:0"});
  std::vector<std::size_t> kernels(2);
  eachSpan(*trained.trace, Category::Kernel,
           [&](const Track& track, const Span&) { ++kernels[static_cast<std::size_t>(track.lane)]; });
  EXPECT_GT(kernels[0], 100u);
  EXPECT_GT(kernels[1], 100u);
}

TEST_F(CudaLanes, TheRecordingIsComplete) {
  const auto trained = train({"cuda:0", "cuda:0"});
  EXPECT_EQ(trained.outcome.notice, "");
  ASSERT_TRUE(trained.outcome.gpu.has_value());
  const GpuActivity& gpu = *trained.outcome.gpu;
  std::printf(
      "%lld kernels, %lld copies, %lld memsets, %lld dropped, %lld without time, %lld of no known action, clocks "
      "within %lld ns\n",
      static_cast<long long>(gpu.kernels), static_cast<long long>(gpu.copies), static_cast<long long>(gpu.memsets),
      static_cast<long long>(gpu.dropped), static_cast<long long>(gpu.without_time),
      static_cast<long long>(gpu.unattributed), static_cast<long long>(gpu.clock_residual));
  EXPECT_EQ(gpu.dropped, 0);
  EXPECT_EQ(gpu.without_time, 0);
  EXPECT_LE(gpu.unattributed * 200, gpu.kernels) << "at least 99.5 % have their action";
  EXPECT_EQ(gpu.before_launch, 0);
  EXPECT_EQ(trained.trace->dropped, 0);
}

TEST_F(CudaLanes, KernelsKnowTheirActionAndTheirLaunch) {
  const auto trained = train({"cuda:0", "cuda:0"});
  std::set<Phase> phases;
  std::size_t kernels = 0, launched = 0;
  eachSpan(*trained.trace, Category::Kernel, [&](const Track& track, const Span& span) {
    ++kernels;
    launched += span.mark != 0;
    if (span.stage < 0) return;
    EXPECT_EQ(span.stage, track.lane) << "each lane has one stage";
    EXPECT_TRUE(span.step >= 0 && span.step < 3) << span.step;
    phases.insert(span.phase);
  });
  EXPECT_EQ(phases, (std::set<Phase>{Phase::Forward, Phase::Backward, Phase::Update}));
  EXPECT_GE(launched * 200, kernels * 199);
}

/// CUPTI's clock and the lanes' own events must tell the same story.
TEST_F(CudaLanes, KernelsLieInTheirActions) {
  constexpr Nanoseconds kTolerance = 200'000;  // events are placed by the host's time of one event a step
  const auto trained = train({"cuda:0", "cuda:0"});
  std::map<std::tuple<int, int, int, Phase>, TimeRange> actions;
  eachSpan(*trained.trace, Category::Action, [&](const Track&, const Span& span) {
    if (span.phase != Phase::Update) actions[{span.step, span.stage, span.micro_batch, span.phase}] = span.range();
  });
  std::size_t inside = 0, outside = 0;
  eachSpan(*trained.trace, Category::Kernel, [&](const Track&, const Span& span) {
    const auto action = actions.find({span.step, span.stage, span.micro_batch, span.phase});
    if (action == actions.end()) return;
    const bool within = span.start >= action->second.start - kTolerance && span.end <= action->second.end + kTolerance;
    ++(within ? inside : outside);
  });
  EXPECT_GT(inside, 100u);
  EXPECT_EQ(outside, 0u);
}

TEST_F(CudaLanes, EachModeRecordsMoreThanTheOneBefore) {
  const auto actions = train({"cuda:0"}, Precision::Fp32, RecordMode::Actions);
  EXPECT_FALSE(actions.outcome.gpu.has_value());
  const auto blocks = train({"cuda:0"}, Precision::Fp32, RecordMode::Blocks);
  const auto operators = train({"cuda:0"}, Precision::Fp32, RecordMode::Operators);
  const auto calls = [](const Trace& trace) {
    std::size_t count = 0;
    eachSpan(trace, Category::Runtime, [&](const Track&, const Span&) { ++count; });
    return count;
  };
  EXPECT_EQ(calls(*blocks.trace), 0u);
  EXPECT_GT(calls(*operators.trace), 100u);
  EXPECT_LT(actions.trace->spanCount(), blocks.trace->spanCount());
  EXPECT_LT(blocks.trace->spanCount(), operators.trace->spanCount());
}

TEST_F(CudaLanes, TwentyRecordingsInOneProcessLoseNothing) {
  Experiment experiment = pipelineOn({"cuda:0", "cuda:0"});
  const auto executor = makeTorchExecutor();
  auto session = prepare(*executor, resolve(experiment)->variants()[0], experiment.data.steps);
  ASSERT_TRUE(session.ok()) << session.error().message;
  for (int cycle = 0; cycle < 20; ++cycle) {
    TraceBuilder builder("v", {{"a", "cuda:0"}, {"b", "cuda:0"}});
    const RepeatOutcome outcome = (*session)->runRepeat({.trace = &builder});
    ASSERT_TRUE(outcome.failure.ok()) << outcome.failure.error().message;
    ASSERT_TRUE(outcome.gpu.has_value()) << outcome.notice;
    EXPECT_GT(outcome.gpu->kernels, 200) << "cycle " << cycle;
    EXPECT_EQ(outcome.gpu->dropped + outcome.gpu->without_time, 0) << "cycle " << cycle;
    EXPECT_LE(outcome.gpu->unattributed * 200, outcome.gpu->kernels) << "cycle " << cycle;
  }
}

TEST_F(CudaLanes, CausesOfIdleTimeAddUp) {
  const auto trained = train({"cuda:0", "cuda:0"});
  for (const LaneCauses& lane : explainIdle(*trained.trace).lanes) {
    EXPECT_EQ(lane.busy + lane.idle, lane.window);
    EXPECT_EQ(lane.causes.total(), lane.idle);
    EXPECT_GT(lane.busy, 0);
    std::printf("lane %d: idle %.1f %% of its windows, unresolved %.1f %% of that\n", lane.lane,
                100.0 * static_cast<double>(lane.idle) / static_cast<double>(lane.window),
                100.0 * static_cast<double>(lane.causes[Cause::Unresolved]) /
                    static_cast<double>(std::max<Nanoseconds>(1, lane.idle)));
  }
}

}  // namespace
}  // namespace lanelab
