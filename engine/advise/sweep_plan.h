// SPDX-License-Identifier: GPL-3.0-only
// What a sweep will measure, and what it predicts: block times are looked up or measured, every split size is
// predicted, the best are chosen.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/advise/profile_of.h"
#include "engine/advise/sweep.h"
#include "engine/experiment/resolution.h"

namespace lanelab {

struct SweepRequest {
  std::vector<int> split_sizes;  ///< empty: those of usualSplitSizes() that can be trained
  std::size_t best = 0;          ///< measure only so many, the best predicted, and the present one; 0: all
  bool refresh = false;          ///< measure the blocks again even if their times are stored
  ReportProgress report = {};    ///< of measuring the blocks; never called if their times are stored
  MemoryRule memory = {};        ///< for micro-batches that do not fit
};

struct SweepPlan {
  std::shared_ptr<const Resolution> resolution;  ///< of an experiment whose variants are the split sizes to measure
  std::vector<StepPrediction> predictions;       ///< of all split sizes
  std::vector<std::string> warnings;
};

/// Takes up to a minute or two where nothing is kept. Errors: those of sweepOf(), of its variants, of the machine and
/// of profilesOf().
Result<SweepPlan> planSweep(const Resolution& resolution, const SweepRequest& request, Executor& executor,
                            const ProfileStore& store, std::stop_token stop);

}  // namespace lanelab
