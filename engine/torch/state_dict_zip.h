// Reads a state dict that torch.save() wrote: a zip archive with a pickle and one record a storage.
//
// An own reader of the few pickle instructions that a state dict uses. torch::pickle_load refuses or loses the OrderedDict that state_dict() returns
// (pytorch#100741), and a general unpickler may run code: here every instruction and every global that a state dict does not need is an error.
#pragma once

#include <string>

#include "engine/torch/initial_weights.h"

namespace lanelab {

/// The tensors of a state dict, or of a checkpoint that holds one under "state_dict", "model_state_dict" or "model"; a common prefix "module." (DataParallel) is
/// taken off. Errors (BadInput) name the file and the mend.
Result<TensorMap> readStateDictZip(const std::string& path);

}  // namespace lanelab
