// SPDX-License-Identifier: GPL-3.0-only
// The loops of each set of instructions.
#pragma once

#include "engine/torch/kernels/update_loops.h"

namespace lanelab {

const UpdateLoops& updateLoopsAvx2();
const UpdateLoops& updateLoopsAvx512();

}  // namespace lanelab
