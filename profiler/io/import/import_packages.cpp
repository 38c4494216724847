// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/import/import_packages.h"

#include <simdjson.h>
#include <sqlite3.h>
#include <zlib.h>

namespace lanelab {

Packages importPackages() {
  const std::string simdjson = std::to_string(simdjson::SIMDJSON_VERSION_MAJOR) + "." +
                               std::to_string(simdjson::SIMDJSON_VERSION_MINOR) + "." +
                               std::to_string(simdjson::SIMDJSON_VERSION_REVISION);
  return {{"simdjson", simdjson}, {"SQLite", ::sqlite3_libversion()}, {"zlib", ::zlibVersion()}};
}

}  // namespace lanelab
