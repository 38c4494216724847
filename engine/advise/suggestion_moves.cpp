// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/suggestion_moves.h"

#include <optional>

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
  Mover(const Experiment& experiment, const ModelSpec& model, const VariantConfig& variant, const VariantPlan& plan)
      : m_experiment(experiment), m_model(model), m_variant(variant), m_plan(plan) {}

  std::vector<BlockMove> moves() {
    for (std::size_t s = 0; s + 1 < m_plan.stages.size(); ++s) {
      const Stage &before = m_plan.stages[s], &after = m_plan.stages[s + 1];
      if (before.lane == after.lane ||
          !alike(m_experiment.lanes[before.lane.index()], m_experiment.lanes[after.lane.index()]))
        continue;
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
    BlockMove move{m_variant, "Move " + listed(m_model, first, end) + " to lane " + std::to_string(lane.value)};
    const bool onward = lane == m_plan.stages[boundary + 1].lane;
    if (move.variant.placement) {
      for (std::size_t i = first; i < end; ++i) (*move.variant.placement)[m_model.blocks[i].name] = lane.value;
    } else if (move.variant.cuts && boundary < move.variant.cuts->size()) {
      (*move.variant.cuts)[boundary] = m_model.blocks[onward ? first : end].name;
    } else {
      return;
    }
    m_moves.push_back(std::move(move));
  }

  const Experiment& m_experiment;
  const ModelSpec& m_model;
  const VariantConfig& m_variant;
  const VariantPlan& m_plan;
  std::vector<BlockMove> m_moves;
};

}  // namespace

std::vector<BlockMove> blockMoves(const Experiment& experiment, const ModelSpec& model, const VariantConfig& variant,
                                  const VariantPlan& plan) {
  return Mover(experiment, model, variant, plan).moves();
}

}  // namespace lanelab
