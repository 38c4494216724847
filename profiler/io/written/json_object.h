// SPDX-License-Identifier: GPL-3.0-only
// A JSON object written field by field.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/escaped_text.h"
#include "profiler/trace/number_text.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// Puts fields between braces with commas, at the end of a text that must outlive the object; begin to end, one object
/// at a time.
class JsonObject {
 public:
  explicit JsonObject(std::string& out) : m_out(out) { m_out += '{'; }
  void close() { m_out += '}'; }
  /// The text, for the value of this key to be appended.
  std::string& key(std::string_view name) {
    next() += '"';
    m_out += name;
    return m_out += "\":";
  }
  /// The same with a key that needs escapes.
  std::string& textKey(std::string_view name) {
    appendJsonString(next(), name);
    return m_out += ':';
  }
  void text(std::string_view name, std::string_view value) { appendJsonString(key(name), value); }
  void texts(std::string_view name, const std::vector<std::string>& values) {
    std::string& list = key(name) += '[';
    for (const std::string& value : values) {
      if (&value != &values.front()) list += ", ";
      appendJsonString(list, value);
    }
    list += ']';
  }
  void number(std::string_view name, std::int64_t value) { appendNumber(key(name), value); }
  void time(std::string_view name, Nanoseconds value) { appendMicroseconds(key(name), value); }
  void letter(std::string_view name, Phase phase) { text(name, std::string(1, letterOf(phase))); }

 private:
  std::string& next() {
    if (!m_first) m_out += ',';
    m_first = false;
    return m_out;
  }

  std::string& m_out;
  bool m_first = true;
};

}  // namespace lanelab
