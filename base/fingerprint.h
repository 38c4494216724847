// SPDX-License-Identifier: GPL-3.0-only
// Short fingerprints of texts, for names and comparisons; not against somebody who wants two texts to share one. Pure;
// any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanelab {

/// FNV-1a, 64 bits: unlike std::hash the same in every build and on every machine.
inline std::uint64_t fingerprintOf(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

/// The last hexadecimal digits of the number.
inline std::string hexDigits(std::uint64_t value, int digits = 16) {
  std::string text;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) text += "0123456789abcdef"[value >> shift & 15];
  return text;
}

}  // namespace lanelab
