// SPDX-License-Identifier: GPL-3.0-only
// Versions of the libraries that store runs.
#pragma once

#include "base/packages.h"

namespace lanelab {

/// SQLite, and minizip if the program writes archives. Any thread.
Packages libraryPackages();

}  // namespace lanelab
