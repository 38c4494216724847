// SPDX-License-Identifier: GPL-3.0-only
#include "engine/placement/tied_stages.h"

#include <algorithm>
#include <utility>

namespace lanelab {

TiedStages tiedStages(const ModelSpec& model, const std::vector<Stage>& stages) {
  TiedStages tied;
  for (const SharedParameter& shared : model.shared) {
    std::vector<StageId> users;
    for (const Stage& stage : stages) {
      const auto uses = [&](BlockId block) { return block >= stage.first && block < stage.end; };
      if (std::ranges::any_of(shared.blocks, uses)) users.push_back(stage.id);
    }
    if (shared.trained && users.size() > 1) tied.emplace(shared.name, std::move(users));
  }
  return tied;
}

}  // namespace lanelab
