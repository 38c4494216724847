// Finds the ends of JSON values without parsing them, so that damage inside a value stays inside.
#pragma once

#include <cstddef>
#include <string_view>

namespace lanelab {

inline constexpr std::string_view json_blanks = " \t\r\n";

/// Runs over a value that may come in pieces; text in quotes is skipped, brackets are counted whatever their kind.
class ValueScan {
 public:
  /// How many bytes of `text`, which begins a value or goes on with it, belong to the value; `closed` tells whether that is its end. Values
  /// without brackets or quotes end before the next comma, bracket or blank.
  std::size_t run(std::string_view text);
  bool closed() const { return m_closed; }

 private:
  const char* inString(const char* at, const char* end);
  const char* outside(const char* at, const char* end);

  std::size_t m_depth = 0;
  bool m_begun = false;
  bool m_string = false;
  bool m_escaped = false;
  bool m_closed = false;
};

/// Length of the value at the begin of `text`; npos when it does not end there.
std::size_t valueLength(std::string_view text);

/// Where, from `from` on, another event seems to begin within the text of a damaged one: an object that is no value of a key and holds "ph".
/// npos when there is none.
std::size_t nextEventWithin(std::string_view text, std::size_t from);

}  // namespace lanelab
