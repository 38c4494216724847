// SPDX-License-Identifier: GPL-3.0-only
// Reads a state dict that torch.save() wrote, as tensors (state_dict_archive.h says what is read and what is refused).
#pragma once

#include <string>

#include "engine/torch/nn/initial_weights.h"

namespace lanelab {

/// Errors (BadInput) name the file and the fix. Takes no more memory than the archive's storages and the tensors that
/// are not contiguous in them.
Result<TensorMap> readStateDictZip(const std::string& path);

}  // namespace lanelab
