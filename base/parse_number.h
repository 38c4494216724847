// SPDX-License-Identifier: GPL-3.0-only
// Texts that are one number. Pure; any thread.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace lanelab {

/// The whole text as a number; none if it is something else, or leaves the range of the type. `form`: what
/// std::from_chars() takes, such as a radix.
template <class Number, class... Form>
std::optional<Number> parseNumber(std::string_view text, Form... form) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [read_to, error] = std::from_chars(text.data(), end, number, form...);
  return error == std::errc() && read_to == end ? std::optional(number) : std::nullopt;
}

}  // namespace lanelab
