// SPDX-License-Identifier: GPL-3.0-only
#include "base/message.h"

#include <optional>

#include "base/parse_number.h"

namespace lanelab {
namespace {

struct Place {
  std::optional<std::size_t> number;  ///< none for {}
  std::size_t length = 0;
};

// The place that `words` begin with: {} or {3}. Other braces are text, such as those of JSON.
std::optional<Place> placeAt(std::string_view words) {
  const std::size_t close = words.find('}');
  if (words.empty() || words.front() != '{' || close == std::string_view::npos) return std::nullopt;
  if (close == 1) return Place{std::nullopt, 2};
  const auto number = parseNumber<std::size_t>(words.substr(1, close - 1));
  return number ? std::optional(Place{*number, close + 1}) : std::nullopt;
}

}  // namespace

std::string filledIn(std::string_view words, const std::vector<std::string>& values) {
  std::string text;
  std::size_t next = 0;
  for (std::size_t at = 0; at < words.size();) {
    const std::optional<Place> place = placeAt(words.substr(at));
    const std::size_t value = place ? place->number.value_or(next) : 0;
    if (!place || value >= values.size()) {
      text += words[at++];
      continue;
    }
    if (!place->number) ++next;
    text += values[value];
    at += place->length;
  }
  return text;
}

Message composed(const char* code, std::vector<Message> values) {
  std::vector<std::string> words;
  words.reserve(values.size());
  for (const Message& value : values) words.push_back(value.message);
  return {filledIn(code, words), code, std::move(values)};
}

Message listed(const std::vector<Message>& words) {
  if (words.empty()) return {};
  Message list = words.front();
  for (std::size_t i = 1; i + 1 < words.size(); ++i) list = sentence("{}, {}", list, words[i]);
  return words.size() == 1 ? list : sentence("{} and {}", list, words.back());
}

}  // namespace lanelab
