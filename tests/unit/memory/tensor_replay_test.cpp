// SPDX-License-Identifier: GPL-3.0-only
// The memory of stages of exported networks, on programs of a few calls.
#include "engine/memory/tensor_replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/memory/memory_forecast.h"
#include "engine/schedule/generate.h"

namespace lanelab::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kTensor = 400;  ///< bytes of each value, a sample
constexpr std::int64_t kWeight = 80;

/// A chain of calls, one a block, each with a weight: value 0 is the user's, value i + 1 is made by call i, which saves
/// what it reads.
TensorProgram chain(int calls) {
  TensorProgram program;
  for (int value = 0; value <= calls; ++value) {
    program.values.push_back({value, kTensor});
    program.storages.push_back(kTensor);
    program.crossing.push_back({value});
  }
  for (int i = 0; i < calls; ++i) {
    TensorProgram::Call call;
    call.block = i;
    call.reads = {i}, call.makes = {i + 1}, call.saves = {i};
    if (i > 0) call.gradients = {{i}};
    call.weights = {{i, kWeight}};
    call.deferrable = i;
    program.calls.push_back(call);
  }
  return program;
}

/// Value `from` is read again by the last call.
TensorProgram withSkip(int calls, int from) {
  TensorProgram program = chain(calls);
  program.calls.back().reads.push_back(from);
  program.calls.back().gradients.push_back({from});
  for (int boundary = from + 1; boundary < calls; ++boundary)
    program.crossing[static_cast<std::size_t>(boundary)].insert(
        program.crossing[static_cast<std::size_t>(boundary)].begin(), from);
  return program;
}

ModelSpec modelOf(TensorProgram program) {
  ModelSpec model;
  model.input = {kTensor / 4};
  model.gives_loss = true;
  model.blocks.resize(program.crossing.size() - 1);
  for (std::size_t b = 0; b < model.blocks.size(); ++b) {
    model.blocks[b].parameter_bytes = kWeight;
    model.blocks[b].output_bytes = kTensor * static_cast<std::int64_t>(program.crossing[b + 1].size());
    model.blocks[b].macs = 1000;
  }
  model.tensors = SharedTensorProgram(std::move(program));
  return model;
}

Stage stageOf(int first, int end, int id = 0) { return {StageId(id), LaneId(id), BlockId(first), BlockId(end)}; }

/// Calls 1 and 2 are one by a rule, which saves nothing; where two rules want call 2, the first has it.
TEST(TensorReplay, AStageHasTheCallsOfTheRulesThatItFollows) {
  TensorProgram program = chain(4);
  TensorProgram::Call together = program.calls[1];
  together.makes = program.calls[2].makes;
  together.saves.clear();
  program.joined = {{Rule::GatedProduct, 2, {1, 2}, together}, {Rule::TanhGelu, 2, {2}, program.calls[2]}};
  const Stage whole = stageOf(0, 4);
  const auto calls = [&](Rules rules) { return StageCalls(SharedTensorProgram(program), whole, rules).steps().size(); };
  EXPECT_EQ(calls({}), 4u);
  EXPECT_EQ(calls(Rule::GatedProduct), 3u);
  EXPECT_EQ(calls({Rule::GatedProduct, Rule::TanhGelu}), 3u);
  EXPECT_EQ(calls(Rule::TanhGelu), 4u);
  EXPECT_EQ(calls(Rules::all().without(Rule::GatedProduct)), 4u);
}

TEST(TensorReplay, AForwardLeavesWhatBackwardNeeds) {
  struct Case {
    int first, end;
    std::int64_t after, highest, sent;
    const char* why;
  };
  const ModelSpec model = modelOf(chain(3));
  for (const Case& c :
       {Case{0, 3, 2, 3, 0, "the user's tensor is the host's; the output is gone"},
        Case{0, 1, 0, 1, 1, "the output is lent"}, Case{1, 2, 0, 1, 1, "what it receives is lent to it"},
        Case{1, 3, 1, 2, 0, "what it makes for itself"}}) {
    const StageMemory stage(model, stageOf(c.first, c.end), {}, 1);
    const ActionMemory memory = stage.forward(2);
    EXPECT_EQ(memory.after.total(), 2 * kTensor * c.after) << c.why;
    EXPECT_EQ(memory.highest.total(), 2 * kTensor * c.highest) << c.why;
    std::int64_t sent = 0;
    for (const PassedTensor& tensor : stage.sentTensors(2)) sent += tensor.bytes;
    EXPECT_EQ(sent, 2 * kTensor * c.sent) << c.why;
  }
}

TEST(TensorReplay, ABackwardHoldsTheGradientsInUse) {
  const ModelSpec model = modelOf(chain(3));
  const StageMemory whole(model, stageOf(0, 3), {}, 1);
  EXPECT_EQ(whole.backward(1, true).highest.total(), 2 * kTensor + kWeight) << "of the output and of its input";
  EXPECT_EQ(whole.backward(1, true).after.gradients, 3 * kWeight);
  EXPECT_EQ(whole.backward(1, false).after.gradients, 0) << "added to those that are there";
  EXPECT_EQ(whole.backward(1, true).after.activations, -2 * kTensor);
  const StageMemory middle(model, stageOf(1, 2), {}, 1);
  EXPECT_EQ(middle.backward(1, true).highest.total(), kTensor + kWeight) << "what it receives is the maker's";
  EXPECT_THAT(middle.sentGradients(1, false), ElementsAre(PassedTensor{1, kTensor, false}));
}

TEST(TensorReplay, AWeightPartKeepsItsInputAndTheGradientOfItsResult) {
  const ModelSpec model = modelOf(chain(3));
  const StageMemory stage(model, stageOf(0, 3), {}, 1);
  const auto left = [&](const StageMemory& of) {
    return of.forward(1).after.total() + of.backward(1, true, /*input_only=*/true).after.total();
  };
  EXPECT_EQ(left(stage), 5 * kTensor) << "two inputs of its own, and three gradients";
  EXPECT_EQ(stage.backwardWeight(1, true).after.total(), 3 * kWeight - 5 * kTensor);
  const StageMemory last(model, stageOf(2, 3), {}, 1);
  EXPECT_EQ(left(last), kTensor);
  EXPECT_TRUE(last.weightsNeedInput(2));
  const StageMemory first(model, stageOf(0, 1), {}, 1);
  EXPECT_EQ(left(first), 0) << "the input is the host's, the gradient the next stage's";
  EXPECT_TRUE(first.weightsNeedGradient(1));
}

TEST(TensorReplay, AWeightOfTwoCallsOfTheStageIsNotLeftForLater) {
  TensorProgram program = chain(2);
  program.calls[1].weights.front().number = 0;
  const ModelSpec model = modelOf(program);
  const StageMemory both(model, stageOf(0, 2), {}, 1);
  EXPECT_EQ(both.backward(1, true, /*input_only=*/true).after.activations, -kTensor);
  EXPECT_EQ(both.backward(1, true, /*input_only=*/true).after.gradients, kWeight) << "one tensor";
  EXPECT_TRUE(StageMemory(model, stageOf(1, 2), {}, 1).weightsNeedInput(1)) << "a stage with one of the calls";
}

TEST(TensorReplay, ATensorThatIsHandedOnIsItsMakers) {
  const ModelSpec model = modelOf(withSkip(4, 1));
  const StageMemory maker(model, stageOf(0, 1), {}, 1), middle(model, stageOf(1, 2, 1), {}, 1),
      between(model, stageOf(2, 3, 2), {}, 1);
  EXPECT_THAT(maker.sentTensors(1), ElementsAre(PassedTensor{1, kTensor, false}));
  EXPECT_THAT(middle.sentTensors(1), ElementsAre(PassedTensor{2, kTensor, false}));
  EXPECT_TRUE(middle.handsOn(1));
  EXPECT_FALSE(middle.handsOn(2));
  EXPECT_TRUE(between.handsGradientBack(1)) << "no call of the stage reads it";
  EXPECT_FALSE(middle.handsGradientBack(1)) << "its own gradient is added";
  EXPECT_THAT(between.sentGradients(1, false), ElementsAre(PassedTensor{2, kTensor, false}));
}

TEST(TensorReplay, WhatIsWrittenToIsCopiedFirst) {
  TensorProgram program = chain(2);
  program.calls[1].writes = {1};
  program.values[2].storage = 1;
  const ModelSpec model = modelOf(program);
  EXPECT_EQ(StageMemory(model, stageOf(1, 2), {}, 1).forward(1).highest.total(), kTensor);
  EXPECT_FALSE(StageMemory(model, stageOf(1, 2), {}, 1).handsOn(1));
}

TEST(TensorReplay, WhatReachesNothingThatIsSentIsNotKept) {
  TensorProgram program = chain(2);
  program.values.push_back({3, kTensor});
  program.storages.push_back(kTensor);
  TensorProgram::Call spare;
  spare.block = 1;
  spare.reads = {1}, spare.makes = {3}, spare.saves = {3}, spare.saved_besides = {.computed = kTensor};
  program.calls.push_back(spare);
  const StageMemory stage(modelOf(program), stageOf(0, 2), {}, 1);
  EXPECT_EQ(stage.forward(1).after.total(), kTensor);
  EXPECT_EQ(stage.forward(1).highest.total(), 4 * kTensor) << "two results, what is kept, and what it makes besides";
}

TEST(TensorReplay, AForwardThatIsDoneAgainKeepsNothingBefore) {
  TrainingMemory training;
  training.recompute = {Recompute::Stage};
  const ModelSpec model = modelOf(chain(3));
  const StageMemory stage(model, stageOf(0, 3), training, 1);
  EXPECT_EQ(stage.forward(1).after.total(), 0);
  EXPECT_EQ(stage.forward(1).highest.total(), 2 * kTensor);
  EXPECT_EQ(stage.backward(1, true).highest.total(), 4 * kTensor + kWeight);
  EXPECT_EQ(stage.backward(1, false).after.total(), 0);
}

TEST(TensorReplay, TheLossCountsItsOutputs) {
  ModelSpec model = modelOf(chain(1));
  model.gives_loss = false;
  model.blocks.back().output = {5, 20};
  TrainingMemory training;
  const auto highest = [&](int threads = 1) {
    return StageMemory(model, stageOf(0, 1), training, threads).forward(1).highest.total();
  };
  EXPECT_EQ(highest(), 2 * kTensor);
  model.vocabulary = 10;
  EXPECT_EQ(highest(), 3 * kTensor) << "tokens: the logits once more, with the classes before the positions";
  training.loss_by_rows = true;
  EXPECT_EQ(highest(), 2 * kTensor);
  EXPECT_EQ(highest(/*threads=*/0), 3 * kTensor) << "not on another device";
}

TEST(TensorReplay, AStageWithoutTheFirstUserHasACopyOfASharedParameter) {
  ModelSpec model = modelOf(chain(2));
  model.blocks[1].parameter_bytes = 0;
  model.shared = {{"table", {BlockId(0), BlockId(1)}, kWeight}};
  EXPECT_EQ(StageMemory(model, stageOf(1, 2), {}, 1).resident().parameters, kWeight);
  EXPECT_EQ(StageMemory(model, stageOf(0, 2), {}, 1).resident().parameters, kWeight);
}

/// Four stages on four lanes, one micro-batch.
TEST(MemoryForecast, OfASkipHoldsItAtItsMakerUntilItsLastReader) {
  const ModelSpec plain = modelOf(chain(4)), skip = modelOf(withSkip(4, 1));
  std::vector<Stage> stages;
  for (int s = 0; s < 4; ++s) stages.push_back(stageOf(s, s + 1, s));
  const Result<Schedule> schedule =
      generateSchedule(ScheduleKind::OneFOneB, {LaneId(0), LaneId(1), LaneId(2), LaneId(3)}, 4, 1, WindowKind::Step);
  ASSERT_TRUE(schedule.ok());
  const auto peaks = [&](const ModelSpec& model) {
    std::vector<std::int64_t> bytes;
    for (const LaneForecast& lane :
         forecastMemory({model, stages, {1, 1}, *schedule, {}, std::vector<LaneMemoryTraits>(4)}))
      bytes.push_back((lane.at_peak.total() - kWeight) / kTensor);
    return bytes;
  };
  EXPECT_THAT(peaks(plain), ElementsAre(1, 2, 2, 2)) << "its output, and the gradient for the stage before";
  EXPECT_THAT(peaks(skip), ElementsAre(1, 3, 2, 3)) << "a second gradient where it is read, a sum where it is made";
}

/// Value 2 follows from value 1: call 1 makes it, call 2 saves it.
TEST(TensorReplay, WhatIsMadeAgainIsThereInTheBackwardAlone) {
  TensorProgram program = chain(3);
  program.calls[1].remakes = 2;
  const ModelSpec model = modelOf(program);
  TrainingMemory training;
  const StageMemory kept(model, stageOf(0, 3), training, 1);
  training.recompute = {Recompute::Activations};
  const StageMemory remade(model, stageOf(0, 3), training, 1);
  EXPECT_EQ(kept.forward(2).after.activations - remade.forward(2).after.activations, 2 * kTensor);
  EXPECT_EQ(kept.backward(2, false).after.activations - remade.backward(2, false).after.activations, -2 * kTensor);
  training.rules = training.rules.without(Rule::RemadeActivation);
  EXPECT_EQ(StageMemory(model, stageOf(0, 3), training, 1).forward(2).after, kept.forward(2).after);
}

/// By PyTorch's kernels a norm's ReLU is made again for its own mask, too, and goes before the norm's gradients come.
TEST(TensorReplay, WhatMasksItsOwnGradientGoesBeforeTheOthersCome) {
  const auto highest = [](bool masks) {
    TensorProgram program = chain(3);
    program.calls[1].remakes = 2;
    if (masks) program.calls[1].saves = {1, 2};
    program.calls[1].backward_workspace = kTensor;  // which PyTorch's norm takes
    TrainingMemory training;
    training.recompute = {Recompute::Activations};
    return StageMemory(modelOf(program), stageOf(0, 3), training, 1).backward(1, true).highest.total();
  };
  EXPECT_EQ(highest(true), highest(false)) << "the gradient, the other, and the workspace";
}

TEST(TensorReplay, APoolingNeedsOnlyTheShapeOfWhatIsMadeAgain) {
  TensorProgram program = chain(3);
  program.calls[1].remakes = 2;
  program.calls[2].saves_shape_only = true;
  TrainingMemory training;
  const std::int64_t kept =
      StageMemory(modelOf(program), stageOf(0, 3), training, 1).backward(1, false).highest.total();
  training.recompute = {Recompute::Activations};
  const StageMemory remade(modelOf(program), stageOf(0, 3), training, 1);
  EXPECT_LE(remade.backward(1, false).highest.total(), kept) << "nothing is made";
}

TEST(TensorReplay, AGradientIsMadeInPlaceWhereNobodyElseHasIt) {
  using Lies = TensorProgram::Gradient::Lies;
  const auto gradients = [](Lies last, Lies first) {
    TensorProgram program = chain(3);
    for (TensorProgram::Call& call : program.calls) call.saves.clear();  // gradients alone
    program.calls[2].gradients[0].lies = last;
    program.calls[1].gradients[0].lies = first;
    return StageMemory(modelOf(program), stageOf(0, 3), {}, 1).backward(1, true).highest.workspace / kTensor;
  };
  EXPECT_EQ(gradients(Lies::Passed, Lies::Apart), 2);
  EXPECT_EQ(gradients(Lies::Passed, Lies::InPlace), 1);
  EXPECT_EQ(gradients(Lies::InPlace, Lies::InPlace), 1);
  // Of a value that two calls read, the first's gradient is the second's, too.
  TensorProgram shared = withSkip(3, 1);
  for (TensorProgram::Call& call : shared.calls) call.saves.clear();
  for (TensorProgram::Gradient& gradient : shared.calls[2].gradients) gradient.lies = Lies::Passed;
  shared.calls[1].gradients[0].lies = Lies::InPlace;
  EXPECT_EQ(StageMemory(modelOf(shared), stageOf(0, 3), {}, 1).backward(1, true).highest.workspace / kTensor, 2);
}

}  // namespace
}  // namespace lanelab::test
