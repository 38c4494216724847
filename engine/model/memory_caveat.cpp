// SPDX-License-Identifier: GPL-3.0-only
#include "engine/model/memory_caveat.h"

#include <algorithm>

#include "base/text.h"

namespace lanelab {

std::string memoryCaveat(const ModelSpec& model) {
  constexpr std::size_t kNamed = 8;
  const std::vector<std::string>& all = model.unknown_operators;
  if (all.empty()) return {};
  std::vector<std::string> names(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(kNamed, all.size())));
  if (all.size() > kNamed) names.push_back(std::to_string(all.size() - kNamed) + " more");
  return "Forecasts of memory are a lower bound: what " + joinAnd(names) + (all.size() == 1 ? " takes" : " take") +
         " in training is not known, and only the tensors that " +
         (all.size() == 1 ? "it reads and makes" : "they read and make") + " are counted.";
}

}  // namespace lanelab
