// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/chrome/json_scan.h"

#include <algorithm>

namespace lanelab {

namespace {

constexpr std::size_t kNowhere = std::string_view::npos;
constexpr ByteSet kFraming{"\"{}[]"};
constexpr ByteSet kWordEnds{",]} \t\r\n"};

/// Where "ph" stands; each byte is looked at once as long as the places that are asked for ascend.
class PhaseKeys {
 public:
  explicit PhaseKeys(std::string_view text) : m_text(text) {}

  /// The place of the first one within [from, from + reach).
  std::size_t first(std::size_t from, std::size_t reach) {
    const std::size_t end = std::min(m_text.size(), from + reach);
    if (m_found == kNowhere || m_found < from) search(std::max(from, m_clear), end);
    return m_found != kNowhere && m_found + kKey.size() <= end ? m_found : kNowhere;
  }
  static constexpr std::string_view kKey = "\"ph\"";

 private:
  void search(std::size_t from, std::size_t end) {
    m_found = from < end ? m_text.substr(0, end).find(kKey, from) : kNowhere;
    if (m_found == kNowhere) m_clear = std::max(m_clear, std::max(end, kKey.size()) - kKey.size() + 1);
  }

  std::string_view m_text;
  std::size_t m_found = kNowhere;
  std::size_t m_clear = 0;  ///< none begins before
};

bool closesWithin(std::string_view text) {
  ValueScan scan;
  scan.run(text);
  return scan.closed();
}

/// Whether the '{' at that place is no value of a key, but one of a list or on a line of its own.
bool standsAlone(std::string_view text, std::size_t at) {
  bool new_line = false;
  while (at > 0 && kJsonBlankBytes.holds(text[at - 1])) new_line = text[--at] == '\n' || new_line;
  if (at == 0) return false;
  const char before = text[at - 1];
  return before == ',' || before == '}' || (new_line && before != ':' && before != '[');
}

bool beginsWithKey(std::string_view text, std::size_t at) {
  const std::size_t key = kJsonBlankBytes.firstNotIn(text, at + 1);
  return key != kNowhere && text[key] == '"';
}

bool holdsPhase(std::string_view text, std::size_t at, PhaseKeys& keys, std::size_t& allowance) {
  constexpr std::size_t kFarPhase = 64UL * 1024;
  const std::size_t phase = keys.first(at, allowance > 0 ? kFarPhase : kNearPhase);
  if (phase == kNowhere) return false;
  const std::size_t length = phase + PhaseKeys::kKey.size() - at;
  if (allowance < length) {
    allowance = 0;
    return length <= kNearPhase;
  }
  allowance -= length;
  return !closesWithin(text.substr(at, length));
}

}  // namespace

std::size_t ValueScan::run(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  if (!m_begun && at < end) {
    m_begun = true;
    m_word = *at != '"' && *at != '{' && *at != '[';
  }
  if (m_word) return inWord(text);
  while (at < end && !m_closed) at = m_string ? inString(at, end) : outside(at, end);
  return static_cast<std::size_t>(at - text.data());
}

std::size_t ValueScan::inWord(std::string_view text) {
  const std::size_t end = kWordEnds.firstIn(text);
  m_closed = m_closed || end != kNowhere;
  return std::min(end, text.size());
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
  while (at < end && !kFraming.holds(*at)) ++at;
  if (at == end) return end;
  switch (*at) {
    case '"': m_string = true; break;
    case '{':
    case '[': ++m_depth; break;
    default: m_closed = --m_depth == 0; break;
  }
  return at + 1;
}

std::size_t nextEventWithin(std::string_view text, std::size_t from, std::size_t to, std::size_t& allowance) {
  PhaseKeys keys(text);
  const std::string_view front = text.substr(0, to);
  for (std::size_t at = front.find('{', from); at != kNowhere; at = front.find('{', at + 1))
    if (standsAlone(text, at) && beginsWithKey(text, at) && holdsPhase(text, at, keys, allowance)) return at;
  return kNowhere;
}

std::size_t EventsKeyScan::run(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (m_matched == 0) at = std::min(text.find('"', at), text.size());
    if (at < text.size() && step(text[at])) return at;
  }
  return kNowhere;
}

bool EventsKeyScan::step(char c) {
  constexpr std::string_view kKey = "\"traceEvents\"";
  const bool whole = m_matched == kKey.size();
  if (whole && kJsonBlankBytes.holds(c)) return false;
  if (whole && m_colon && c == '[') {
    *this = {};
    return true;
  }
  if (whole && !m_colon && c == ':') {
    m_colon = true;
    return false;
  }
  m_colon = false;
  m_matched = !whole && c == kKey[m_matched] ? m_matched + 1 : c == '"' ? 1 : 0;
  return false;
}

}  // namespace lanelab
