// SPDX-License-Identifier: GPL-3.0-only
// The loops of norm_loops.h by set of instructions. Internal to norm_loops.cpp; those beside Plain exist on x86-64
// only.
#pragma once

#include "engine/torch/kernels/norm_loops.h"

namespace lanelab {

const NormLoops& normLoopsPlain();
const NormLoops& normLoopsAvx2();
const NormLoops& normLoopsAvx512();

}  // namespace lanelab
