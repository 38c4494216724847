// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/suggestion_moves.h"

#include "base/text.h"

namespace lanelab {
namespace {

constexpr int kMostMoved = 3;

bool alike(const LaneConfig& a, const LaneConfig& b) {
  return a.threads == b.threads && a.device.kind == b.device.kind;
}

std::string wordsOf(const ModelSpec& model, std::size_t first, std::size_t end, LaneId lane) {
  std::vector<std::string> names;
  for (std::size_t i = first; i < end; ++i) names.push_back(model.blocks[i].name);
  return "Move " + joinAnd(names) + " to lane " + std::to_string(lane.value);
}

}  // namespace

std::vector<BlockMove> blockMoves(const ResolvedVariant& variant) {
  const ModelSpec& model = variant.model();
  const std::vector<LaneConfig>& lanes = variant.experiment().lanes;
  const std::vector<Stage>& stages = variant.stages();
  std::vector<BlockMove> moves;
  for (std::size_t boundary = 0; boundary + 1 < stages.size(); ++boundary) {
    const Stage &before = stages[boundary], &after = stages[boundary + 1];
    if (before.lane == after.lane || !alike(lanes[before.lane.index()], lanes[after.lane.index()])) continue;
    // Blocks [first, end) at the boundary go to `lane`; `cut` is where its stages meet then.
    const auto add = [&](std::size_t first, std::size_t end, LaneId lane, std::size_t cut) {
      BlockMove move{variant.config(), wordsOf(model, first, end, lane)};
      if (move.variant.placement) {
        for (std::size_t i = first; i < end; ++i) (*move.variant.placement)[model.blocks[i].name] = lane.value;
      } else if (move.variant.cuts && boundary < move.variant.cuts->size()) {
        (*move.variant.cuts)[boundary] = model.blocks[cut].name;
      } else {
        return;
      }
      moves.push_back(std::move(move));
    };
    const std::size_t cut = after.first.index();
    for (std::size_t count = 1; count <= kMostMoved && cut + count < after.end.index(); ++count)
      add(cut, cut + count, before.lane, cut + count);
    for (std::size_t count = 1; count <= kMostMoved && cut - count > before.first.index(); ++count)
      add(cut - count, cut, after.lane, cut - count);
  }
  return moves;
}

}  // namespace lanelab
