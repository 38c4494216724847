// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/command_packages.h"

#include <CLI/CLI.hpp>

#include "engine/library/library_packages.h"
#include "profiler/io/import/import_packages.h"

namespace lanelab {

Packages commandPackages() { return joined(joined(importPackages(), libraryPackages()), {{"CLI11", CLI11_VERSION}}); }

}  // namespace lanelab
