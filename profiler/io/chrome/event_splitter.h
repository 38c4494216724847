// SPDX-License-Identifier: GPL-3.0-only
// Cuts a stream of Chrome trace JSON into its events without parsing them, so that one bad event never costs the others
// and a file that stops in the middle still gives what it holds. Any size of file: each event is a small document of
// its own, and only a window of the text is kept.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "profiler/io/chrome/json_scan.h"
#include "profiler/io/source/text_window.h"

namespace lanelab {

/// The text is an object with `traceEvents` or a bare array; closing brackets may be missing, commas may trail.
///
/// What makes the time linear: text that damage makes it look at again is paid for by an allowance, of which each byte
/// that is done with gives some. While that is used up, an event ends where the next one seems to begin, so that no
/// byte is looked at twice.
class EventSplitter {
 public:
  /// Both must outlive the splitter. Counts cut_file, damaged_text and damaged_event.
  EventSplitter(ByteSource& source, std::map<std::string, std::int64_t>& problems)
      : m_window(source, kReadOver), m_problems(problems) {}

  /// The next event, from its '{' to its '}' unless it is damaged; a view until the next call. Nothing at the end.
  std::optional<std::string_view> next() {
    while (m_place != Place::End) {
      if (m_place == Place::Begin) {
        begin();
      } else if (m_place == Place::Fields) {
        field();
      } else if (auto event = nextEvent()) {
        return event;
      }
    }
    return std::nullopt;
  }

  /// To be called for an event that could not be parsed: its front, where another event seems to begin within; next()
  /// then continues with that one.
  std::optional<std::string_view> shorten() {
    m_behind_damage = true;
    // The event was scanned and parsed in vain, and what is behind its front will be again.
    constexpr std::size_t kWeight = 4;
    if (!mayLookAgain()) return std::nullopt;
    const std::size_t other = otherEvent(m_last, 1, m_last.size());
    if (other == kNone) return std::nullopt;
    m_looked_again += kWeight * (m_last.size() - other);
    m_window.putBack(m_last.size() - other);
    m_last = m_last.substr(0, other);
    return m_last;
  }

  /// How many bytes may be read from the begin of the event that was given last: kReadOver behind the text at least.
  std::size_t readable() const { return m_window.readableFrom(m_last.data()); }
  static constexpr std::size_t kReadOver = 64;  ///< simdjson's padding

  bool foundEvents() const { return m_found_events; }  ///< an array of events was found, be it empty
  bool foundText() const { return m_found_text; }      ///< something else than blanks
  /// Once all events are given: whether the text ended before the array of events did.
  bool endedOpen() const { return m_ended_open; }
  /// Values at the top level that matter (baseTimeNanoseconds, otherData, distributedInfo), as written; others by their
  /// key only.
  const std::map<std::string, std::string>& fields() const { return m_fields; }

 private:
  enum class Place { Begin, Fields, Events, End };
  static constexpr ByteSet kBlanksAndCommas{" \t\r\n,"};
  static constexpr ByteSet kTokenBegins{"\"{[]},"};
  static constexpr ByteSet kEventBegins{"{]"};
  static constexpr std::size_t kNone = std::string_view::npos;
  /// The longest event that is kept whole, the longest value of the top level, and its longest key.
  static constexpr std::size_t kLongest = 64U << 20U;
  static constexpr std::size_t kLongestValue = 8U << 20U;
  static constexpr std::size_t kLongestKey = 1U << 16U;
  static constexpr std::size_t kMostPatience = 1U << 20U;
  static constexpr std::size_t kLeastPatience = 1U << 13U;

  static bool isKept(std::string_view key) {
    return key == "baseTimeNanoseconds" || key == "otherData" || key == "distributedInfo";
  }

  std::size_t allowance() const {
    constexpr std::size_t kFirst = 16U << 20U;
    constexpr std::size_t kPerByte = 8;
    const std::size_t all = kFirst + kPerByte * m_window.dropped();
    return all - std::min(all, m_looked_again);
  }
  bool mayLookAgain() const { return allowance() >= kMostPatience; }

  /// nextEventWithin() on account of the allowance.
  std::size_t otherEvent(std::string_view text, std::size_t from, std::size_t to) {
    const std::size_t before = mayLookAgain() ? allowance() : 0;
    std::size_t left = before;
    const std::size_t found = nextEventWithin(text, from, to, left);
    m_looked_again += before - left;
    return found;
  }

  void end() {
    m_place = Place::End;
    if (m_damaged_texts > 0) m_problems["damaged_text"] += std::exchange(m_damaged_texts, 0);
  }
  /// Right behind skip().
  bool atEnd() const { return m_window.text().empty(); }

  /// The first character that is not in `bytes`, '\0' at the end; everything before it is dropped.
  char skip(const ByteSet& bytes) {
    do {
      const std::string_view text = m_window.text();
      const std::size_t at = bytes.firstNotIn(text);
      if (at != kNone) {
        m_window.drop(at);
        return text[at];
      }
      m_window.drop(text.size());
    } while (m_window.more());
    return '\0';
  }

  /// Drops everything before the first of `bytes`.
  void skipTo(const ByteSet& bytes) {
    do {
      const std::size_t at = bytes.firstIn(m_window.text());
      if (at != kNone) return m_window.drop(at);
      m_window.drop(m_window.text().size());
    } while (m_window.more());
  }

  /// The first character that is no blank, from place `at` on, without dropping anything; '\0' at the end, and where
  /// blanks do not end.
  char ahead(std::size_t& at) {
    constexpr std::size_t kFarthest = 1U << 16U;
    do {
      const std::size_t found = kJsonBlankBytes.firstNotIn(m_window.text(), at);
      if (found != kNone) {
        at = found;
        return m_window.text()[found];
      }
      at = m_window.text().size();
    } while (at < kFarthest && m_window.more());
    return '\0';
  }

  /// Goes on with a value of which `length` bytes were scanned, until it is closed, has `limit` bytes or the text ends.
  void follow(ValueScan& scan, std::size_t& length, std::size_t limit) {
    while (!scan.closed() && length < limit && (length < m_window.text().size() || m_window.more()))
      length += scan.run(m_window.text().substr(length, limit - length));
  }

  /// Length of the value that begins here, `none` when it does not end within `limit` or the text.
  std::size_t lengthWithin(std::size_t limit) {
    ValueScan scan;
    std::size_t length = 0;
    follow(scan, length, limit);
    return scan.closed() || (scan.closedAtEnd() && length < limit) ? length : kNone;
  }

  void begin() {
    m_window.holds(3);
    if (m_window.text().starts_with("\xEF\xBB\xBF")) m_window.drop(3);
    const char c = skip(kJsonBlankBytes);
    m_found_text = !atEnd();
    if (c == '[') {
      m_bare = true;
      enterEvents();
    } else if (c == '{') {
      m_window.drop(1);
      m_place = Place::Fields;
    } else {
      end();
    }
  }

  void enterEvents() {
    m_window.drop(1);
    m_found_events = true;
    m_place = Place::Events;
  }

  /// Takes one `"key": value` of the top level.
  void field() {
    const char c = skip(kBlanksAndCommas);
    if (atEnd() || c == '}') return end();
    const std::size_t length = c == '"' ? lengthWithin(kLongestKey) : kNone;
    if (length == kNone) return recover();
    const std::string key(m_window.text().substr(1, length - 2));
    m_window.drop(length);
    if (skip(kJsonBlankBytes) != ':') return recover();
    m_window.drop(1);
    const char first = skip(kJsonBlankBytes);
    if (key == "traceEvents" && first == '[') return enterEvents();
    isKept(key) ? storeValue(key) : passValue(key);
  }

  void storeValue(const std::string& key) {
    const std::size_t length = lengthWithin(kLongestValue);
    if (length == 0 || length == kNone) return recover();
    if (!m_found_events && EventsKeyScan().run(m_window.text().substr(0, length)) != kNone && !fieldFollows(length))
      return recover();
    m_fields.emplace(key, m_window.text().substr(0, length));
    m_window.drop(length);
  }

  /// Whether another field of the top level stands behind `length` bytes. If so the value before it is whole, and a key
  /// traceEvents in it is its own; else a bracket may be missing, and the events may lie inside.
  bool fieldFollows(std::size_t length) { return ahead(length) == ',' && ahead(++length) == '"'; }

  void passValue(const std::string& key) {
    constexpr std::size_t kMostFields = 1000;
    constexpr std::size_t kLongestName = 64;
    ValueScan scan;
    const std::size_t begin = m_window.dropped();
    if (passText(&scan)) return;
    if (m_window.dropped() == begin) return recover();
    if (!scan.closedAtEnd()) return endBadly("cut_file");
    if (m_fields.size() < kMostFields && key.size() <= kLongestName) m_fields.emplace(key, std::string());
  }

  /// Drops the text up to the events, which are entered if they are not yet found, else up to the end of the value, or
  /// of all text without one. A key traceEvents within a value that is whole is passed with it.
  bool passText(ValueScan* value) {
    EventsKeyScan events;
    do {
      const std::string_view text = m_window.text();
      std::size_t length = value == nullptr ? text.size() : value->run(text);
      const std::size_t open = m_found_events ? kNone : events.run(text.substr(0, length));
      if (open != kNone && value != nullptr && closesBeforeField(*value, length)) {
        m_window.drop(length);
        return false;
      }
      if (open != kNone) {
        ++m_damaged_texts;
        m_window.drop(open);
        enterEvents();
        return true;
      }
      m_window.drop(length);
    } while (!(value != nullptr && value->closed()) && m_window.more());
    return false;
  }

  /// Goes on with a value as follow() does if it ends within kLongest bytes and a field follows it; else changes
  /// nothing. Called once a value at most, since then it is passed or the events are found: so the time stays linear.
  bool closesBeforeField(ValueScan& scan, std::size_t& length) {
    ValueScan further = scan;
    std::size_t end = length;
    follow(further, end, kLongest);
    if (!further.closed() || !fieldFollows(end)) return false;
    scan = further;
    length = end;
    return true;
  }

  /// After damage at the top level: the events may still be found by their key.
  void recover() {
    ValueScan scan;
    scan.run(m_window.text());
    const bool blank = kJsonBlankBytes.firstNotIn(m_window.text()) == kNone;
    if (!m_found_events && passText(nullptr)) return;
    endBadly(blank || !scan.closedAtEnd() ? "cut_file" : "damaged_text");
  }

  void endBadly(const char* problem) {
    ++m_problems[problem];
    end();
  }

  /// Whether a ']' ends the events; after damage it may be a part of what was left of an event.
  bool endsEvents() {
    std::size_t at = 1;
    const char c = ahead(at);
    if (c == '\0') return true;
    if (m_bare) return false;
    if (c == '}') return ahead(++at) == '\0';
    if (c != ',') return false;
    const char next = ahead(++at);
    return next == '"' || next == '\0' || (next == '}' && ahead(++at) == '\0');
  }

  std::optional<std::string_view> nextEvent() {
    const char c = skip(kBlanksAndCommas);
    if (atEnd()) {
      m_ended_open = true;
      end();
    } else if (c == '{') {
      return event();
    } else if (c == ']' && endsEvents()) {
      m_window.drop(1);
      m_place = Place::Fields;
      if (m_bare) end();
    } else {
      stray(c);
    }
    return std::nullopt;
  }

  /// Something that is no event. Brackets right behind a damaged event are what is left of it.
  void stray(char c) {
    const std::size_t begin = m_window.dropped();
    const bool bracket = c == ']' || c == '}';
    if (!m_behind_damage || !bracket) ++m_damaged_texts;
    const bool thorough = mayLookAgain();
    m_window.drop(bracket || !thorough ? 1 : strayLength());
    skipTo(thorough ? kTokenBegins : kEventBegins);
    passStray(m_window.dropped() - begin);
  }

  /// A list that begins with so much else has no events.
  void passStray(std::size_t bytes) {
    constexpr std::size_t kMost = 16U << 20U;
    m_stray_bytes += m_given ? 0 : bytes;
    if (m_stray_bytes > kMost) end();
  }

  std::size_t strayLength() {
    const std::size_t length = lengthWithin(m_patience);
    if (length != kNone) return std::max<std::size_t>(length, 1);
    m_looked_again += m_patience;
    return 1;
  }

  std::string_view give(std::size_t length) {
    m_last = m_window.text().substr(0, length);
    m_window.drop(length);
    m_behind_damage = false;
    m_given = true;
    return m_last;
  }

  std::optional<std::string_view> event() { return mayLookAgain() ? wholeEvent() : nearEvent(); }

  /// Up to its end, or where that is not found up to where another one begins within.
  std::optional<std::string_view> wholeEvent() {
    ValueScan scan;
    std::size_t length = 0;
    for (std::size_t limit = m_patience;; limit = std::min(limit * 8, kLongest)) {
      follow(scan, length, limit);
      if (scan.closed()) {
        m_patience = std::min(kMostPatience, m_patience + m_patience / 16);
        return give(length);
      }
      if (const std::size_t other = otherEvent(m_window.text().substr(0, length), 1, length); other != kNone) {
        m_patience = std::max(kLeastPatience, m_patience / 2);
        m_looked_again += length;
        return give(other);
      }
      if (length < limit || limit >= kLongest) return lose(length < limit);
    }
  }

  /// Up to its end or to where another one seems to begin, whichever comes first.
  std::optional<std::string_view> nearEvent() {
    constexpr std::size_t kNearest = 64;
    ValueScan scan;
    std::size_t length = 0;
    std::size_t searched = 1;
    std::size_t allowed = 0;
    for (std::size_t limit = kNearest;; limit *= 2) {
      follow(scan, length, limit);
      m_window.holds(length + kNearPhase);
      if (const std::size_t other = nextEventWithin(m_window.text(), searched, length, allowed); other != kNone)
        return give(other);
      if (scan.closed()) return give(length);
      if (length < limit || limit >= kLongest) return lose(length < limit);
      searched = length;
    }
  }

  /// Drops what there is of an event that does not end.
  std::nullopt_t lose(bool text_ended) {
    ++m_problems[text_ended ? "cut_file" : "damaged_event"];
    const std::size_t bytes = m_window.text().size();
    m_window.drop(bytes);
    passStray(bytes);
    return std::nullopt;
  }

  TextWindow m_window;
  std::map<std::string, std::int64_t>& m_problems;
  std::map<std::string, std::string> m_fields;
  Place m_place = Place::Begin;
  bool m_bare = false;
  bool m_found_events = false;
  bool m_found_text = false;
  bool m_ended_open = false;
  std::string_view m_last;
  bool m_behind_damage = false;
  bool m_given = false;              ///< any event
  std::size_t m_stray_bytes = 0;     ///< before the first event
  std::int64_t m_damaged_texts = 0;  ///< counted here, since there may be one for each byte
  /// How far an event is followed before another one is looked for inside it: less after damage, so that much damage
  /// does not take long.
  std::size_t m_patience = kMostPatience;
  std::size_t m_looked_again = 0;  ///< bytes, roughly weighed by what it takes
};

}  // namespace lanelab
