// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/variant_placement.h"

#include <algorithm>

#include "base/text.h"
#include "engine/experiment/variant_schedule.h"

namespace lanelab {
namespace {

Placement placementByMap(const ModelSpec& model, const std::map<std::string, int>& lane_of, LaneId first, int lanes) {
  Placement placement;
  LaneId lane = first;
  for (const BlockSpec& block : model.blocks) {
    const auto found = lane_of.find(block.name);
    if (found != lane_of.end() && found->second >= 0 && found->second < lanes) lane = LaneId(found->second);
    placement.lane_of_block.push_back(lane);
  }
  return placement;
}

/// A word of the list about one block.
void checkPlacedBlock(const Experiment& experiment, const ModelSpec& model, const std::vector<std::string>& names,
                      const std::vector<LaneId>& allowed, const std::pair<const std::string, int>& entry,
                      const std::string& where, Problems& problems) {
  const auto& [block, lane] = entry;
  const std::string place = where + ".placement." + block;
  if (!model.find(block)) {
    const std::string nearest = nearestName(block, names);
    problems.add(place, "\"{}\" is not a block of {}{}", block, model.arch,
                 nearest.empty() ? ". Blocks go from " + names.front() + " to " + names.back() + "."
                                 : ". Did you mean \"" + nearest + "\"?");
  } else if (std::find(allowed.begin(), allowed.end(), LaneId(lane)) == allowed.end()) {
    problems.add(place,
                 "Block {} is on lane {}, which is not a lane of this variant; lanes are counted from 0 and the "
                 "experiment has {}.",
                 block, lane, experiment.lanes.size());
  }
}

void checkList(const Experiment& experiment, const ModelSpec& model, const std::map<std::string, int>& lane_of,
               const std::vector<LaneId>& allowed, const std::string& where, Problems& problems) {
  if (lane_of.size() > 2 * model.blocks.size())
    return problems.add(where + ".placement", "{} blocks are named, but {} has {}. Name each block of the model once.",
                        lane_of.size(), model.arch, model.blocks.size());
  std::vector<std::string> names, missing;
  for (const BlockSpec& block : model.blocks) {
    names.push_back(block.name);
    if (!lane_of.contains(block.name)) missing.push_back(block.name);
  }
  for (const auto& entry : lane_of) checkPlacedBlock(experiment, model, names, allowed, entry, where, problems);
  if (missing.empty()) return;
  problems.add(where + ".placement", "Block {}{} no lane. Name a lane for every block.", missing.front(),
               missing.size() > 1 ? " and " + std::to_string(missing.size() - 1) + " more have" : " has");
}

}  // namespace

Placement readPlacement(const Experiment& experiment, const ModelSpec& model, const ReplicaSplit& split) {
  const VariantConfig& one = split.one;
  const std::vector<LaneId>& lanes = split.lanes.front();
  if (one.strategy == Strategy::Single) return placementByCuts(model, {}, lanes);
  if (one.placement)
    return placementByMap(model, *one.placement, lanes.front(), static_cast<int>(experiment.lanes.size()));
  return placementByCuts(model, one.cuts.value_or(std::vector<std::string>{}), lanesForCuts(one, lanes));
}

Placement readPlacement(const Experiment& experiment, const ModelSpec& model, const VariantConfig& variant) {
  return readPlacement(experiment, model, replicaSplit(experiment, variant));
}

Placement placementByCuts(const ModelSpec& model, const std::vector<std::string>& cuts,
                          const std::vector<LaneId>& lanes) {
  Placement placement;
  std::size_t stage = 0;
  for (const BlockSpec& block : model.blocks) {
    if (stage < cuts.size() && block.name == cuts[stage]) ++stage;
    placement.lane_of_block.push_back(lanes[std::min(stage, lanes.size() - 1)]);
  }
  return placement;
}

void checkPlacement(const Experiment& experiment, const ModelSpec& model, const ReplicaSplit& split,
                    const std::string& where, Problems& problems) {
  const VariantConfig& one = split.one;
  if (one.strategy == Strategy::Single) {
    if ((one.cuts && !one.cuts->empty()) || one.placement)
      problems.add(
          where + (one.placement ? ".placement" : ".cuts"),
          "Single puts all blocks on its first lane. Leave cuts and placement out, or use the strategy pipeline.");
  } else if (one.cuts && one.placement) {
    problems.add(where + ".placement", "Both cuts and placement are given. Keep one of them.");
  } else if (one.placement) {
    checkList(experiment, model, *one.placement, split.lanes.front(), where, problems);
  } else if (!one.cuts) {
    problems.add(where + ".cuts", "A {} variant needs cuts, such as [\"{}\"], or a placement.", toWord(one.strategy),
                 model.blocks[model.blocks.size() / 2].name);
  } else if (const auto placed = placementFromCuts(model, *one.cuts, lanesForCuts(one, split.lanes.front()));
             !placed.ok()) {
    problems.add(where + ".cuts", placed.error());
  }
}

}  // namespace lanelab
