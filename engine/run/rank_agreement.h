// SPDX-License-Identifier: GPL-3.0-only
// What all ranks of a run must have in common, and the first difference. Pure functions; any thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/experiment/experiment.h"

namespace lanelab {

/// Options of the command line that all ranks must have in common, such as {"--resume", "true"}.
using AgreedOptions = std::vector<std::pair<std::string, std::string>>;

/// The version of LaneLab, the options and the experiment as one JSON text, at most about 1 MiB. Of data.path,
/// model.file and model.weights the file name alone counts, since each machine may have them in a folder of its own.
std::string rankAgreement(const Experiment& experiment, const AgreedOptions& options);

/// "Rank 1 has another experiment than rank 0: training.lr is 0.1 on rank 0 and 0.2 on rank 1. ...", of two texts of
/// rankAgreement(); empty where they are equal. Any text is accepted, since another version may have written it.
std::string disagreement(const std::string& of_rank_0, const std::string& of_other, int other);

}  // namespace lanelab
