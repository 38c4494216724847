// SPDX-License-Identifier: GPL-3.0-only
// In place of image_pixels.cpp if CMake found no libpng or libjpeg.
#include "engine/files/image_pixels.h"

namespace lanelab {

Result<Pixels> decodeImage(std::string_view) { return Error::badInput(whyNoImages()); }

std::string whyNoImages() {
  return "this program was built without libpng and libjpeg: install libpng-dev and libjpeg-dev and build it again";
}

}  // namespace lanelab
