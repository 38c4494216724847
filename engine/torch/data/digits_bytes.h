// SPDX-License-Identifier: GPL-3.0-only
// The bytes of resources/data/digits.csv.gz, which CMake puts into the program.
#pragma once

#include <cstddef>

namespace lanelab {

extern const unsigned char digits_bytes[];
extern const std::size_t digits_bytes_size;

}  // namespace lanelab
