// SPDX-License-Identifier: GPL-3.0-only
#include "engine/files/file_packages.h"

#include <zlib.h>

#ifdef LANELAB_READS_IMAGES
#include <cstdio>  // before jpeglib.h, which needs it

#include <jpeglib.h>
#include <png.h>
#endif

namespace lanelab {

#ifdef LIBJPEG_TURBO_VERSION
#define LANELAB_TEXT_OF_TOKENS(tokens) #tokens
#define LANELAB_TEXT_OF(macro) LANELAB_TEXT_OF_TOKENS(macro)
#endif

Packages filePackages() {
  Packages packages = {{"zlib", ::zlibVersion()}};
#ifdef LANELAB_READS_IMAGES
  packages.push_back({"libpng", ::png_get_libpng_ver(nullptr)});
#ifdef LIBJPEG_TURBO_VERSION
  packages.push_back({"libjpeg-turbo", LANELAB_TEXT_OF(LIBJPEG_TURBO_VERSION)});
#endif
#endif
  return packages;
}

}  // namespace lanelab
