// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/inference/offloaded_blocks.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include "engine/networks/llama_program.h"
#include "engine/torch/files/tensor_file.h"
#include "engine/torch/graph/graph_stage.h"
#include "engine/torch/inference/block_inference.h"
#include "tests/support/temporary_folder.h"

namespace lanelab {
namespace {

constexpr std::int64_t kVocabulary = 20, kHidden = 8, kInner = 12;
constexpr std::int64_t kTable = kVocabulary * kHidden * 4, kFrequencies = 2 * 4;
constexpr const char *kEmbedding = "model.embed_tokens.weight", *kHead = "lm_head.weight";

LlamaConfig small(bool tied) {
  LlamaConfig config;
  config.vocabulary = kVocabulary;
  config.hidden = kHidden;
  config.intermediate = kInner;
  config.layers = 1;
  config.heads = config.key_value_heads = 2;
  config.head_size = 4;
  config.tied = tied;
  return config;
}

/// A Llama of one layer with its weights in a file.
class OffloadedLlama {
 public:
  explicit OffloadedLlama(bool tied, at::ScalarType type = at::kFloat)
      : m_network(llamaNetwork(small(tied))), m_file("weights.safetensors") {
    blocks = eachBlock(graphStages(m_network, {}, GraphUse::Inference), m_network->blocks.blocks.size()).value();
    NamedTensors tensors;
    for (const TensorSlot& slot : slotsOfAll(blocks)) tensors.emplace_back(slot.name, at::randn(slot.shape).to(type));
    EXPECT_TRUE(writeSafetensors(m_file.path, tensors).ok());
  }

  OffloadPlan plan(MapDevice::Kind where, bool int8 = false) const {
    DeviceMap map;
    map.places[""] = {where, 0};
    return {ComputeDevices(map, 0), at::MemoryFormat::Contiguous, int8};
  }
  WeightBytes bytes(const OffloadPlan& plan) const { return weightBytes(blocks, plan); }
  std::unique_ptr<OffloadedBlocks> install(const OffloadPlan& plan) const {
    return OffloadedBlocks::install(blocks, stored(), "file", plan, 2).value();
  }
  StoredWeights stored() const { return mapSafetensors(m_file.path).value(); }

  /// The tensor that the block has under this name now.
  at::Tensor held(std::size_t block, const std::string& name) const {
    for (const TensorSlot& slot : blocks[block]->slots())
      if (slot.name == name) return *slot.tensor;
    ADD_FAILURE() << "block " << block << " has no " << name;
    return {};
  }

  BlockModules blocks;

 private:
  std::shared_ptr<const ExportedNetwork> m_network;
  test::TemporaryFile m_file;
};

bool isIn(const std::vector<std::shared_ptr<const FileMapping>>& files, const at::Tensor& tensor) {
  return files.front()->offsetOf(tensor.const_data_ptr()).has_value();
}

TEST(OffloadedBlocks, WhatTheFileHoldsInTheRightTypeIsAViewOfIt) {
  const at::NoGradGuard no_grad;
  for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
    const OffloadedLlama llama(/*tied=*/false, type);
    const StoredWeights stored = llama.stored();
    StoredWeights given = stored;
    const auto offloaded =
        OffloadedBlocks::install(llama.blocks, std::move(given), "file", llama.plan(MapDevice::Kind::Cpu), 1).value();
    const at::Tensor head = llama.held(llama.blocks.size() - 1, kHead);
    EXPECT_EQ(isIn(stored.files, head), type == at::kFloat) << c10::toString(type);
    EXPECT_EQ(head.scalar_type(), at::kFloat);
    EXPECT_TRUE(at::equal(head, stored.tensors.at(kHead).to(at::kFloat)));
  }
}

TEST(OffloadedBlocks, CountBytesByWhereTheyAre) {
  constexpr std::int64_t kAttention = 4 * kHidden * kHidden * 4, kMlp = 3 * kHidden * kInner * 4,
                         kNormBytes = kHidden * 4;
  constexpr std::int64_t kBetween = kAttention + kMlp + 3 * kNormBytes + kFrequencies;
  struct Case {
    bool tied;
    at::ScalarType type;
    std::int64_t resident, offloaded, in_flight;  ///< the first in memory, the others on disk
  };
  for (const Case& each : {Case{false, at::kFloat, kBetween + 2 * kTable, kBetween + kTable, 2 * kMlp},
                           Case{true, at::kFloat, kBetween + kTable, kBetween + kTable, 2 * kMlp},
                           Case{false, at::kHalf, kBetween + 2 * kTable, kBetween + kTable, 2 * kMlp}}) {
    const OffloadedLlama llama(each.tied, each.type);
    const WeightBytes kept = llama.bytes(llama.plan(MapDevice::Kind::Cpu)),
                      fetched = llama.bytes(llama.plan(MapDevice::Kind::Disk));
    EXPECT_EQ(kept.resident, each.resident);
    EXPECT_EQ(kept.offloaded, 0);
    EXPECT_EQ(fetched.resident, 0);
    EXPECT_EQ(fetched.offloaded, each.offloaded);
    EXPECT_EQ(fetched.most_in_flight, each.in_flight);
    const WeightBytes small = llama.bytes(llama.plan(MapDevice::Kind::Cpu, /*int8=*/true));
    EXPECT_EQ(small.resident + small.saved_by_int8, each.resident);
    EXPECT_EQ(small.saved_by_int8, (kAttention + kMlp + (each.tied ? 0 : kTable)) / 4 * 3 -
                                       4 * (5 * kHidden + 2 * kInner + (each.tied ? 0 : kVocabulary)));
  }
}

TEST(OffloadedBlocks, AreWholeWhileTheyAreHeld) {
  const at::NoGradGuard no_grad;
  const OffloadedLlama llama(/*tied=*/true);
  const StoredWeights stored = llama.stored();
  const auto offloaded = llama.install(llama.plan(MapDevice::Kind::Disk));
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t i = 0; i < llama.blocks.size(); ++i) {
      const auto held = offloaded->bring(i);
      for (const TensorSlot& slot : llama.blocks[i]->slots())
        EXPECT_TRUE(at::equal(*slot.tensor, stored.tensors.at(slot.name))) << slot.name;
    }
    EXPECT_FALSE(llama.held(llama.blocks.size() - 1, kEmbedding).defined()) << "the head went with its block";
    EXPECT_TRUE(llama.held(0, kEmbedding).defined()) << "rows are looked up in the file";
  }
}

}  // namespace
}  // namespace lanelab
