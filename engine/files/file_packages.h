// SPDX-License-Identifier: GPL-3.0-only
// Versions of the libraries that read weights and images.
#pragma once

#include "base/packages.h"

namespace lanelab {

/// zlib, and libpng and libjpeg if the program reads images. Any thread.
Packages filePackages();

}  // namespace lanelab
