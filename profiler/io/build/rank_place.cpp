// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/rank_place.h"

#include <algorithm>
#include <optional>

namespace lanelab {

namespace {

/// In the largest group of that kind.
std::optional<int> placeIn(GroupKind kind, int rank, const std::vector<ProcessGroup>& groups) {
  std::optional<int> place;
  std::size_t largest = 1;
  for (const ProcessGroup& group : groups) {
    const auto found = std::ranges::find(group.ranks, rank);
    if (group.kind != kind || found == group.ranks.end() || group.ranks.size() <= largest) continue;
    largest = group.ranks.size();
    place = static_cast<int>(found - group.ranks.begin());
  }
  return place;
}

}  // namespace

RankPlace placeOfRank(int rank, const std::vector<ProcessGroup>& groups) {
  const std::optional<int> stage = placeIn(GroupKind::Pipeline, rank, groups);
  const bool others = std::ranges::any_of(groups, [](const ProcessGroup& group) {
    return group.kind != GroupKind::Unknown && group.kind != GroupKind::World;
  });
  return {stage.value_or(others ? 0 : rank), placeIn(GroupKind::Data, rank, groups).value_or(0)};
}

}  // namespace lanelab
