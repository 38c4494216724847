// SPDX-License-Identifier: GPL-3.0-only
// Which block made an autograd node, and whose operators run on which thread.
#include <ATen/ThreadLocalState.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/tanh.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <torch/csrc/autograd/function.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "engine/torch/record/operator_recorder.h"

namespace lanelab {
namespace {

constexpr int kBlocks = 6;
constexpr int kMicroBatches = 4;

Action actionOf(ActionKind kind, int k) { return {StageId{0}, kind, MicroBatchId{k}}; }

/// Convolution, batch norm, ReLU.
struct SmallBlock {
  at::Tensor weight = at::rand({4, 4, 3, 3}).requires_grad_();
  at::Tensor scale = at::ones({4}).requires_grad_();

  at::Tensor forward(const at::Tensor& input) const {
    const at::Tensor y = at::conv2d(input, weight, {}, 1, 1);
    return at::relu(at::batch_norm(y, scale, {}, {}, {}, /*training=*/true, 0.1, 1e-5, /*cudnn_enabled=*/false));
  }
};

/// The nodes between a block's output and its input, without those that collect gradients.
std::set<torch::autograd::Node*> nodesBetween(const at::Tensor& output, const at::Tensor& input) {
  std::set<torch::autograd::Node*> found;
  std::vector<torch::autograd::Node*> open{output.grad_fn().get()};
  while (!open.empty()) {
    torch::autograd::Node* const node = open.back();
    open.pop_back();
    if (!node || node == input.grad_fn().get() || node->name() == "torch::autograd::AccumulateGrad" ||
        !found.insert(node).second)
      continue;
    for (const auto& edge : node->next_edges()) open.push_back(edge.function.get());
  }
  return found;
}

TEST(NodeOwners, FindTheBlockAndMicroBatchOfEveryNode) {
  const std::vector<SmallBlock> blocks(kBlocks);
  NodeOwners owners;
  std::map<torch::autograd::Node*, NodeOwner> truth;
  std::vector<at::Tensor> losses;
  for (int k = 0; k < kMicroBatches; ++k) {
    at::Tensor x = at::rand({2, 4, 8, 8}).requires_grad_();
    for (int b = 0; b < kBlocks; ++b) {
      const NodeOwner owner{actionOf(ActionKind::Forward, k), 7, static_cast<std::uint32_t>(b)};
      owners.begin(owner);
      const at::Tensor y = blocks[static_cast<std::size_t>(b)].forward(x);
      owners.end();
      for (auto* const node : nodesBetween(y, x)) truth[node] = owner;
      x = y;
    }
    losses.push_back(x.sum());
  }
  int right = 0;
  for (const auto& [node, owner] : truth) {
    const NodeOwner* const found = owners.ownerOf(static_cast<std::int64_t>(node->sequence_nr()));
    right += found && *found == owner;
  }
  EXPECT_EQ(truth.size(), 72u);
  EXPECT_EQ(right, 72);
  for (const at::Tensor& loss : losses)
    EXPECT_EQ(owners.ownerOf(static_cast<std::int64_t>(loss.grad_fn()->sequence_nr())), nullptr);
  EXPECT_EQ(owners.ownerOf(-1), nullptr) << "gradient accumulation has no number";
  owners.forget();
  EXPECT_EQ(owners.ownerOf(static_cast<std::int64_t>(truth.begin()->first->sequence_nr())), nullptr);
}

// A block of one operator, so that the name of its node tells which block and micro-batch it was.
using Operator = at::Tensor (*)(const at::Tensor&);
struct Marked {
  Operator run;
  const char* node;
};
constexpr std::array<std::array<Marked, 3>, 2> kMarked = {{
    {{{[](const at::Tensor& x) { return at::relu(x); }, "ReluBackward0"},
      {[](const at::Tensor& x) { return at::sigmoid(x); }, "SigmoidBackward0"},
      {[](const at::Tensor& x) { return at::tanh(x); }, "TanhBackward0"}}},
    {{{[](const at::Tensor& x) { return at::exp(x); }, "ExpBackward0"},
      {[](const at::Tensor& x) { return at::cos(x); }, "CosBackward0"},
      {[](const at::Tensor& x) { return at::sin(x); }, "SinBackward0"}}},
}};

const Track* trackNamed(const Trace& trace, const std::string& name) {
  const auto found =
      std::find_if(trace.tracks.begin(), trace.tracks.end(), [&](const Track& track) { return track.name == name; });
  return found == trace.tracks.end() ? nullptr : &*found;
}

/// Whether the span named `inner` lies within one named `outer` of the same micro-batch.
bool encloses(const Trace& trace, const Track& track, const std::string& outer, const Span& inner) {
  return std::any_of(track.spans.begin(), track.spans.end(), [&](const Span& span) {
    return trace.nameOf(span) == outer && span.micro_batch == inner.micro_batch && span.phase == inner.phase &&
           span.start <= inner.start && inner.end <= span.end;
  });
}

/// Two micro-batches of three blocks whose backwards interleave, with the gradients of a weight a block.
struct InterleavedWork {
  std::vector<at::Tensor> weights;
  at::Tensor sum;

  InterleavedWork(OperatorRecorder& recorder, TraceBuilder& builder) {
    std::array<at::Tensor, 2> x{at::rand({8, 8}), at::rand({8, 8})};
    for (std::size_t b = 0; b < 3; ++b) weights.push_back(at::rand({8, 8}).requires_grad_());
    for (std::size_t b = 0; b < 3; ++b) {
      for (std::size_t k = 0; k < 2; ++k) {
        recorder.beginAction(5, actionOf(ActionKind::Forward, static_cast<int>(k)));
        recorder.beginBlock(builder.intern("block" + std::to_string(b)));
        x[k] = kMarked[k][b].run(x[k].mul(weights[b]));
        recorder.endBlock();
        recorder.endAction();
      }
    }
    sum = x[0].add(x[1]).sum();
  }
};

/// `micro_batch`: of all spans; -1: of each its own.
void expectRightBlocks(const Trace& trace, const Track& track, int micro_batch) {
  int nodes = 0, accumulations = 0;
  for (const Span& span : track.spans) {
    EXPECT_EQ(span.category, Category::CpuOp);
    EXPECT_EQ(span.step, 5) << trace.nameOf(span);
    accumulations += trace.nameOf(span) == "torch::autograd::AccumulateGrad";
    for (std::size_t k = 0; k < 2; ++k) {
      for (std::size_t b = 0; b < 3; ++b) {
        if (trace.nameOf(span) != kMarked[k][b].node) continue;
        ++nodes;
        EXPECT_EQ(span.micro_batch, micro_batch < 0 ? static_cast<int>(k) : micro_batch) << trace.nameOf(span);
        EXPECT_TRUE(encloses(trace, track, "block" + std::to_string(b), span)) << trace.nameOf(span);
      }
    }
  }
  EXPECT_EQ(nodes, 6);
  EXPECT_EQ(accumulations, 3);
}

TEST(OperatorRecorder, NamesTheBlockAndMicroBatchOfNodesThatRunOnAnotherThread) {
  TraceBuilder builder("other thread", {{"a", "cpu:0"}});
  {
    OperatorRecorder recorder(builder, LaneId(0), std::nullopt);
    const InterleavedWork work(recorder, builder);
    recorder.beginAction(5, actionOf(ActionKind::Backward, 0));
    // As autograd's engine does on the thread that it has for a GPU.
    std::thread device([&, state = at::ThreadLocalState()] {
      pthread_setname_np(pthread_self(), "pt_autograd_1");
      const at::ThreadLocalStateGuard same(state);
      work.sum.backward();
    });
    device.join();
    recorder.endAction();
  }
  const auto trace = builder.snapshot();
  const Track* const track = trackNamed(*trace, "autograd cuda:1");
  ASSERT_NE(track, nullptr);
  EXPECT_EQ(track->kind, Track::Kind::Host);
  EXPECT_EQ(track->lane, 0);
  for (const Span& span : track->spans) EXPECT_EQ(span.phase, Phase::Backward);
  expectRightBlocks(*trace, *track, -1);
}

TEST(OperatorRecorder, OnALaneWhoseBlocksAreTimedElsewhereEnclosesOperatorsByBlock) {
  TraceBuilder builder("own thread", {{"a", "cpu:0"}});
  {
    OperatorRecorder recorder(builder, LaneId(0), std::nullopt);
    const InterleavedWork work(recorder, builder);
    recorder.beginAction(5, actionOf(ActionKind::Backward, 0));
    work.sum.backward();
    recorder.endAction();
    at::rand({2}).add(1);  // between actions: nobody's
  }
  const auto trace = builder.snapshot();
  const Track* const track = trackNamed(*trace, "operators");
  ASSERT_NE(track, nullptr);
  std::map<std::string, int> forwards;
  for (const Span& span : track->spans) {
    if (span.phase == Phase::Forward) ++forwards[trace->nameOf(span)];
    if (trace->nameOf(span) != "aten::mul" || span.phase != Phase::Forward) continue;
    EXPECT_TRUE(encloses(*trace, *track, "block0", span) || encloses(*trace, *track, "block1", span) ||
                encloses(*trace, *track, "block2", span));
  }
  EXPECT_EQ(forwards["block0"], 2);
  EXPECT_EQ(forwards["aten::mul"], 6);
  EXPECT_EQ(forwards["aten::relu"], 1);
  expectRightBlocks(*trace, *track, 0);
}

TEST(OperatorRecorder, LeavesOtherThreadsAlone) {
  TraceBuilder builder("stranger", {{"a", "cpu:0"}});
  {
    OperatorRecorder recorder(builder, LaneId(0), std::nullopt);
    recorder.beginAction(5, actionOf(ActionKind::Forward, 0));
    std::thread stranger([state = at::ThreadLocalState()] {
      at::rand({2}).add(1);
      const at::ThreadLocalStateGuard same(state);
      at::rand({2}).add(1);  // forward work of nobody's node
    });
    stranger.join();
    recorder.endAction();
  }
  EXPECT_EQ(builder.snapshot()->spanCount(), 0u);
}

TEST(OperatorRecorder, KeepsNamesThatDieWithTheirOperator) {
  TraceBuilder builder("names", {{"a", "cpu:0"}});
  {
    OperatorRecorder recorder(builder, LaneId(0), std::nullopt);
    recorder.beginAction(0, actionOf(ActionKind::Forward, 0));
    for (const char* const name : {"first of many", "second of many"}) {
      std::string text = name;
      { RECORD_FUNCTION(text, c10::ArrayRef<const c10::IValue>{}); }
      text.assign(text.size(), '#');
    }
    recorder.endAction();
  }
  const auto trace = builder.snapshot();
  std::set<std::string> names;
  for (const Track& track : trace->tracks)
    for (const Span& span : track.spans) names.insert(trace->nameOf(span));
  EXPECT_EQ(names, (std::set<std::string>{"first of many", "second of many"}));
}

}  // namespace
}  // namespace lanelab
