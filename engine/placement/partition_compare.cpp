// SPDX-License-Identifier: GPL-3.0-only
#include "engine/placement/partition_compare.h"

#include <cassert>
#include <functional>

namespace lanelab {
namespace {

Result<std::vector<BlockId>> sharedEvenly(const PartitionProblem& problem, const ModelSpec& model,
                                          const std::function<double(std::size_t)>& measure) {
  PartitionProblem even;
  for (std::size_t i = 0; i < model.blocks.size(); ++i) even.blocks.push_back({model.blocks[i].name, measure(i)});
  even.slowness.assign(problem.slowness.size(), 1);
  even.lane_of_stage = problem.lane_of_stage;
  const Result<Partition> answer = partition(even);
  if (!answer.ok()) return answer.error();
  return answer->cuts;
}

double bytesOf(const BlockSpec& block, const ThumbMemory& memory) {
  const std::int64_t trained = block.parameter_bytes - block.frozen_bytes;
  return static_cast<double>(block.parameter_bytes + block.buffer_bytes + trained * (1 + memory.optimizer_states) +
                             block.activation_bytes * memory.samples);
}

}  // namespace

Result<std::vector<NamedPartition>> comparePartitions(const PartitionProblem& problem, const ModelSpec& model,
                                                      const ThumbMemory& memory) {
  assert(problem.blocks.size() == model.blocks.size());
  const Result<Partition> best = partition(problem);
  if (!best.ok()) return best.error();
  std::vector<NamedPartition> rows = {{"measured time", *best}};
  const std::pair<const char*, std::function<double(std::size_t)>> measures[] = {
      {"MACs", [&](std::size_t i) { return static_cast<double>(model.blocks[i].macs); }},
      {"parameters", [&](std::size_t i) { return static_cast<double>(model.blocks[i].parameters); }},
      {"memory", [&](std::size_t i) { return bytesOf(model.blocks[i], memory); }},
  };
  for (const auto& [name, measure] : measures) {
    const Result<std::vector<BlockId>> cuts = sharedEvenly(problem, model, measure);
    if (!cuts.ok()) return cuts.error();
    rows.push_back({name, evaluatePartition(problem, *cuts)});
  }
  const auto tutorial = model.find("layer3.0");
  if (tutorial && problem.lane_of_stage.size() == 2)
    rows.push_back({"tutorial", evaluatePartition(problem, {*tutorial})});
  return rows;
}

}  // namespace lanelab
