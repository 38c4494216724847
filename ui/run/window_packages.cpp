// SPDX-License-Identifier: GPL-3.0-only
#include "ui/run/window_packages.h"

#include <QtGlobal>

#include "engine/library/library_packages.h"
#include "profiler/io/import/import_packages.h"

namespace lanelab {

Packages windowPackages() { return joined(joined(importPackages(), libraryPackages()), {{"Qt", qVersion()}}); }

}  // namespace lanelab
