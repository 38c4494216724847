// SPDX-License-Identifier: GPL-3.0-only
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/whole_file.h"
#include "engine/networks/llama_program.h"
#include "engine/torch/graph/graph_stage.h"
#include "engine/torch/inference/inference.h"
#include "engine/torch/inference/key_value_cache.h"
#include "tests/support/seen_progress.h"

namespace lanelab {
namespace {

const std::string kTiny = LANELAB_SOURCE_DIR "/resources/models/tiny-llama/";

LlamaQuestion counting(MapDevice::Kind where) {
  LlamaQuestion question;
  question.config = *parseLlamaConfig(*readWholeFile(kTiny + "config.json", 1 << 20), "config");
  question.weights = kTiny + "model.safetensors";
  question.prompt = {7, 8, 9};
  question.map.places[""] = {where, 0};
  question.generate = 12;
  return question;
}

TEST(LlamaAnswer, GoesOnCountingWhereverTheWeightsLie) {
  std::vector<std::int64_t> numbers(12);
  std::iota(numbers.begin(), numbers.end(), 10);
  for (const MapDevice::Kind where : {MapDevice::Kind::Cpu, MapDevice::Kind::Disk}) {
    const auto answer = answerLlama(counting(where), {});
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_EQ(answer->tokens, numbers);
    EXPECT_EQ(answer->offloaded_bytes > 0, where == MapDevice::Kind::Disk);
    EXPECT_FALSE(answer->int8_error);
  }
  LlamaQuestion eight = counting(MapDevice::Kind::Cpu);
  eight.int8 = true;
  const auto answer = answerLlama(eight, {});
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer->tokens, numbers);
  EXPECT_GT(*answer->int8_error, 0);
}

TEST(LlamaAnswer, CountsTheComparisonOfEightBits) {
  std::vector<Progress> seen;
  LlamaQuestion question = counting(MapDevice::Kind::Cpu);
  question.int8 = true;
  ASSERT_TRUE(answerLlama(question, {test::into(seen)}).ok());
  test::expectSteadyProgress(seen);
  EXPECT_EQ(seen.front().total, 13) << "a pass more than tokens";
  EXPECT_EQ(seen.back().phase, "Comparing with the weights as they are");
}

TEST(LlamaAnswer, RefusesWithTheFix) {
  const auto problem = [](const std::function<void(LlamaQuestion&)>& change) {
    LlamaQuestion question = counting(MapDevice::Kind::Cpu);
    change(question);
    const auto answer = answerLlama(question, {});
    return answer.ok() ? "none" : answer.error().message;
  };
  EXPECT_NE(problem([](LlamaQuestion& q) { q.prompt = {5, 48}; }).find("tokens from 0 to 47"), std::string::npos);
  EXPECT_NE(problem([](LlamaQuestion& q) { q.prompt.clear(); }).find("prompt is empty"), std::string::npos);
  EXPECT_NE(problem([](LlamaQuestion& q) { q.weights = "none.safetensors"; }).find("none.safetensors"),
            std::string::npos);
}

TEST(LlamaAnswer, CountsItsTokensAndComputesNoneAfterACancel) {
  std::vector<Progress> seen;
  ASSERT_TRUE(answerLlama(counting(MapDevice::Kind::Cpu), {test::into(seen)}).ok());
  test::expectSteadyProgress(seen);
  EXPECT_EQ(seen.front().total, 12) << "tokens";
  test::CancelAfter cancel(4);
  const auto cancelled = answerLlama(counting(MapDevice::Kind::Cpu), cancel.control());
  ASSERT_FALSE(cancelled.ok());
  EXPECT_EQ(cancelled.error().kind, Error::Kind::Cancelled);
  EXPECT_EQ(cancel.seen(), 4);
}

/// The graph as it is, in one block and without a cache.
TEST(LlamaGraph, HasTheLogitsOfPassesWithACache) {
  const at::NoGradGuard no_grad;
  LlamaConfig config = counting(MapDevice::Kind::Cpu).config;
  config.type = ElementType::Float32;  // float16 rounds by the processor and the passes' lengths
  config.layers = 2;
  config.key_value_heads = 1;
  const auto network = llamaNetwork(config);
  const std::size_t blocks = network->blocks.blocks.size();
  KeyValueCache cache;
  const auto plain = wholeModule(graphStages(network, {}, GraphUse::Inference), blocks);
  const auto cached = wholeModule(
      graphStages(network, {}, GraphUse::Inference,
                  [&](std::size_t node) { return cache.operationFor(network->program.graph.nodes[node], node); }),
      blocks);
  TensorMap weights;
  for (const TensorSlot& slot : plain->slots()) weights[slot.name] = at::randn(slot.shape);
  for (StageModule* const module : {plain.get(), cached.get()})
    installWeights(module->slots(), weights, at::kCPU, at::MemoryFormat::Contiguous);
  const at::Tensor ids = at::randint(config.vocabulary, {3, 9}, at::TensorOptions().dtype(at::kLong));
  const at::Tensor wanted = plain->forward({ids}, /*training=*/false, nullptr).front();
  for (const std::vector<std::int64_t>& passes :
       {std::vector<std::int64_t>{9}, {6, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1}}) {
    cache.begin(9);
    std::int64_t past = 0;
    for (const std::int64_t tokens : passes) {
      const at::Tensor logits = cached->forward({ids.narrow(1, past, tokens)}, /*training=*/false, nullptr).front();
      EXPECT_LT((logits - wanted.narrow(1, past, tokens)).abs().max().item<double>(),
                1e-4 * wanted.abs().max().item<double>());
      cache.advance(tokens);
      past += tokens;
    }
  }
}

}  // namespace
}  // namespace lanelab
