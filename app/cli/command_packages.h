// SPDX-License-Identifier: GPL-3.0-only
// Versions of the libraries that the command line uses beside the engine, for the record of a run.
#pragma once

#include "base/packages.h"

namespace lanelab {

Packages commandPackages();

}  // namespace lanelab
