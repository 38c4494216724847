// SPDX-License-Identifier: GPL-3.0-only
// One image out of its bytes: PNG through libpng, JPEG through libjpeg, recognized by their first bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lanelab {

/// Rows of red, green, blue.
struct Pixels {
  std::int64_t height = 0, width = 0;
  std::shared_ptr<unsigned char[]> bytes;
};

/// What Pillow warns of as a decompression bomb; 268 MB of pixels.
inline constexpr std::int64_t kMostPixels = 89'478'485;
/// A strip is scaled until it covers the wanted size, so a long one would take far more memory than it has pixels.
inline constexpr std::int64_t kLongestStrip = 100;

/// Why an image of this size is refused; empty if it is not.
std::string sizeProblem(std::int64_t height, std::int64_t width);

/// Grey is spread over the three channels, transparency is put on black, CMYK becomes RGB as in Pillow. Any thread.
/// Errors (BadInput) are the reason alone. A build without the two libraries says so.
Result<Pixels> decodeImage(std::string_view bytes);

/// Why no image can be decoded: a build without libpng or libjpeg; else empty.
std::string whyNoImages();

/// Whether the name ends as those of images that decodeImage reads.
bool isImageName(const std::string& name);

}  // namespace lanelab
