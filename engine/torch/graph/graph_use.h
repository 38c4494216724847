// SPDX-License-Identifier: GPL-3.0-only
// What a graph is built for.
#pragma once

namespace lanelab {

/// Inference runs in eval mode only, so that it has nothing to repeat: calls are fine there that training refuses.
enum class GraphUse : unsigned char { Training, Inference };

}  // namespace lanelab
