// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/written/json_text.h"

#include <array>
#include <charconv>

#include "base/utf8.h"

namespace lanelab {

namespace {

void appendEscaped(std::string& out, char c) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\t': out += "\\t"; return;
    case '\r': out += "\\r"; return;
    default: break;
  }
  if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) {
    out += c;
    return;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += "\\u00";
  out += kDigits[static_cast<unsigned char>(c) >> 4];
  out += kDigits[static_cast<unsigned char>(c) & 15];
}

}  // namespace

void appendJsonString(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    if (static_cast<unsigned char>(text.front()) < 0x80) {
      appendEscaped(out, text.front());
      text.remove_prefix(1);
      continue;
    }
    const Character first = firstCharacter(text);
    out += first.valid ? text.substr(0, first.bytes) : kReplacementCharacter;
    text.remove_prefix(first.bytes);
  }
  out += '"';
}

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
