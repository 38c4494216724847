// SPDX-License-Identifier: GPL-3.0-only
#include "base/shell_text.h"

#include <algorithm>

namespace lanelab {
namespace {

/// Letters and digits of ASCII, and marks that no shell gives a meaning inside of a word.
bool isLiteral(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || std::string_view("_-./=:,+@%").find(c) != std::string_view::npos;
}

}  // namespace

std::string shellWord(std::string_view word) {
  if (!word.empty() && std::ranges::all_of(word, isLiteral)) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string shellLine(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shellWord(word);
  return line;
}

}  // namespace lanelab
