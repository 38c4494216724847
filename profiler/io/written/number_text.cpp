// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/written/number_text.h"

#include <array>
#include <charconv>

namespace lanelab {

void appendMicroseconds(std::string& out, Nanoseconds time) {
  // Unsigned, since the smallest int64 has no positive counterpart.
  const std::uint64_t magnitude = time < 0 ? 0 - static_cast<std::uint64_t>(time) : static_cast<std::uint64_t>(time);
  if (time < 0) out += '-';
  std::array<char, 24> digits;
  const auto whole = std::to_chars(digits.data(), digits.data() + digits.size(), magnitude / 1000);
  out.append(digits.data(), whole.ptr);
  const auto rest = static_cast<unsigned>(magnitude % 1000);
  out += '.';
  out += static_cast<char>('0' + rest / 100);
  out += static_cast<char>('0' + rest / 10 % 10);
  out += static_cast<char>('0' + rest % 10);
}

void appendInteger(std::string& out, std::int64_t number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  out.append(digits.data(), end.ptr);
}

void appendNumber(std::string& out, double number) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  out.append(digits.data(), end.ptr);
}

}  // namespace lanelab
