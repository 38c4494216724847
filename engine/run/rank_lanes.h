// SPDX-License-Identifier: GPL-3.0-only
// Which lanes of an experiment lie in which process, where a launcher starts several.
#pragma once

#include <vector>

#include "base/result.h"
#include "engine/experiment/resolution.h"

namespace lanelab {

/// Whether the lanes are those of so many processes; else BadInput.
Status checkRanks(const Resolution& resolution, int processes);

/// The experiment as `processes` run it together. Where lanes name ranks, they stay there, and a rank that no process
/// has is BadInput. Where none does, each process is a replica of the ddp variants, on a lane of its own for each
/// stage: `places[r]` says the how-manieth of its machine rank r is, and so which of the variant's lanes it takes.
/// Other variants stay with rank 0.
Result<Experiment> spreadOverRanks(const Resolution& resolution, const std::vector<int>& places);

/// The experiment as one process runs it: all lanes are here.
Experiment inOneProcess(Experiment experiment);

/// Which lanes lie in the process of `rank`.
std::vector<bool> lanesOfRank(const Experiment& experiment, int rank);

}  // namespace lanelab
