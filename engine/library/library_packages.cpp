// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/library_packages.h"

#include <sqlite3.h>

namespace lanelab {

Packages libraryPackages() { return {{"SQLite", ::sqlite3_libversion()}, {"minizip", LANELAB_MINIZIP_VERSION}}; }

}  // namespace lanelab
