// SPDX-License-Identifier: GPL-3.0-only
// Text as UTF-8 that may hold anything: names come from files that others wrote. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lanelab {

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";  ///< U+FFFD

struct Character {
  char32_t code = 0xFFFD;
  std::size_t bytes = 1;  ///< that it occupies in the text
  bool valid = false;     ///< false for one byte that is not part of valid UTF-8
};

/// The first character of `text`, which must not be empty.
Character firstCharacter(std::string_view text);

/// `text` with each byte that is not part of valid UTF-8 replaced by U+FFFD.
std::string validUtf8(std::string_view text);

/// How many characters (code points) `text` has; a byte that is not part of valid UTF-8 counts as one.
std::size_t countCharacters(std::string_view text);

/// The first `count` characters of `text`, or all of it.
std::string_view firstCharacters(std::string_view text, std::size_t count);

/// `text`, or its first `count` characters and "..." if it has more: for tables and sentences.
std::string cutAfter(std::string_view text, std::size_t count);

/// `text`, or its beginning, "..." and its end, `count` characters in all: names of kernels differ at either end.
std::string cutInMiddle(std::string_view text, std::size_t count);

/// The longest beginning of `text` with at most `bytes` bytes that does not cut a character.
std::string_view firstBytes(std::string_view text, std::size_t bytes);

/// C0, DEL or C1.
constexpr bool isControl(char32_t code) { return code < 0x20 || (code >= 0x7F && code <= 0x9F); }
/// Marks that reorder the text around them, so that a reader sees other words than the text holds.
constexpr bool isBidiOverride(char32_t code) {
  return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}
/// Those, and the marks without a glyph that say in which direction text runs.
constexpr bool isBidiMark(char32_t code) {
  return isBidiOverride(code) || code == 0x061C || code == 0x200E || code == 0x200F;
}
/// U+FDD0 to U+FDEF and the last two of each plane, which are never text.
constexpr bool isNonCharacter(char32_t code) { return (code >= 0xFDD0 && code <= 0xFDEF) || (code & 0xFFFE) == 0xFFFE; }

}  // namespace lanelab
