// SPDX-License-Identifier: GPL-3.0-only
#include "engine/placement/placement.h"

#include <algorithm>

#include "base/text.h"

namespace lanelab {
namespace {

Result<BlockId> findCut(const ModelSpec& model, const std::string& cut) {
  if (const auto block = model.find(cut)) return *block;
  std::vector<std::string> names;
  for (const BlockSpec& block : model.blocks) names.push_back(block.name);
  const std::string near = nearestName(cut, names);
  return Error::badInput("Unknown block \"{}\" in cuts: {}", cut,
                         near.empty()
                             ? "the blocks of " + model.arch + " are " + names.front() + " ... " + names.back() + "."
                             : "did you mean \"" + near + "\"?");
}

}  // namespace

std::vector<Stage> stagesOf(const Placement& placement, const std::vector<BlockId>& cuts) {
  std::vector<Stage> stages;
  const auto& lanes = placement.lane_of_block;
  for (std::size_t b = 0; b < lanes.size(); ++b) {
    const bool cut = std::ranges::find(cuts, BlockId(b)) != cuts.end();
    if (b == 0 || cut || lanes[b] != lanes[b - 1])
      stages.push_back({StageId(stages.size()), lanes[b], BlockId(b), BlockId(b)});
    stages.back().end = BlockId(b + 1);
  }
  return stages;
}

std::vector<std::string> cutNames(const ModelSpec& model, const Placement& placement) {
  std::vector<std::string> names;
  for (const Stage& stage : stagesOf(placement)) {
    if (stage.id.value > 0) names.push_back(model.blocks[stage.first.index()].name);
  }
  return names;
}

Result<Placement> placementFromCuts(const ModelSpec& model, const std::vector<std::string>& cuts,
                                    const std::vector<LaneId>& lanes) {
  if (cuts.size() + 1 > lanes.size()) {
    return Error::badInput("{}{}{} stages, but there {}: remove cuts or add lanes.", cuts.size(),
                           cuts.size() == 1 ? " cut makes " : " cuts make ", cuts.size() + 1,
                           lanes.size() == 1 ? "is 1 lane" : "are " + std::to_string(lanes.size()) + " lanes");
  }
  Placement placement;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const Result<BlockId> block = findCut(model, cuts[i]);
    if (!block.ok()) return block.error();
    if (block->value == 0) {
      return Error::badInput("The cut \"{}\" is before the first block and leaves stage 0 empty. Remove it.", cuts[i]);
    }
    const std::size_t done = placement.lane_of_block.size();
    if (block->index() <= done && i > 0) {
      return Error::badInput(
          "The cut \"{}\" does not come after \"{}\" in {}: list each cut once, in the model's order.", cuts[i],
          cuts[i - 1], model.arch);
    }
    placement.lane_of_block.resize(block->index(), lanes[i]);
  }
  placement.lane_of_block.resize(model.blocks.size(), lanes[cuts.size()]);
  return placement;
}

StageCost costOf(const ModelSpec& model, const Stage& stage) {
  StageCost cost;
  for (std::size_t b = stage.first.index(); b < stage.end.index(); ++b) {
    const BlockSpec& block = model.blocks[b];
    cost.parameters += block.parameters;
    cost.frozen_parameters += block.frozen_parameters;
    cost.macs += block.macs;
    cost.parameter_bytes += block.parameter_bytes;
    cost.activation_bytes += block.activation_bytes;
  }
  if (stage.first.index() < stage.end.index())
    cost.activation_bytes += model.blocks[stage.first.index()].received_bytes;
  if (stage.end.index() > 0 && stage.end.index() < model.blocks.size())
    cost.boundary_bytes = model.blocks[stage.end.index() - 1].output_bytes;
  return cost;
}

}  // namespace lanelab
