// SPDX-License-Identifier: GPL-3.0-only
// The tensors of an exported network, as its archive has them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/exported/graph/exported_graph.h"
#include "engine/torch/files/stored_weights.h"
#include "engine/torch/nn/initial_weights.h"
#include "engine/torch/nn/tensor_slot.h"

namespace lanelab {

/// Parameters, buffers and constants by their names. Views of the mapped file, which may not be written, where it
/// stores their bytes as they are; else copies. Tied parameters are views of the same bytes. Weights that the archive
/// has a recipe for are drawn from `seed` (drawn_weights.h). There is no mapped file of a shipped network, and of one
/// without a path, whose weights are all drawn. Errors (BadInput) name the file.
Result<StoredWeights> mapExportedWeights(const std::string& path, const ExportedProgram& program, std::uint64_t seed);

/// Of the tensors of another file for this network, those that `slots` name: a tied parameter may be there under any
/// of its names, or under several if they are equal. Buffers that state_dict() leaves out may be missing: they are
/// `own`, the archive's. Parameters that no call reads are left out. Unknown ones stay, for matchWeights. Errors
/// (BadInput) begin with `place`: names of one parameter with different values.
Result<TensorMap> heldWeights(const ExportedProgram& program, const std::vector<TensorSlot>& slots, TensorMap given,
                              const TensorMap& own, const std::string& place);

/// What load_state_dict() of the network reads: parameters and persistent buffers under all their names, in the
/// archive's order. `held`: by the names of slots; what it lacks is `own`.
NamedTensors withAllNames(const ExportedProgram& program, const TensorMap& held, const TensorMap& own);

}  // namespace lanelab
