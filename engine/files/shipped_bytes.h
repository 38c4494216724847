// SPDX-License-Identifier: GPL-3.0-only
// The bytes of files that CMake puts into the program: resources/models/*.pt2 and resources/data/*.txt.gz.
#pragma once

#include <span>
#include <string_view>

namespace lanelab {

struct ShippedBytes {
  std::string_view name;  ///< of the file, without its folder
  std::span<const unsigned char> bytes;
};
extern const std::span<const ShippedBytes> kShippedBytes;

}  // namespace lanelab
