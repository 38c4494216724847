// SPDX-License-Identifier: GPL-3.0-only
// What a forecast of memory does not know of a network. Pure; any thread.
#pragma once

#include <string>

#include "engine/model/model_spec.h"

namespace lanelab {

/// A sentence that names the operators without a rule and says that the forecast is a lower bound; empty if all are
/// known.
std::string memoryCaveat(const ModelSpec& model);

}  // namespace lanelab
