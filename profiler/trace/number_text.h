// SPDX-License-Identifier: GPL-3.0-only
// Numbers and times in JSON and tables. C locale always.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "base/text.h"
#include "profiler/trace/span.h"

namespace lanelab {

/// Appends a whole number, or a finite one with the fewest digits that give it back.
template <class Number>
void appendNumber(std::string& out, Number number) {
  std::array<char, 32> digits;
  out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

/// Appends nanoseconds as microseconds with three decimals, exactly: -1500 -> "-1.500".
inline void appendMicroseconds(std::string& out, Nanoseconds time) {
  // Unsigned, since the smallest int64 has no positive counterpart.
  const std::uint64_t magnitude = time < 0 ? 0 - static_cast<std::uint64_t>(time) : static_cast<std::uint64_t>(time);
  if (time < 0) out += '-';
  appendNumber(out, magnitude / 1000);
  const auto rest = static_cast<unsigned>(magnitude % 1000);
  const char decimals[] = {'.', static_cast<char>('0' + rest / 100), static_cast<char>('0' + rest / 10 % 10),
                           static_cast<char>('0' + rest % 10)};
  out.append(decimals, sizeof decimals);
}
inline std::string microsecondsText(Nanoseconds time) {
  std::string text;
  appendMicroseconds(text, time);
  return text;
}

/// "12.3 ms", "4.56 µs": at most three significant figures.
inline std::string plainDuration(Nanoseconds time) {
  const auto value = static_cast<double>(time);
  const double size = std::abs(value);
  const auto [unit, name] = size < 999.5     ? std::pair(1.0, " ns")
                            : size < 999.5e3 ? std::pair(1e3, " µs")
                            : size < 999.5e6 ? std::pair(1e6, " ms")
                                             : std::pair(1e9, " s");
  const double scaled = size / unit;
  const int decimals = unit == 1.0 || scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2;
  return formatFixed(value / unit, decimals) + name;
}

}  // namespace lanelab
