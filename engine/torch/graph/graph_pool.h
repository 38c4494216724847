// SPDX-License-Identifier: GPL-3.0-only
// Max pooling that stores no value of its own for the backward (Rule::RemadeActivation).
#pragma once

#include "engine/torch/graph/graph_operation.h"

namespace lanelab {

/// Of a call for which isMaxPool() holds. Its backward reads indices, and of its input only the shape, for which what
/// the input is made again from serves as well. Empty for windows that are not constants.
GraphOperation graphPool(const ExportedNode& node);

}  // namespace lanelab
