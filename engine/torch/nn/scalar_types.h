// SPDX-License-Identifier: GPL-3.0-only
// Types of numbers of exported graphs as PyTorch's.
#pragma once

#include <c10/core/ScalarType.h>

#include "engine/exported/graph/scalar_kind.h"

namespace lanelab {

at::ScalarType torchTypeOf(ScalarKind type);

}  // namespace lanelab
