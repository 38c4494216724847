// SPDX-License-Identifier: GPL-3.0-only
// Which names a rule is for: a text in which * stands for any characters and {micro_batch}, {stage}, {step} and
// {replica} for a whole number that the name gives. A backslash makes the next character plain.
//
// Pure; any thread. Matching takes at most the product of both lengths.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/words.h"

namespace lanelab {

enum class NameNumber : std::uint8_t { Step, Stage, MicroBatch, Replica };
inline constexpr std::size_t kNameNumbers = 4;
constexpr std::array<Word<NameNumber>, kNameNumbers> wordTable(NameNumber) {
  return {{{NameNumber::Step, "step"},
           {NameNumber::Stage, "stage"},
           {NameNumber::MicroBatch, "micro_batch"},
           {NameNumber::Replica, "replica"}}};
}

/// By NameNumber; nothing of what is not given.
struct NameNumbers {
  std::array<std::optional<int>, kNameNumbers> values{};
  std::optional<int>& operator[](NameNumber which) { return values[static_cast<std::size_t>(which)]; }
  const std::optional<int>& operator[](NameNumber which) const { return values[static_cast<std::size_t>(which)]; }
  bool operator==(const NameNumbers&) const = default;
};

class NamePattern {
 public:
  /// BadInput without a path: an empty text, a brace that is open or names no number, a number named twice, two numbers
  /// without a character between them.
  static Result<NamePattern> parse(std::string_view text);

  /// The numbers of a name that the pattern is for; those beyond an int match nothing.
  std::optional<NameNumbers> match(std::string_view name) const;

  /// The name itself where it is the only one; nothing of a pattern for several.
  std::optional<std::string> onlyName() const;
  /// The first character of every name that it is for; nothing where that may be any.
  std::optional<char> firstCharacter() const;

 private:
  /// A text, and the number behind it.
  struct Piece {
    std::string text;
    std::optional<NameNumber> number;
  };
  /// What is between two stars.
  using Part = std::vector<Piece>;

  static std::optional<std::size_t> matchPart(const Part& part, std::string_view name, NameNumbers& numbers);

  std::vector<Part> m_parts;  ///< one more than there are stars
};

}  // namespace lanelab
