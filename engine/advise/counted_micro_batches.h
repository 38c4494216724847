// SPDX-License-Identifier: GPL-3.0-only
// How many micro-batches a cut of a variant is judged by.
#pragma once

#include "engine/experiment/resolution.h"

namespace lanelab {

/// For PartitionProblem::micro_batches, of a variant with `micro_batches` a step: as many, or 0, with which only the
/// bottleneck counts, where the drain of a step overlaps with the fill of the next. That takes a period without a
/// barrier and backwards in parts: with whole backwards the last one of the first lane ends the step all the same.
int countedMicroBatches(const ResolvedVariant& variant, int micro_batches);

}  // namespace lanelab
