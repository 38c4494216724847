// SPDX-License-Identifier: GPL-3.0-only
// The state of a repeat between two steps, in a safetensors file with a checksum (file_checksum.h); files of versions
// that wrote none are read too.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/lanes/epoch_result.h"
#include "engine/torch/nn/initial_weights.h"

namespace lanelab {

struct Checkpoint {
  int repeat = 0;
  std::vector<double> step_seconds;  ///< of the steps that are done; the next one is their number
  std::vector<double> losses;
  std::vector<EpochResult> epochs;
  NamedTensors state;  ///< StageNetwork::state() of all stages

  int nextStep() const { return static_cast<int>(step_seconds.size()); }
};

/// Beside the old file first and then renamed once the disk has it, so that a kill or a power cut leaves one of the two
/// whole.
Status writeCheckpoint(const std::string& path, const Checkpoint& checkpoint);
/// Errors (BadInput) name the file and the fix, also if a single bit of the file has changed since it was written.
Result<Checkpoint> readCheckpoint(const std::string& path);

}  // namespace lanelab
