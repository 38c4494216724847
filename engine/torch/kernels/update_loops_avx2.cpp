// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/kernels/update_loops_body.h"
#include "engine/torch/kernels/update_loops_sets.h"

namespace lanelab {

const UpdateLoops& updateLoopsAvx2() { return kLoops; }

}  // namespace lanelab
