// SPDX-License-Identifier: GPL-3.0-only
// What the variants learnt, in a sentence.
#pragma once

#include <string>

#include "engine/record/run_record.h"

namespace lanelab {

/// "Accuracy after 5 epochs, mean of 2 repeats, measured: Single 98.9 % in training and 94.2 % in validation; Pipeline
/// ..."; empty without epochs.
std::string accuracySentence(const RunRecord& record);

/// "5 epochs" or "3 steps": how long a repeat is.
std::string lengthWords(const DataConfig& data);

}  // namespace lanelab
