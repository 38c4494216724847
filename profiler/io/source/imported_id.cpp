// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/source/imported_id.h"

#include <charconv>

namespace lanelab {

namespace {

template <class Integer>
std::optional<Integer> parsed(std::string_view digits, int radix) {
  Integer number = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), number, radix);
  if (result.ec != std::errc() || result.ptr != digits.data() + digits.size()) return std::nullopt;
  return number;
}

std::string_view withoutZeroPlaces(std::string_view text) {
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos || point == 0) return text;
  return text.find_first_not_of('0', point + 1) == std::string_view::npos ? text.substr(0, point) : text;
}

}  // namespace

ImportedId importedId(std::string_view text) {
  const std::string_view whole = withoutZeroPlaces(text);
  if (const auto number = parsed<std::int64_t>(whole, 10)) return numberId(*number);
  return {std::string(text), !text.empty()};
}

ImportedId numberId(std::int64_t number) { return {std::to_string(number), false}; }

std::optional<std::int64_t> numberOf(const ImportedId& id) {
  return id.is_text ? std::nullopt : parsed<std::int64_t>(id.text, 10);
}

std::optional<std::uint64_t> wholeId(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) return parsed<std::uint64_t>(text.substr(2), 16);
  if (text.starts_with('-')) {
    const auto number = parsed<std::int64_t>(text, 10);
    return number ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
  }
  return parsed<std::uint64_t>(withoutZeroPlaces(text), 10);
}

}  // namespace lanelab
