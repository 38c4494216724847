// SPDX-License-Identifier: GPL-3.0-only
// How well the clocks of a run's processes agree, in a sentence.
#pragma once

#include <string>

#include "engine/record/run_record.h"

namespace lanelab {

/// Of all variants: "The lanes of 2 processes lie on one timeline; their clocks agree within 43 us." Empty for a run of
/// one process, or without traces.
std::string rankClockSentence(const RunRecord& record);

}  // namespace lanelab
