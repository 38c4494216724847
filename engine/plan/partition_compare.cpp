#include "engine/plan/partition_compare.h"

#include <cassert>
#include <functional>

namespace lanelab {
namespace {

Result<std::vector<BlockId>> sharedEvenly(const PartitionProblem& problem, const ModelSpec& model,
                                          const std::function<double(const BlockSpec&)>& measure) {
  std::vector<PartitionBlock> blocks;
  for (const BlockSpec& block : model.blocks) blocks.push_back({block.name, measure(block), 0, 0, 0});
  PartitionProblem even = plainProblem(std::move(blocks), {}, 0);
  even.lanes.resize(problem.lanes.size());
  even.lane_of_stage = problem.lane_of_stage;
  const Result<Partition> answer = partition(even);
  if (!answer.ok()) return answer.error();
  return answer->cuts;
}

}  // namespace

Result<std::vector<NamedPartition>> comparePartitions(const PartitionProblem& problem, const ModelSpec& model) {
  assert(problem.blocks.size() == model.blocks.size());
  const Result<Partition> best = partition(problem);
  if (!best.ok()) return best.error();
  std::vector<NamedPartition> rows = {{"measured time", *best}};
  const std::pair<const char*, std::function<double(const BlockSpec&)>> measures[] = {
      {"MACs", [](const BlockSpec& block) { return static_cast<double>(block.macs); }},
      {"parameters", [](const BlockSpec& block) { return static_cast<double>(block.parameters); }},
      {"memory", [](const BlockSpec& block) { return static_cast<double>(block.parameter_bytes + block.buffer_bytes + block.activation_bytes); }},
  };
  for (const auto& [name, measure] : measures) {
    const Result<std::vector<BlockId>> cuts = sharedEvenly(problem, model, measure);
    if (!cuts.ok()) return cuts.error();
    rows.push_back({name, evaluatePartition(problem, *cuts)});
  }
  const auto tutorial = model.find("layer3.0");
  if (tutorial && problem.lane_of_stage.size() == 2) rows.push_back({"tutorial", evaluatePartition(problem, {*tutorial})});
  return rows;
}

}  // namespace lanelab
