// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/source/decimal.h"

#include <algorithm>
#include <string>

#include "base/parse_number.h"

namespace lanelab {

namespace {

constexpr std::uint64_t kLimit = std::uint64_t{1} << 62U;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Digits and sign of a number as written; value = digits * 10^exponent.
struct Written {
  bool negative = false;
  std::string digits;
  int exponent = 0;
};

std::string_view withoutFrame(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto trim = [&] {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    text.remove_suffix(text.size() - (text.find_last_not_of(kBlanks) + 1));
  };
  trim();
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  trim();
  return text;
}

std::optional<Written> split(std::string_view text) {
  Written written;
  std::size_t i = 0;
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) written.negative = text[i++] == '-';
  bool point = false;
  bool any = false;
  for (; i < text.size() && (isDigit(text[i]) || (text[i] == '.' && !point)); ++i) {
    if (text[i] == '.') {
      point = true;
      continue;
    }
    any = true;
    if (point) --written.exponent;
    if (text[i] != '0' || !written.digits.empty()) written.digits += text[i];
  }
  if (!any) return std::nullopt;
  if (i == text.size()) return written;
  if (text[i] != 'e' && text[i] != 'E') return std::nullopt;
  ++i;
  if (i + 1 < text.size() && text[i] == '+' && isDigit(text[i + 1])) ++i;
  const auto exponent = parseNumber<int>(text.substr(i));
  if (!exponent || *exponent > 1000 || *exponent < -1000) return std::nullopt;
  written.exponent += *exponent;
  return written;
}

/// Plain digits with at most `scale` places behind the point, which is what nearly every number looks like; nothing for
/// all others.
std::optional<std::int64_t> plainDecimal(std::string_view text, int scale) {
  constexpr std::size_t kMostDigits = 15;  // the scale may add three
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.size() > kMostDigits || scale > 3 || !isDigit(text.front())) return std::nullopt;
  std::int64_t value = 0;
  bool point = false;
  for (const char c : text) {
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (!isDigit(c) || (point && scale == 0)) return std::nullopt;
    value = value * 10 + (c - '0');
    if (point) --scale;
  }
  for (; scale > 0; --scale) value *= 10;
  return negative ? -value : value;
}

}  // namespace

std::optional<std::int64_t> scaledDecimal(std::string_view text, int scale) {
  if (const auto plain = plainDecimal(text, scale)) return plain;
  std::optional<Written> written = split(withoutFrame(text));
  if (!written) return std::nullopt;
  if (written->digits.empty()) return 0;
  const int exponent = written->exponent + scale;
  const int kept = static_cast<int>(std::min<std::size_t>(written->digits.size(), 1'000'000)) + std::min(exponent, 0);
  if (kept < 0) return 0;
  if (kept + std::max(exponent, 0) > 19) return std::nullopt;

  std::uint64_t value = 0;
  for (int i = 0; i < kept; ++i)
    value = value * 10 + static_cast<std::uint64_t>(written->digits[static_cast<std::size_t>(i)] - '0');
  if (exponent < 0 && written->digits[static_cast<std::size_t>(kept)] >= '5') ++value;
  for (int i = 0; i < exponent; ++i) value *= 10;
  if (value > kLimit) return std::nullopt;
  return written->negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
}

}  // namespace lanelab
