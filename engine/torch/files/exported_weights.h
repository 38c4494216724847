// SPDX-License-Identifier: GPL-3.0-only
// The tensors of an exported network, as its archive has them.
#pragma once

#include <cstdint>
#include <string>

#include "engine/exported/exported_graph.h"
#include "engine/torch/nn/initial_weights.h"

namespace lanelab {

/// Parameters, buffers and constants by their names. Views of the mapped file, which may not be written, where it
/// stores their bytes as they are; else copies. Tied parameters are views of the same bytes. Weights that the archive
/// has a recipe for are drawn from `seed` (drawn_weights.h). Errors (BadInput) name the file.
Result<TensorMap> readExportedWeights(const std::string& path, const ExportedProgram& program, std::uint64_t seed);

}  // namespace lanelab
