// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/chrome/event_digest.h"

#include <algorithm>

#include "profiler/io/chrome/json_scan.h"
#include "profiler/io/source/cut_text.h"

namespace lanelab {

namespace {

constexpr std::size_t kMostText = kMostNameBytes + 64;

/// Whether the first half of a pair, as \ud83d\ude00, ends at that place.
bool isBehindHalf(std::string_view text, std::size_t at) {
  constexpr std::size_t kLength = 6;
  if (at < kLength) return false;
  const std::string_view half = text.substr(at - kLength, kLength);
  return half.starts_with("\\u") && (half[2] == 'd' || half[2] == 'D') &&
         std::string_view("89abAB").find(half[3]) != std::string_view::npos;
}

/// The length of the front of an escaped text that is not cut within an escape or a character.
std::size_t frontLength(std::string_view text) {
  if (text.size() <= kMostText) return text.size();
  constexpr std::size_t kLongestEscape = 12;  // of two halves
  const std::string_view front = cutText(text, kMostText);
  const std::size_t slash = front.find('\\', front.size() - kLongestEscape);
  if (slash == std::string_view::npos) return front.size();
  const std::size_t whole = front.find_last_not_of('\\', slash) + 1;
  return isBehindHalf(front, whole) ? whole - kLongestEscape / 2 : whole;
}

class Digester {
 public:
  explicit Digester(std::string_view json) : m_json(json) {}

  EventDigest run() {
    while (m_at < m_json.size()) token();
    return std::move(m_digest);
  }

 private:
  void token() {
    const char c = m_json[m_at];
    if (c == '"') return text();
    if (c == '{' || c == '[') return open(c);
    if (c == '}' || c == ']') m_depth -= m_depth > 0 ? 1 : 0;
    if (c == ',' && isFull()) return leaveOut();
    m_digest.text += c;
    ++m_at;
  }

  void text() {
    const std::size_t length = valueLength();
    const std::string_view inner = m_json.substr(m_at + 1, length - std::min<std::size_t>(length, 2));
    m_digest.text += '"';
    m_digest.text += inner.substr(0, frontLength(inner));
    m_digest.text += '"';
    m_at += length;
  }

  /// Only the arguments and a second id are read, which are objects.
  void open(char c) {
    if (m_depth == 0 || (m_depth == 1 && c == '{')) {
      ++m_depth;
      m_digest.text += c;
      ++m_at;
    } else {
      m_digest.text += "null";
      m_at += valueLength();
    }
  }

  /// The members of the event itself have as much room again.
  bool isFull() const { return m_depth > 0 && m_digest.text.size() > kMostEventBytes * (m_depth == 1 ? 2 : 1); }

  /// Up to the end of the object.
  void leaveOut() {
    m_digest.cut = true;
    while (m_at < m_json.size() && m_json[m_at] != '}') {
      const bool nested = m_json[m_at] == '"' || m_json[m_at] == '{' || m_json[m_at] == '[';
      m_at += nested ? valueLength() : 1;
    }
  }

  std::size_t valueLength() const {
    ValueScan scan;
    return scan.run(m_json.substr(m_at));
  }

  std::string_view m_json;
  std::size_t m_at = 0;
  std::size_t m_depth = 0;
  EventDigest m_digest;
};

}  // namespace

EventDigest eventDigest(std::string_view json) { return Digester(json).run(); }

}  // namespace lanelab
