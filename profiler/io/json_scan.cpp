#include "profiler/io/json_scan.h"

#include <algorithm>
#include <array>

namespace lanelab {

namespace {


constexpr auto markBytes(std::string_view bytes) {
  std::array<bool, 256> marked{};
  for (const char c : bytes) marked[static_cast<unsigned char>(c)] = true;
  return marked;
}

constexpr std::array<bool, 256> matters = markBytes("\"{}[]");

bool seemsEvent(std::string_view text) {
  constexpr std::size_t farthest = 64 * 1024;
  text = text.substr(0, farthest);
  const std::size_t key = text.find_first_not_of(json_blanks, 1);
  if (key == std::string_view::npos || text[key] != '"') return false;
  return text.substr(0, valueLength(text)).find("\"ph\"") != std::string_view::npos;
}

}  // namespace

std::size_t ValueScan::run(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  if (!m_begun && at < end) {
    m_begun = true;
    if (*at != '"' && *at != '{' && *at != '[') {
      m_closed = true;
      return std::min(text.find_first_of(",]} \t\r\n"), text.size());
    }
  }
  while (at < end && !m_closed) at = m_string ? inString(at, end) : outside(at, end);
  return static_cast<std::size_t>(at - text.data());
}

const char* ValueScan::inString(const char* at, const char* end) {
  if (m_escaped) {
    m_escaped = false;
    ++at;
  }
  while (at < end && *at != '"' && *at != '\\') ++at;
  if (at == end) return end;
  if (*at == '\\') {
    m_escaped = true;
  } else {
    m_string = false;
    m_closed = m_depth == 0;
  }
  return at + 1;
}

const char* ValueScan::outside(const char* at, const char* end) {
  while (at < end && !matters[static_cast<unsigned char>(*at)]) ++at;
  if (at == end) return end;
  switch (*at) {
    case '"': m_string = true; break;
    case '{':
    case '[': ++m_depth; break;
    default: m_closed = --m_depth == 0; break;
  }
  return at + 1;
}

std::size_t valueLength(std::string_view text) {
  ValueScan scan;
  const std::size_t length = scan.run(text);
  return scan.closed() ? length : std::string_view::npos;
}

std::size_t nextEventWithin(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find('{', from); at != std::string_view::npos; at = text.find('{', at + 1)) {
    const std::size_t before = at == 0 ? std::string_view::npos : text.find_last_not_of(json_blanks, at - 1);
    if (before == std::string_view::npos) continue;
    const bool newLine = text.substr(before + 1, at - before - 1).find('\n') != std::string_view::npos;
    const bool beside = text[before] == ',' || text[before] == '}';
    if ((beside || (newLine && text[before] != ':' && text[before] != '[')) && seemsEvent(text.substr(at))) return at;
  }
  return std::string_view::npos;
}

}  // namespace lanelab
