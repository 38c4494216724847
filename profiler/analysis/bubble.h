// SPDX-License-Identifier: GPL-3.0-only
// The bubble of a pipeline as the literature counts it: the idle time that the order of the actions costs.
#pragma once

#include "profiler/analysis/idle_causes.h"

namespace lanelab {

/// Fill and drain over all lanes that have work, by both denominators in use; 0 where there is nothing to divide by.
struct BubbleShares {
  double of_total = 0;  ///< of the lanes' windows, as in the tables of zero bubble (Qi et al. 2023): (p-1)/(m+p-1) for
                        ///< p equal stages, m micro-batches
  double of_ideal = 0;  ///< of the busy time, as in Megatron-LM (Narayanan et al. 2021): (p-1)/m
};

BubbleShares bubbleShares(const IdleCauses& causes);

/// Busy share of a lane's windows, 0 to 1; 0 without a window.
double utilisation(const LaneCauses& lane);

}  // namespace lanelab
