// SPDX-License-Identifier: GPL-3.0-only
// Enums that have words, in files and on the command line: one table for each, next to the enum.
//
//   enum class Layout { ChannelsLast, Contiguous };
//   constexpr std::array<Word<Layout>, 2> wordTable(Layout) {
//     return {{{Layout::ChannelsLast, "channels_last"}, {Layout::Contiguous, "contiguous"}}};
//   }
#pragma once

#include <array>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanelab {

template <class E>
struct Word {
  E value;
  std::string_view text;
};

template <class E>
concept Worded = requires(E value) {
  { wordTable(value)[0] } -> std::convertible_to<Word<E>>;
};

template <Worded E>
std::string toWord(E value) {
  for (const Word<E>& word : wordTable(value)) {
    if (word.value == value) return std::string(word.text);
  }
  return {};
}

/// None: no value has this word.
template <Worded E>
std::optional<E> fromWord(std::string_view text) {
  for (const Word<E>& word : wordTable(E{})) {
    if (word.text == text) return word.value;
  }
  return std::nullopt;
}

/// All of them, in the order of the table.
template <Worded E>
std::vector<std::string> words() {
  std::vector<std::string> texts;
  for (const Word<E>& word : wordTable(E{})) texts.emplace_back(word.text);
  return texts;
}

}  // namespace lanelab
