// SPDX-License-Identifier: GPL-3.0-only
// Short fingerprints of texts, for names and comparisons; not against somebody who wants two texts to share one. Pure;
// any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanelab {

/// FNV-1a, 64 bits: unlike std::hash the same in every build and on every machine.
std::uint64_t fingerprintOf(std::string_view text);

/// The last hexadecimal digits of the number.
std::string hexDigits(std::uint64_t value, int digits = 16);

}  // namespace lanelab
