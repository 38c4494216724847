// SPDX-License-Identifier: GPL-3.0-only
// A session through the Executor's interface: recording, cancelling, failing and going on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>

#include "engine/networks/built_network.h"
#include "engine/torch/devices/lane_memory.h"
#include "engine/torch/files/tensor_file.h"
#include "engine/torch/train/machine_check.h"
#include "engine/torch/train/torch_executor.h"
#include "tests/support/prepared.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/two_lane_pipeline.h"

#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

namespace lanelab {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Experiment smallExperiment(RecordMode record = RecordMode::Off) {
  Experiment experiment = test::twoLanePipeline({"resnet18", 10, std::nullopt}, {3, 32, 32}, "layer3.0");
  experiment.record = record;
  return experiment;
}

Result<std::unique_ptr<Session>> prepare(Executor& executor, const Experiment& experiment) {
  return prepare(executor, resolve(experiment)->variants()[0], experiment.data.steps);
}

/// Spans of a category, by lane.
std::map<int, std::vector<Span>> spansOf(const Trace& trace, Category category) {
  std::map<int, std::vector<Span>> spans;
  for (const Track& track : trace.tracks) {
    for (const Span& span : track.spans) {
      if (span.category == category) spans[track.lane].push_back(span);
    }
  }
  return spans;
}

std::shared_ptr<const Trace> recordedTrace(RecordMode record) {
  const auto executor = makeTorchExecutor();
  const Experiment experiment = smallExperiment(record);
  auto session = prepare(*executor, experiment);
  EXPECT_TRUE(session.ok());
  TraceBuilder builder("Pipeline", {{"a", "cpu:0"}, {"b", "cpu:1"}});
  const RepeatOutcome outcome = (*session)->runRepeat({.trace = &builder});
  EXPECT_TRUE(outcome.failure.ok());
  EXPECT_EQ(outcome.losses.size(), 2u);
  return builder.snapshot();
}

/// Of one training for all tests.
std::shared_ptr<const Trace> traceOf(RecordMode record) {
  static std::map<RecordMode, std::shared_ptr<const Trace>> traces;
  std::shared_ptr<const Trace>& trace = traces[record];
  if (!trace) trace = recordedTrace(record);
  return trace;
}

TEST(Recording, EveryBlockHasAForwardAndABackwardSpanInsideAnAction) {
  const auto trace = traceOf(RecordMode::Blocks);
  const auto blocks = spansOf(*trace, Category::Block);
  const auto actions = spansOf(*trace, Category::Action);
  // stem, four blocks | four blocks, head; 2 steps of 2 micro-batches, forward and backward.
  EXPECT_EQ(blocks.at(0).size(), 5u * 2 * 2 * 2);
  EXPECT_EQ(blocks.at(1).size(), 5u * 2 * 2 * 2);
  for (const auto& [lane, spans] : blocks) {
    for (const Span& span : spans) {
      const bool inside = std::any_of(actions.at(lane).begin(), actions.at(lane).end(), [&](const Span& action) {
        return action.phase == span.phase && action.micro_batch == span.micro_batch && action.step == span.step &&
               action.start <= span.start && span.end <= action.end;
      });
      EXPECT_TRUE(inside) << trace->nameOf(span) << " lane " << lane;
    }
  }
}

TEST(Recording, EachModeAddsSpans) {
  const auto actions = traceOf(RecordMode::Actions), blocks = traceOf(RecordMode::Blocks),
             operators = traceOf(RecordMode::Operators);
  EXPECT_LT(actions->spanCount(), blocks->spanCount());
  EXPECT_LT(blocks->spanCount(), operators->spanCount());
  EXPECT_TRUE(spansOf(*actions, Category::Block).empty());
  EXPECT_FALSE(spansOf(*actions, Category::Action).empty());
  EXPECT_TRUE(spansOf(*blocks, Category::CpuOp).empty());
  EXPECT_GT(spansOf(*operators, Category::CpuOp).at(0).size(), 500u);
  EXPECT_FALSE(spansOf(*operators, Category::Block).empty());
}

TEST(Recording, AStepThatIsRepeatedHasTheSpansOfItsModeOnlyWhereTheyAreWanted) {
  for (const RecordMode mode : {RecordMode::Actions, RecordMode::Blocks, RecordMode::Operators}) {
    const auto executor = makeTorchExecutor();
    auto session = prepare(*executor, smallExperiment(mode));
    TraceBuilder whole("Pipeline", {{"a", "cpu:0"}, {"b", "cpu:1"}}),
        repeated("Pipeline", {{"a", "cpu:0"}, {"b", "cpu:1"}});
    const RepeatOutcome outcome = (*session)->runRepeat({.trace = &whole});
    ASSERT_TRUE(outcome.failure.ok());
    // Two of four, as a repeat has two of two.
    const auto seconds = (*session)->repeatStep(4, repeated, [](int i) { return i == 1 || i == 2; }, {});
    ASSERT_TRUE(seconds.ok()) << seconds.error().message;
    EXPECT_EQ(seconds->size(), 4u);
    for (const Category category : {Category::Action, Category::Block, Category::CpuOp, Category::Step}) {
      const auto once = spansOf(*whole.snapshot(), category), again = spansOf(*repeated.snapshot(), category);
      ASSERT_EQ(once.size(), again.size()) << toWord(mode) << ' ' << toString(category);
      for (const auto& [lane, spans] : once) {
        // The first step of a repeat makes gradients where later ones add to them.
        const double tolerance = category == Category::CpuOp ? 0.1 * static_cast<double>(spans.size()) : 0;
        EXPECT_NEAR(static_cast<double>(again.at(lane).size()), static_cast<double>(spans.size()), tolerance)
            << toWord(mode) << ' ' << toString(category);
      }
    }
    const RepeatOutcome next = (*session)->runRepeat({});
    EXPECT_EQ(next.losses, outcome.losses) << "a repeat begins at the initial weights, whatever came before";
  }
}

TEST(Recording, TheLossAndEachLanesMemoryAreCounters) {
  const auto trace = traceOf(RecordMode::Actions);
  std::map<std::pair<int, std::string>, Counter> counters;
  for (const Counter& counter : trace->counters) counters[{counter.lane, counter.name}] = counter;
  ASSERT_EQ(counters.size(), 3u);
  EXPECT_EQ(counters.at({-1, "loss"}).values.size(), 2u);
  const Counter& memory = counters.at({1, "memory"});
  EXPECT_EQ(memory.series, "bytes");
  ASSERT_GE(memory.values.size(), 4u);
  // Parameters and, from the first backward on, gradients: layer3, layer4 and fc hold 10.5 M of 11.2 M.
  EXPECT_GT(memory.values.front(), 4 * 10'000'000);
  EXPECT_GT(memory.values.back(), 2 * 4 * 10'000'000);
}

/// How many spans named `name` lie within the span, on its track.
int countWithin(const Trace& trace, const Track& track, const Span& outer, const std::string& name) {
  return static_cast<int>(std::count_if(track.spans.begin(), track.spans.end(), [&](const Span& span) {
    return trace.nameOf(span) == name && outer.start <= span.start && span.end <= outer.end &&
           span.micro_batch == outer.micro_batch && span.step == outer.step && span.phase == outer.phase;
  }));
}

TEST(Recording, OperatorsNestInTheBlocksThatTheyBelongTo) {
  const std::map<std::string, int> norms = {{"stem", 1},     {"layer1.0", 2}, {"layer1.1", 2}, {"layer2.0", 3},
                                            {"layer2.1", 2}, {"layer3.0", 3}, {"layer3.1", 2}, {"layer4.0", 3},
                                            {"layer4.1", 2}, {"head", 0}};
  const auto trace = traceOf(RecordMode::Operators);
  int blocks = 0;
  for (const Track& track : trace->tracks) {
    for (const Span& span : track.spans) {
      if (span.category != Category::Block) continue;
      ++blocks;
      const char* const norm = span.phase == Phase::Forward ? "lanelab::fused_norm" : "lanelab::fused_norm_backward";
      EXPECT_EQ(countWithin(*trace, track, span, norm), norms.at(trace->nameOf(span)))
          << trace->nameOf(span) << ' ' << letterOf(span.phase);
    }
  }
  EXPECT_EQ(blocks, 10 * 2 * 2 * 2);
}

TEST(Recording, ActionsAndBlocksTellHowLongTheirThreadHadACore) {
  const auto trace = traceOf(RecordMode::Blocks);
  for (const Category category : {Category::Action, Category::Block}) {
    for (const auto& [lane, spans] : spansOf(*trace, category)) {
      for (const Span& span : spans) {
        EXPECT_GE(span.cpu, 0) << trace->nameOf(span);
        EXPECT_LE(span.cpu, span.range().length()) << trace->nameOf(span);
      }
    }
  }
}

TEST(Recording, NothingElseOfAStepLiesOutsideItsActions) {
  const auto trace = traceOf(RecordMode::Operators);
  const auto actions = spansOf(*trace, Category::Action);
  for (const auto& [lane, spans] : spansOf(*trace, Category::CpuOp)) {
    for (const Span& span : spans) {
      const bool inside = std::any_of(actions.at(lane).begin(), actions.at(lane).end(), [&](const Span& action) {
        return action.stage == span.stage && action.phase == span.phase && action.micro_batch == span.micro_batch &&
               action.step == span.step && action.start <= span.start && span.end <= action.end;
      });
      EXPECT_TRUE(inside) << trace->nameOf(span);
    }
  }
}

TEST(Sessions, TellPeakBytesOfTheirLanes) {
  const auto executor = makeTorchExecutor();
  auto session = prepare(*executor, smallExperiment());
  const RepeatOutcome outcome = (*session)->runRepeat({});
  ASSERT_EQ(outcome.peak_bytes.size(), 2u);
  // At least parameters and gradients: layer3, layer4 and fc hold 10.5 M of 11.2 M parameters.
  EXPECT_GT(outcome.peak_bytes[1], 2 * 4 * 10'000'000);
  EXPECT_GT(outcome.peak_bytes[0], 2 * 4 * 600'000);
  EXPECT_LT(outcome.peak_bytes[0], outcome.peak_bytes[1]);
}

TEST(Sessions, CancelEndsTheRepeatAndTheNextOneWorks) {
  const auto executor = makeTorchExecutor();
  Experiment experiment = smallExperiment();
  experiment.data.steps = 1000;
  auto session = prepare(*executor, experiment);
  std::stop_source stop;
  int steps = 0;
  const auto stop_at_two = [&](int, double, double) {
    if (++steps == 2) stop.request_stop();
  };
  const RepeatOutcome cancelled = (*session)->runRepeat({.on_step = stop_at_two, .stop = stop.get_token()});
  ASSERT_FALSE(cancelled.failure.ok());
  EXPECT_EQ(cancelled.failure.error().kind, Error::Kind::Cancelled);
  EXPECT_GE(cancelled.losses.size(), 2u);
  EXPECT_LT(cancelled.losses.size(), 1000u);
  std::stop_source again;
  steps = 0;
  const auto stop_again = [&](int, double, double) {
    if (++steps == 3) again.request_stop();
  };
  EXPECT_GE((*session)->runRepeat({.on_step = stop_again, .stop = again.get_token()}).losses.size(), 3u);
}

TEST(Sessions, OutOfMemoryFailsTheRunByNameAndTheNextRunWorks) {
  const auto executor = makeTorchExecutor();
  Experiment experiment = smallExperiment();
  auto session = prepare(*executor, experiment);
  ASSERT_TRUE((*session)->runRepeat({}).failure.ok());
  experiment.data.batch = 64;
  experiment.variants[0].split_size = 64;
  auto large = prepare(*executor, experiment);
  ASSERT_TRUE(large.ok());
  const std::int64_t limit = laneMemoryLimit();
  releaseKeptBlocks();
  setLaneMemoryLimit(std::int64_t{150} << 20);
  const RepeatOutcome failed = (*large)->runRepeat({});
  setLaneMemoryLimit(limit);
  ASSERT_FALSE(failed.failure.ok());
  EXPECT_THAT(failed.failure.error().message, HasSubstr("out of memory"));
  EXPECT_THAT(failed.failure.error().message, HasSubstr("micro-batch 0"));
  EXPECT_TRUE((*large)->runRepeat({}).failure.ok());
  EXPECT_TRUE((*session)->runRepeat({}).failure.ok());
}

TEST(Machine, AMissingGpuIsBadInputThatNamesTheLane) {
  const auto executor = makeTorchExecutor();
  Experiment experiment = smallExperiment();
  experiment.lanes[1].device = Device::cuda(77);
  std::vector<std::string> warnings;
  const auto status = executor->checkMachine(*resolve(experiment), warnings);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, Error::Kind::BadInput);
  EXPECT_THAT(status.error().message, HasSubstr("lanes[1].device"));
}

TEST(Machine, MoreLanesThanCoresAreAllowedWithAWarning) {
  const auto executor = makeTorchExecutor();
  Experiment experiment = smallExperiment();
  experiment.lanes.clear();
  for (std::size_t i = 0; i <= executor->devices().size(); ++i) experiment.lanes.push_back({Device::cpu(i), "", 1});
  experiment.variants.resize(1);
  experiment.variants.front() = {};
  experiment.variants.front().name = "Single";
  std::vector<std::string> warnings;
  EXPECT_TRUE(executor->checkMachine(*resolve(experiment), warnings).ok());
  EXPECT_TRUE(warnings.empty()) << "its lanes do not compute at once";
  experiment.variants.front().strategy = Strategy::DataParallel;
  EXPECT_TRUE(executor->checkMachine(*resolve(experiment), warnings).ok());
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("so timings are not meaningful. Use at most "));
}

TEST(Machine, SlowBf16SaysHowSlowAndWhatToDo) {
  Experiment experiment = smallExperiment();
  EXPECT_EQ(slowBf16Warning(experiment, "none", false), "") << "fp32";
  experiment.variants[0].precision = Precision::Bf16;
  const std::string slow = slowBf16Warning(experiment, "none", false);
  EXPECT_THAT(slow, HasSubstr("10 to 25 times slower than in fp32"));
  EXPECT_THAT(slow, HasSubstr("Set the precision to fp32"));
  EXPECT_THAT(slowBf16Warning(experiment, "none", true), HasSubstr("saves memory, not time"));
  EXPECT_EQ(slowBf16Warning(experiment, "AMX", true), "");
  experiment.lanes = {{Device::cuda(0), "", 1}};
  EXPECT_EQ(slowBf16Warning(experiment, "none", false), "");
}

struct DataFile {
  at::Tensor inputs, targets;
  const char* says;  ///< empty: it is legal
};

TEST(Machine, ADataFileOfTheWrongShapeIsSaid) {
  const auto executor = makeTorchExecutor();
  Experiment experiment = smallExperiment();
  experiment.data.source = DataSource::File;
  const test::TemporaryFile data("data.safetensors");
  experiment.data.path = data.path;
  const auto images = [](int n, int side) { return at::randn({n, 3, side, side}); };
  const auto ids = [](int n, int classes) { return at::randint(classes, {n}, at::kLong); };
  const std::vector<DataFile> files = {
      {images(6, 32), ids(6, 10), ""},
      {images(6, 32), at::randn({6, 10}), ""},
      {images(6, 16), ids(6, 10), "Set data.shape to [3, 16, 16]."},
      {images(6, 32), ids(5, 10), "differ in their number of rows"},
      {images(6, 32), at::randn({6, 7}),
       "targets are 6x7, 7 numbers per row, and the model has 10 "
       "classes. Set model.classes to 7."},
      {images(6, 32), at::zeros({6, 1'000'001}), "A network may have 1 to 1000000 classes."},
      {at::randn({6, 2, 32, 32}), ids(6, 10), "resnet18 takes no samples of 2x32x32."},
      {images(6, 32), at::randn({6}), "must be class ids [N] of an integer type"}};
  for (const DataFile& file : files) {
    ASSERT_TRUE(writeSafetensors(experiment.data.path, {{"inputs", file.inputs}, {"targets", file.targets}}).ok());
    std::vector<std::string> warnings;
    const auto status = executor->checkMachine(*resolve(experiment), warnings);
    EXPECT_EQ(status.ok(), std::string(file.says).empty()) << file.says;
    if (!status.ok()) {
      EXPECT_THAT(status.error().message, HasSubstr(file.says));
    }
  }
  constexpr std::int64_t kTera = std::int64_t{1} << 40;
  const std::pair<std::int64_t, const char*> most[] = {
      {10, "counted from 0. Set model.classes to 11."},
      {999'999, "counted from 0. Set model.classes to 1000000."},
      {1'000'000, "counted from 0. A network may have 1 to 1000000 classes."},
      {kTera, "a class id is 1099511627776, and the model has 10 classes, counted from 0. A network may have"},
      {std::numeric_limits<std::int64_t>::max(), "counted from 0. A network may have"}};
  for (const auto& [id, says] : most) {
    const at::Tensor targets = at::zeros({6}, at::kLong);
    targets.mutable_data_ptr<std::int64_t>()[3] = id;
    ASSERT_TRUE(writeSafetensors(experiment.data.path, {{"inputs", images(6, 32)}, {"targets", targets}}).ok());
    const auto session = prepare(*executor, experiment);
    ASSERT_FALSE(session.ok()) << id;
    EXPECT_THAT(session.error().message, HasSubstr(says)) << id;
  }
}

TEST(Machine, SessionsBeginWithTheWeightsThatTheirCheckRead) {
  const auto executor = makeTorchExecutor();
  Experiment experiment = smallExperiment();
  const test::TemporaryFile weights("weights.safetensors");
  experiment.model.weights = weights.path;
  ASSERT_TRUE(writeInitialWeights(**builtNetwork("resnet18", 10, {3, 32, 32}), 3, weights.path).ok());
  const auto resolution = resolve(experiment);
  std::vector<std::string> warnings;
  const auto checked = executor->checkMachine(*resolution, warnings);
  ASSERT_TRUE(checked.ok()) << checked.error().message;
  ASSERT_NE(*checked, nullptr);
  ASSERT_TRUE(std::filesystem::remove(weights.path));
  const auto sessionOf = executor->load(*resolution, 1, *checked);
  ASSERT_TRUE(sessionOf.ok()) << "the file is not read again: " << sessionOf.error().message;
  for (const ResolvedVariant& variant : resolution->variants()) EXPECT_TRUE((*sessionOf)(variant).ok());
  EXPECT_FALSE(executor->load(*resolution, 1, nullptr).ok()) << "the executor retains nothing";
  EXPECT_FALSE(prepare(*executor, resolution->variants()[0], 1).ok());
}

TEST(Machine, ACheckOfWeightsThatAreDrawnReadsNone) {
  const auto executor = makeTorchExecutor();
  std::vector<std::string> warnings;
  const auto checked = executor->checkMachine(*resolve(smallExperiment()), warnings);
  ASSERT_TRUE(checked.ok()) << checked.error().message;
  EXPECT_EQ(*checked, nullptr);
}

TEST(Machine, WeightsOfAnotherModelAreNamedTensorByTensor) {
  const auto executor = makeTorchExecutor();
  Experiment experiment = smallExperiment();
  const test::TemporaryFile weights("weights.safetensors");
  experiment.model.weights = weights.path;
  const auto network = builtNetwork("resnet18", 5, {3, 32, 32});
  ASSERT_TRUE(writeInitialWeights(**network, 3, *experiment.model.weights).ok());
  std::vector<std::string> warnings;
  const auto status = executor->checkMachine(*resolve(experiment), warnings);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().message, HasSubstr("fc.weight (5x512 instead of 10x512)"));
  experiment.model.classes = 5;
  EXPECT_TRUE(executor->checkMachine(*resolve(experiment), warnings).ok());
}

}  // namespace
}  // namespace lanelab
