// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/suggestion_moves.h"

namespace lanelab {
namespace {

constexpr int kMostMoved = 3;

bool alike(const LaneConfig& a, const LaneConfig& b) {
  return a.threads == b.threads && a.device.kind == b.device.kind;
}

std::string listed(const ModelSpec& model, std::size_t first, std::size_t end) {
  std::string text;
  for (std::size_t i = first; i < end; ++i)
    text += (i == first ? "" : i + 1 == end ? " and " : ", ") + model.blocks[i].name;
  return text;
}

class Mover {
 public:
  explicit Mover(const ResolvedVariant& variant) : m_variant(variant), m_stages(variant.stages()) {}

  std::vector<BlockMove> moves() {
    const std::vector<LaneConfig>& lanes = m_variant.experiment().lanes;
    for (std::size_t s = 0; s + 1 < m_stages.size(); ++s) {
      const Stage &before = m_stages[s], &after = m_stages[s + 1];
      if (before.lane == after.lane || !alike(lanes[before.lane.index()], lanes[after.lane.index()])) continue;
      const std::size_t cut = after.first.index();
      for (std::size_t count = 1; count <= kMostMoved && cut + count < after.end.index(); ++count)
        add(s, cut, cut + count, before.lane);
      for (std::size_t count = 1; count <= kMostMoved && cut - count > before.first.index(); ++count)
        add(s, cut - count, cut, after.lane);
    }
    return std::move(m_moves);
  }

 private:
  /// Blocks [first, end) at the boundary after stage `boundary` go to `lane`.
  void add(std::size_t boundary, std::size_t first, std::size_t end, LaneId lane) {
    const ModelSpec& model = m_variant.model();
    BlockMove move{m_variant.config(), "Move " + listed(model, first, end) + " to lane " + std::to_string(lane.value)};
    const bool onward = lane == m_stages[boundary + 1].lane;
    if (move.variant.placement) {
      for (std::size_t i = first; i < end; ++i) (*move.variant.placement)[model.blocks[i].name] = lane.value;
    } else if (move.variant.cuts && boundary < move.variant.cuts->size()) {
      (*move.variant.cuts)[boundary] = model.blocks[onward ? first : end].name;
    } else {
      return;
    }
    m_moves.push_back(std::move(move));
  }

  const ResolvedVariant& m_variant;
  const std::vector<Stage>& m_stages;
  std::vector<BlockMove> m_moves;
};

}  // namespace

std::vector<BlockMove> blockMoves(const ResolvedVariant& variant) { return Mover(variant).moves(); }

}  // namespace lanelab
