// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/chrome/event_splitter.h"

#include <simdjson.h>

#include <algorithm>
#include <utility>

#include "profiler/io/chrome/json_scan.h"
#include "profiler/io/source/text_window.h"

namespace lanelab {

namespace {

constexpr ByteSet kBlanksAndCommas{" \t\r\n,"};
constexpr ByteSet kTokenBegins{"\"{[]},"};
constexpr ByteSet kEventBegins{"{]"};
constexpr std::size_t kNone = std::string_view::npos;
/// The longest event that is kept whole, the longest value of the top level, and its longest key.
constexpr std::size_t kLongest = 64U << 20U;
constexpr std::size_t kLongestValue = 8U << 20U;
constexpr std::size_t kLongestKey = 1U << 16U;

bool isKept(std::string_view key) { return key == "baseTimeNanoseconds" || key == "otherData"; }

}  // namespace

/// What makes the time linear: text that damage makes it look at again is paid for by an allowance, of which each byte
/// that is done with gives some. While that is used up, an event ends where the next one seems to begin, so that no
/// byte is looked at twice.
struct EventSplitter::State {
  enum class Place { Begin, Fields, Events, End };

  State(ByteSource& source, std::map<std::string, std::int64_t>& counts)
      : window(source, simdjson::SIMDJSON_PADDING), problems(counts) {}

  TextWindow window;
  std::map<std::string, std::int64_t>& problems;
  std::map<std::string, std::string> fields;
  Place place = Place::Begin;
  bool bare = false;
  bool found_events = false;
  bool found_text = false;
  std::string_view last;
  bool behind_damage = false;
  bool given = false;              ///< any event
  std::size_t stray_bytes = 0;     ///< before the first event
  std::int64_t damaged_texts = 0;  ///< counted here, since there may be one for each byte
  /// How far an event is followed before another one is looked for inside it: less after damage, so that much damage
  /// does not take long.
  std::size_t patience = kMostPatience;
  static constexpr std::size_t kMostPatience = 1U << 20U;
  static constexpr std::size_t kLeastPatience = 1U << 13U;

  std::size_t looked_again = 0;  ///< bytes, roughly weighed by what it takes

  std::size_t allowance() const {
    constexpr std::size_t kFirst = 16U << 20U;
    constexpr std::size_t kPerByte = 8;
    const std::size_t all = kFirst + kPerByte * window.dropped();
    return all - std::min(all, looked_again);
  }
  bool mayLookAgain() const { return allowance() >= kMostPatience; }

  /// nextEventWithin() on account of the allowance.
  std::size_t otherEvent(std::string_view text, std::size_t from, std::size_t to) {
    const std::size_t before = mayLookAgain() ? allowance() : 0;
    std::size_t left = before;
    const std::size_t found = nextEventWithin(text, from, to, left);
    looked_again += before - left;
    return found;
  }

  void end() {
    place = Place::End;
    if (damaged_texts > 0) problems["damaged_text"] += std::exchange(damaged_texts, 0);
  }
  /// Right behind skip().
  bool atEnd() const { return window.text().empty(); }

  /// The first character that is not in `bytes`, '\0' at the end; everything before it is dropped.
  char skip(const ByteSet& bytes) {
    do {
      const std::string_view text = window.text();
      const std::size_t at = bytes.firstNotIn(text);
      if (at != kNone) {
        window.drop(at);
        return text[at];
      }
      window.drop(text.size());
    } while (window.more());
    return '\0';
  }

  /// Drops everything before the first of `bytes`.
  void skipTo(const ByteSet& bytes) {
    do {
      const std::size_t at = bytes.firstIn(window.text());
      if (at != kNone) return window.drop(at);
      window.drop(window.text().size());
    } while (window.more());
  }

  /// The first character that is no blank, from place `at` on, without dropping anything; '\0' at the end, and where
  /// blanks do not end.
  char ahead(std::size_t& at) {
    constexpr std::size_t kFarthest = 1U << 16U;
    do {
      const std::size_t found = kJsonBlankBytes.firstNotIn(window.text(), at);
      if (found != kNone) {
        at = found;
        return window.text()[found];
      }
      at = window.text().size();
    } while (at < kFarthest && window.more());
    return '\0';
  }

  /// Goes on with a value of which `length` bytes were scanned, until it is closed, has `limit` bytes or the text ends.
  void follow(ValueScan& scan, std::size_t& length, std::size_t limit) {
    while (!scan.closed() && length < limit && (length < window.text().size() || window.more()))
      length += scan.run(window.text().substr(length, limit - length));
  }

  /// Length of the value that begins here, `none` when it does not end within `limit` or the text.
  std::size_t lengthWithin(std::size_t limit) {
    ValueScan scan;
    std::size_t length = 0;
    follow(scan, length, limit);
    return scan.closed() || (scan.closedAtEnd() && length < limit) ? length : kNone;
  }

  void begin() {
    window.holds(3);
    if (window.text().starts_with("\xEF\xBB\xBF")) window.drop(3);
    const char c = skip(kJsonBlankBytes);
    found_text = !atEnd();
    if (c == '[') {
      bare = true;
      enterEvents();
    } else if (c == '{') {
      window.drop(1);
      place = Place::Fields;
    } else {
      end();
    }
  }

  void enterEvents() {
    window.drop(1);
    found_events = true;
    place = Place::Events;
  }

  /// Takes one `"key": value` of the top level.
  void field() {
    const char c = skip(kBlanksAndCommas);
    if (atEnd() || c == '}') return end();
    const std::size_t length = c == '"' ? lengthWithin(kLongestKey) : kNone;
    if (length == kNone) return recover();
    const std::string key(window.text().substr(1, length - 2));
    window.drop(length);
    if (skip(kJsonBlankBytes) != ':') return recover();
    window.drop(1);
    const char first = skip(kJsonBlankBytes);
    if (key == "traceEvents" && first == '[') return enterEvents();
    isKept(key) ? keepValue(key) : passValue(key);
  }

  void keepValue(const std::string& key) {
    const std::size_t length = lengthWithin(kLongestValue);
    if (length == 0 || length == kNone) return recover();
    const std::string_view text = window.text().substr(0, length);
    if (!found_events && EventsKeyScan().run(text) != kNone) return recover();
    fields.emplace(key, text);
    window.drop(length);
  }

  void passValue(const std::string& key) {
    constexpr std::size_t kMostFields = 1000;
    constexpr std::size_t kLongestName = 64;
    ValueScan scan;
    const std::size_t begin = window.dropped();
    if (passText(&scan)) return;
    if (window.dropped() == begin) return recover();
    if (!scan.closedAtEnd()) return endBadly("cut_file");
    if (fields.size() < kMostFields && key.size() <= kLongestName) fields.emplace(key, std::string());
  }

  /// Drops the text up to the events, which are entered if they are not yet found, else up to the end of the value, or
  /// of all text without one.
  bool passText(ValueScan* value) {
    EventsKeyScan events;
    do {
      const std::string_view text = window.text();
      const std::size_t length = value == nullptr ? text.size() : value->run(text);
      const std::size_t open = found_events ? kNone : events.run(text.substr(0, length));
      if (open != kNone) {
        ++damaged_texts;
        window.drop(open);
        enterEvents();
        return true;
      }
      window.drop(length);
    } while (!(value != nullptr && value->closed()) && window.more());
    return false;
  }

  /// After damage at the top level: the events may still be found by their key.
  void recover() {
    ValueScan scan;
    scan.run(window.text());
    const bool blank = kJsonBlankBytes.firstNotIn(window.text()) == kNone;
    if (!found_events && passText(nullptr)) return;
    endBadly(blank || !scan.closedAtEnd() ? "cut_file" : "damaged_text");
  }

  void endBadly(const char* problem) {
    ++problems[problem];
    end();
  }

  /// Whether a ']' ends the events; after damage it may be a part of what was left of an event.
  bool endsEvents() {
    std::size_t at = 1;
    const char c = ahead(at);
    if (c == '\0') return true;
    if (bare) return false;
    if (c == '}') return ahead(++at) == '\0';
    return c == ',' && ahead(++at) == '"';
  }

  std::optional<std::string_view> nextEvent() {
    const char c = skip(kBlanksAndCommas);
    if (atEnd()) {
      end();
    } else if (c == '{') {
      return event();
    } else if (c == ']' && endsEvents()) {
      window.drop(1);
      place = Place::Fields;
      if (bare) end();
    } else {
      stray(c);
    }
    return std::nullopt;
  }

  /// Something that is no event. Brackets right behind a damaged event are what is left of it.
  void stray(char c) {
    const std::size_t begin = window.dropped();
    const bool bracket = c == ']' || c == '}';
    if (!behind_damage || !bracket) ++damaged_texts;
    const bool thorough = mayLookAgain();
    window.drop(bracket || !thorough ? 1 : strayLength());
    skipTo(thorough ? kTokenBegins : kEventBegins);
    passStray(window.dropped() - begin);
  }

  /// A list that begins with so much else has no events.
  void passStray(std::size_t bytes) {
    constexpr std::size_t kMost = 16U << 20U;
    stray_bytes += given ? 0 : bytes;
    if (stray_bytes > kMost) end();
  }

  std::size_t strayLength() {
    const std::size_t length = lengthWithin(patience);
    if (length != kNone) return std::max<std::size_t>(length, 1);
    looked_again += patience;
    return 1;
  }

  std::string_view give(std::size_t length) {
    last = window.text().substr(0, length);
    window.drop(length);
    behind_damage = false;
    given = true;
    return last;
  }

  std::optional<std::string_view> event() { return mayLookAgain() ? wholeEvent() : nearEvent(); }

  /// Up to its end, or where that is not found up to where another one begins within.
  std::optional<std::string_view> wholeEvent() {
    ValueScan scan;
    std::size_t length = 0;
    for (std::size_t limit = patience;; limit = std::min(limit * 8, kLongest)) {
      follow(scan, length, limit);
      if (scan.closed()) {
        patience = std::min(kMostPatience, patience + patience / 16);
        return give(length);
      }
      if (const std::size_t other = otherEvent(window.text().substr(0, length), 1, length); other != kNone) {
        patience = std::max(kLeastPatience, patience / 2);
        looked_again += length;
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
      window.holds(length + kNearPhase);
      if (const std::size_t other = nextEventWithin(window.text(), searched, length, allowed); other != kNone)
        return give(other);
      if (scan.closed()) return give(length);
      if (length < limit || limit >= kLongest) return lose(length < limit);
      searched = length;
    }
  }

  /// Drops what there is of an event that does not end.
  std::nullopt_t lose(bool text_ended) {
    ++problems[text_ended ? "cut_file" : "damaged_event"];
    const std::size_t bytes = window.text().size();
    window.drop(bytes);
    passStray(bytes);
    return std::nullopt;
  }
};

EventSplitter::EventSplitter(ByteSource& source, std::map<std::string, std::int64_t>& problems)
    : m_state(std::make_unique<State>(source, problems)) {}
EventSplitter::~EventSplitter() = default;

std::optional<std::string_view> EventSplitter::next() {
  State& state = *m_state;
  while (state.place != State::Place::End) {
    if (state.place == State::Place::Begin) {
      state.begin();
    } else if (state.place == State::Place::Fields) {
      state.field();
    } else if (auto event = state.nextEvent()) {
      return event;
    }
  }
  return std::nullopt;
}

std::optional<std::string_view> EventSplitter::shorten() {
  State& state = *m_state;
  state.behind_damage = true;
  // The event was scanned and parsed in vain, and what is behind its front will be again.
  constexpr std::size_t kWeight = 4;
  if (!state.mayLookAgain()) return std::nullopt;
  const std::size_t other = state.otherEvent(state.last, 1, state.last.size());
  if (other == kNone) return std::nullopt;
  state.looked_again += kWeight * (state.last.size() - other);
  state.window.takeBack(state.last.size() - other);
  state.last = state.last.substr(0, other);
  return state.last;
}

std::size_t EventSplitter::readable() const { return m_state->window.readableFrom(m_state->last.data()); }
bool EventSplitter::foundEvents() const { return m_state->found_events; }
bool EventSplitter::foundText() const { return m_state->found_text; }
const std::map<std::string, std::string>& EventSplitter::fields() const { return m_state->fields; }

}  // namespace lanelab
