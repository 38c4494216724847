// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/edits/variant_edits.h"

#include <algorithm>

#include "base/text.h"
#include "engine/experiment/edits/lane_edits.h"

namespace lanelab {

void dropStaleSuggestions(const Experiment& before, Experiment& after) {
  const auto named = [](const Experiment& experiment, const std::string& name) {
    const auto found = std::ranges::find(experiment.variants, name, &VariantConfig::name);
    return found == experiment.variants.end() ? nullptr : &*found;
  };
  const auto same = [&](const std::string& name) {
    const VariantConfig *old = named(before, name), *now = named(after, name);
    return old != nullptr && now != nullptr && *old == *now;
  };
  TrainingConfig training = after.training;
  training.seed = before.training.seed;
  const bool common = after.model == before.model && after.data.shape == before.data.shape &&
                      after.data.batch == before.data.batch && training == before.training &&
                      withoutMemoryLimits(after.lanes) == withoutMemoryLimits(before.lanes);
  for (VariantConfig& variant : after.variants) {
    if (!variant.suggested_from) continue;
    const bool is_new = named(before, variant.name) == nullptr;
    if (!common || (!is_new && !same(variant.name)) || !same(variant.suggested_from->of))
      variant.suggested_from.reset();
  }
}

std::string freeVariantName(const Experiment& experiment, const std::string& name) {
  const auto taken = [&](const std::string& wanted) {
    return std::ranges::any_of(experiment.variants, [&](const auto& v) { return slug(v.name) == slug(wanted); });
  };
  std::string candidate = name;
  for (int number = 2; taken(candidate); ++number) candidate = name + " " + std::to_string(number);
  return candidate;
}

}  // namespace lanelab
