// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/kernels/update_loops_body.h"

namespace lanelab {

const UpdateLoops& updateLoopsAvx512() { return kLoops; }

}  // namespace lanelab
