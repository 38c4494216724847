// SPDX-License-Identifier: GPL-3.0-only
// Versions of the libraries that read and write traces.
#pragma once

#include "base/packages.h"

namespace lanelab {

/// simdjson, SQLite and zlib. Any thread.
Packages importPackages();

}  // namespace lanelab
