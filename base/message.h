// SPDX-License-Identifier: GPL-3.0-only
// A sentence for readers as a code with values: the English template, with {} for each value, is the code by which
// window and command line find their words for it, as the msgid of GNU gettext is. Thread: plain values.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace lanelab {

/// A template whose places were counted when it was compiled: one {} per value.
template <class... Values>
struct MessageCode {
  template <std::size_t Size>
  consteval MessageCode(const char (&code)[Size]) : text(code) {
    std::size_t places = 0;
    for (std::size_t i = 0; i + 1 < Size; ++i) places += code[i] == '{' && code[i + 1] == '}' ? 1 : 0;
    if (places != sizeof...(Values)) throw "a template has one {} per value";
  }
  const char* text;
};

struct Message {
  std::string message;            ///< in English
  const char* code = nullptr;     ///< null for words of a library or a file, which are shown as they are
  std::vector<Message> values{};  ///< one for each {} of the code
};

/// `words` with each {} replaced by the next value and {0}, {1} ... by that one: languages order values differently.
std::string filledIn(std::string_view words, const std::vector<std::string>& values);

/// The message of a code and its values.
Message composed(const char* code, std::vector<Message> values);

inline Message messageValue(std::string text) { return {std::move(text)}; }
inline Message messageValue(std::string_view text) { return {std::string(text)}; }
inline Message messageValue(const char* text) { return {text}; }
inline Message messageValue(Message message) { return message; }
template <std::integral Number>
Message messageValue(Number number) {
  return {std::to_string(number)};
}

/// sentence("{} has {} lanes.", name, count)
template <class... Values>
Message sentence(MessageCode<std::type_identity_t<Values>...> code, const Values&... values) {
  return composed(code.text, {messageValue(values)...});
}

/// "a, b and c"; empty of no words.
Message listed(const std::vector<Message>& words);

/// Words that are shown as they are.
inline Message verbatim(std::string words) { return {std::move(words)}; }

}  // namespace lanelab
