// SPDX-License-Identifier: GPL-3.0-only
// The answer of the command plan, for programs and for people.
#pragma once

#include <string>
#include <vector>

#include "engine/placement/partition_compare.h"

namespace lanelab {

/// `rows`: the best cut first, then those by rules of thumb; times are in milliseconds.
std::string planJson(const PartitionProblem& problem, const std::vector<NamedPartition>& rows);
std::string planText(const std::string& title, const PartitionProblem& problem,
                     const std::vector<NamedPartition>& rows);

}  // namespace lanelab
