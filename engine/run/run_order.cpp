// SPDX-License-Identifier: GPL-3.0-only
#include "engine/run/run_order.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace lanelab {

std::vector<RunUnit> orderedUnits(const Experiment& experiment) {
  std::vector<RunUnit> units;
  const std::size_t variants = experiment.variants.size();
  for (std::size_t variant = 0; variant < variants; ++variant) {
    for (int repeat = 0; repeat < experiment.warmup; ++repeat) units.push_back({variant, repeat, true});
  }
  std::vector<int> done(variants, 0);
  for (const int variant : interleave(static_cast<int>(variants), experiment.repeats, experiment.training.seed)) {
    units.push_back({static_cast<std::size_t>(variant), done[static_cast<std::size_t>(variant)]++, false});
  }
  return units;
}

std::vector<int> interleave(int variants, int repeats, std::uint64_t seed) {
  std::vector<int> round(static_cast<std::size_t>(std::max(0, variants)));
  std::iota(round.begin(), round.end(), 0);
  std::vector<int> order;
  std::mt19937_64 random(seed);
  for (int repeat = 0; repeat < repeats; ++repeat) {
    // Fisher and Yates' shuffle, written out since std::shuffle differs between libraries and the order shall not.
    for (std::size_t i = round.size(); i > 1; --i) std::swap(round[i - 1], round[random() % i]);
    order.insert(order.end(), round.begin(), round.end());
  }
  return order;
}

}  // namespace lanelab
