// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/written/number_text.h"

#include <array>
#include <charconv>

namespace lanelab {

namespace {

template <class Number>
void appendDigits(std::string& out, Number number) {
  std::array<char, 32> digits;
  out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

}  // namespace

void appendMicroseconds(std::string& out, Nanoseconds time) {
  // Unsigned, since the smallest int64 has no positive counterpart.
  const std::uint64_t magnitude = time < 0 ? 0 - static_cast<std::uint64_t>(time) : static_cast<std::uint64_t>(time);
  if (time < 0) out += '-';
  appendDigits(out, magnitude / 1000);
  const auto rest = static_cast<unsigned>(magnitude % 1000);
  out += '.';
  out += static_cast<char>('0' + rest / 100);
  out += static_cast<char>('0' + rest / 10 % 10);
  out += static_cast<char>('0' + rest % 10);
}

void appendInteger(std::string& out, std::int64_t number) { appendDigits(out, number); }

void appendNumber(std::string& out, double number) { appendDigits(out, number); }

}  // namespace lanelab
