// SPDX-License-Identifier: GPL-3.0-only
// Versions of the libraries that the window uses beside the engine, for the record of a run.
#pragma once

#include "base/packages.h"

namespace lanelab {

Packages windowPackages();

}  // namespace lanelab
