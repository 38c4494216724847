// SPDX-License-Identifier: GPL-3.0-only
// In which order the warm-ups and repeats of a run's variants are done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/experiment/experiment.h"

namespace lanelab {

/// One unit of work: a warm-up or a counted repeat of a variant.
struct RunUnit {
  std::size_t variant = 0;
  int repeat = 0;
  bool warmup = false;
};

/// All warm-ups, then the counted repeats as interleave() has them.
std::vector<RunUnit> orderedUnits(const Experiment& experiment);

/// Order of the counted repeats: each round holds every variant once, shuffled by `seed`.
std::vector<int> interleave(int variants, int repeats, std::uint64_t seed);

}  // namespace lanelab
