// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/source/imported_id.h"

#include "base/parse_number.h"

namespace lanelab {

namespace {

std::string_view withoutZeroPlaces(std::string_view text) {
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos || point == 0) return text;
  return text.find_first_not_of('0', point + 1) == std::string_view::npos ? text.substr(0, point) : text;
}

}  // namespace

ImportedId importedId(std::string_view text) {
  const std::string_view whole = withoutZeroPlaces(text);
  if (const auto number = parseNumber<std::int64_t>(whole)) return numberId(*number);
  return {std::string(text), !text.empty()};
}

ImportedId numberId(std::int64_t number) { return {std::to_string(number), false}; }

std::optional<std::int64_t> numberOf(const ImportedId& id) {
  return id.is_text ? std::nullopt : parseNumber<std::int64_t>(id.text);
}

std::optional<std::uint64_t> wholeId(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) return parseNumber<std::uint64_t>(text.substr(2), 16);
  if (text.starts_with('-')) {
    const auto number = parseNumber<std::int64_t>(text);
    return number ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
  }
  return parseNumber<std::uint64_t>(withoutZeroPlaces(text));
}

}  // namespace lanelab
