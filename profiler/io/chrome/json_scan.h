// SPDX-License-Identifier: GPL-3.0-only
// Finds the ends of JSON values without parsing them, so that damage inside a value stays inside. Each function looks
// at a byte a bounded number of times, whatever the text holds.
#pragma once

#include <cstddef>
#include <string_view>

namespace lanelab {

inline constexpr std::string_view kJsonBlanks = " \t\r\n";

/// A set of bytes, and the first byte of a text that is in it or is not.
class ByteSet {
 public:
  constexpr explicit ByteSet(std::string_view bytes) {
    for (const char c : bytes) m_holds[static_cast<unsigned char>(c)] = true;
  }
  constexpr bool holds(char c) const { return m_holds[static_cast<unsigned char>(c)]; }
  /// npos if there is none, as with find_first_of and find_first_not_of of a string.
  std::size_t firstIn(std::string_view text, std::size_t from = 0) const { return first(text, from, true); }
  std::size_t firstNotIn(std::string_view text, std::size_t from = 0) const { return first(text, from, false); }

 private:
  std::size_t first(std::string_view text, std::size_t from, bool in) const {
    for (; from < text.size(); ++from)
      if (holds(text[from]) == in) return from;
    return std::string_view::npos;
  }

  bool m_holds[256] = {};
};
inline constexpr ByteSet kJsonBlankBytes{kJsonBlanks};

/// Runs over a value that may come in pieces; text in quotes is skipped, brackets are counted whatever their kind.
class ValueScan {
 public:
  /// How many bytes of `text`, which begins a value or continues it, belong to the value; `closed` says whether that is
  /// its end. Values without brackets or quotes end before the next comma, bracket or blank.
  std::size_t run(std::string_view text);
  bool closed() const { return m_closed; }
  /// Whether the value ends if no text follows: numbers and words do.
  bool closedAtEnd() const { return m_closed || m_word; }

 private:
  std::size_t inWord(std::string_view text);
  const char* inString(const char* at, const char* end);
  const char* outside(const char* at, const char* end);

  std::size_t m_depth = 0;
  bool m_begun = false;
  bool m_word = false;
  bool m_string = false;
  bool m_escaped = false;
  bool m_closed = false;
};

/// Where, from `from` on and before `to`, another event seems to begin within the text of a damaged one: an object that
/// is no value of a key and holds "ph". npos if there is none. `allowance` is how many bytes may be looked at more than
/// once, and goes down; once it is used up, only objects that hold "ph" near their begin are found.
std::size_t nextEventWithin(std::string_view text, std::size_t from, std::size_t to, std::size_t& allowance);
/// How many bytes behind `to` nextEventWithin() looks at without an allowance.
inline constexpr std::size_t kNearPhase = 256;

/// Finds the '[' of `"traceEvents": [` in a text that comes in pieces.
class EventsKeyScan {
 public:
  /// Its place in this piece, npos if it is not there.
  std::size_t run(std::string_view text);

 private:
  bool step(char c);

  std::size_t m_matched = 0;  ///< characters of the key
  bool m_colon = false;
};

}  // namespace lanelab
