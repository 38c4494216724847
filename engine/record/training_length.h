// SPDX-License-Identifier: GPL-3.0-only
// How many steps and samples a repeat is.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/lanes/executor.h"

namespace lanelab {

struct TrainingLength {
  int steps = 0;
  std::int64_t samples = 0;           ///< a repeat
  std::vector<int> samples_per_step;  ///< of the steps of an epoch; of one step where there are none
};

/// What epochs of `rows` samples rule out (BadInput), for rows that the experiment alone does not tell; without epochs,
/// or for no rows, nothing.
Status checkRows(const Resolution& resolution, std::int64_t rows);

/// data.steps, or what data.epochs come to. Errors (BadInput): no such data, and those of checkRows().
Result<TrainingLength> trainingLength(const Resolution& resolution, const Executor& executor);

}  // namespace lanelab
