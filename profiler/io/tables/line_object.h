// SPDX-License-Identifier: GPL-3.0-only
// JSON for people: objects of which each is on one line, and lists of them.
#pragma once

#include <string>
#include <string_view>

#include "base/escaped_text.h"
#include "profiler/trace/number_text.h"

namespace lanelab {

/// { "a": 1, "b": 2 }, at the end of a text that must outlive it.
class LineObject {
 public:
  explicit LineObject(std::string& out) : m_out(out) { m_out += '{'; }
  void close() { m_out += " }"; }
  /// The text, for the value of this key to be appended; the first key follows a space.
  std::string& key(std::string_view name, std::string_view separator = ", ") {
    m_out += m_first ? " " : separator;
    m_first = false;
    ((m_out += '"') += name) += "\": ";
    return m_out;
  }
  void text(std::string_view name, std::string_view value) { appendJsonString(key(name), value); }
  void time(std::string_view name, Nanoseconds value) { appendMicroseconds(key(name), value); }
  template <class Number>
  void number(std::string_view name, Number value) {
    appendNumber(key(name), value);
  }

 private:
  std::string& m_out;
  bool m_first = true;
};

/// A list in brackets with a line for each value, to whose object `put(object, value)` adds the members.
template <class Values, class Put>
void appendLines(std::string& out, const Values& values, std::string_view indent, const Put& put) {
  std::string_view separator = "\n";
  out += '[';
  for (const auto& value : values) {
    (out += separator) += indent;
    LineObject object(out);
    put(object, value);
    object.close();
    separator = ",\n";
  }
  out += ']';
}

}  // namespace lanelab
