// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/chrome/json_repair.h"

#include "base/utf8.h"
#include "profiler/io/chrome/json_scan.h"

namespace lanelab {

namespace {

class Repairer {
 public:
  explicit Repairer(RepairedJson& result) : m_in(std::move(result.text)), m_result(result) { m_result.text.clear(); }

  void run() {
    m_result.text.reserve(m_in.size() + 64);
    for (m_at = 0; m_at < m_in.size(); ++m_at) m_string ? inString() : outside();
  }

 private:
  void keep() { m_result.text += m_in[m_at]; }

  void outside() {
    m_string = m_in[m_at] == '"';
    keep();
  }

  void inString() {
    const char c = m_in[m_at];
    if (c == '\\') {
      escape();
    } else if (c == '"') {
      quote();
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      m_result.text += "\\u00";
      m_result.text += kDigits[static_cast<unsigned char>(c) >> 4];
      m_result.text += kDigits[static_cast<unsigned char>(c) & 15];
      m_result.control = true;
    } else {
      keep();
    }
  }

  void escape() {
    const char next = m_at + 1 < m_in.size() ? m_in[m_at + 1] : '\0';
    keep();
    if (std::string_view("\"\\/bfnrtu").find(next) == std::string_view::npos || next == '\0') {
      m_result.text += '\\';
      m_result.escapes = true;
    } else {
      ++m_at;
      keep();
    }
  }

  /// A quote ends a text only where JSON may go on behind it.
  void quote() {
    const std::size_t next = m_in.find_first_not_of(kJsonBlanks, m_at + 1);
    if (next == std::string::npos || std::string_view(",:}]").find(m_in[next]) != std::string_view::npos) {
      m_string = false;
    } else {
      m_result.text += '\\';
      m_result.quotes = true;
    }
    keep();
  }

  std::string m_in;
  RepairedJson& m_result;
  std::size_t m_at = 0;
  bool m_string = false;
};

}  // namespace

RepairedJson suggestionJson(std::string_view json) {
  json = json.substr(0, json.find_last_not_of(" \t\r\n,") + 1);
  RepairedJson result;
  result.text = validUtf8(json);
  result.invalid_utf8 = result.text != json;
  Repairer(result).run();
  return result;
}

}  // namespace lanelab
