#include "profiler/io/event_cutter.h"

#include <algorithm>

namespace lanelab {

namespace {

constexpr std::size_t cut = std::string_view::npos;

class Cutter {
 public:
  explicit Cutter(std::string_view text) : m_text(text) {}

  CutTrace run() {
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    if (m_text.starts_with(byteOrderMark)) m_at = byteOrderMark.size();
    skip(" \t\r\n");
    if (peek() == '[') {
      events();
    } else if (peek() == '{') {
      ++m_at;
      while (field()) continue;
    }
    return std::move(m_result);
  }

 private:
  bool atEnd() const { return m_at >= m_text.size(); }
  char peek() const { return atEnd() ? '\0' : m_text[m_at]; }
  void skip(std::string_view what) { m_at = std::min(m_text.find_first_not_of(what, m_at), m_text.size()); }

  void noteCut() {
    ++m_result.problems["cut_file"];
    m_at = m_text.size();
  }

  std::size_t stringEnd(std::size_t quote) const {
    for (std::size_t i = quote + 1; i < m_text.size(); ++i) {
      if (m_text[i] == '\\') {
        ++i;
      } else if (m_text[i] == '"') {
        return i + 1;
      }
    }
    return cut;
  }

  std::size_t bracketEnd(std::size_t open) const {
    std::size_t depth = 0;
    for (std::size_t i = open; i < m_text.size(); ++i) {
      const char c = m_text[i];
      if (c == '"') {
        i = stringEnd(i);
        if (i == cut) return cut;
        --i;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if ((c == '}' || c == ']') && --depth == 0) {
        return i + 1;
      }
    }
    return cut;
  }

  /// Behind the value that begins here, or `cut`.
  std::size_t valueEnd() const {
    const char c = peek();
    if (c == '{' || c == '[') return bracketEnd(m_at);
    if (c == '"') return stringEnd(m_at);
    return std::min(m_text.find_first_of(",]} \t\r\n", m_at), m_text.size());
  }

  /// Takes one `"key": value` of the top level; false at its end.
  bool field() {
    skip(" \t\r\n,");
    if (atEnd() || peek() == '}') return false;
    const std::size_t keyEnd = peek() == '"' ? stringEnd(m_at) : cut;
    if (keyEnd == cut) return stopAtDamage();
    const std::string key(m_text.substr(m_at + 1, keyEnd - m_at - 2));
    m_at = keyEnd;
    skip(" \t\r\n");
    if (peek() != ':') return stopAtDamage();
    ++m_at;
    skip(" \t\r\n");
    if (key == "traceEvents" && peek() == '[') {
      events();
      return true;
    }
    const std::size_t end = valueEnd();
    if (end == cut || end == m_at) return stopAtDamage();
    m_result.fields.emplace(key, m_text.substr(m_at, end - m_at));
    m_at = end;
    return true;
  }

  bool stopAtDamage() {
    ++m_result.problems[m_text.find_first_not_of(" \t\r\n", m_at) == cut || valueEnd() == cut ? "cut_file" : "damaged_text"];
    return false;
  }

  void events() {
    m_result.has_events = true;
    ++m_at;
    while (true) {
      skip(" \t\r\n,");
      if (atEnd()) return;
      if (peek() == ']') {
        ++m_at;
        return;
      }
      if (peek() == '{') {
        event();
      } else {
        ++m_result.problems["damaged_text"];
        m_at = std::min(m_text.find_first_of("{]", m_at), m_text.size());
      }
    }
  }

  void event() {
    const std::size_t end = bracketEnd(m_at);
    if (end == cut) return noteCut();
    m_result.events.push_back(m_text.substr(m_at, end - m_at));
    m_at = end;
  }

  std::string_view m_text;
  std::size_t m_at = 0;
  CutTrace m_result;
};

}  // namespace

CutTrace cutTrace(std::string_view text) { return Cutter(text).run(); }

}  // namespace lanelab
