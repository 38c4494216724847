// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/kernels/row_loops_body.h"

namespace lanelab {

const RowLoops& rowLoopsAvx2() { return kRowLoops; }

}  // namespace lanelab
