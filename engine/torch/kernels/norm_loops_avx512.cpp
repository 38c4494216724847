// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/kernels/norm_loops_body.h"

namespace lanelab {

const NormLoops& normLoopsAvx512() { return kLoops; }

}  // namespace lanelab
