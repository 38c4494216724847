#include "profiler/io/event_cutter.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "profiler/io/json_scan.h"

namespace lanelab {

namespace {

constexpr std::string_view blanksAndCommas = " \t\r\n,";
constexpr std::size_t none = std::string_view::npos;
/// The longest event or value that is kept whole.
constexpr std::size_t longest = 64U << 20U;

/// The part of the text that is being looked at.
class Window {
 public:
  explicit Window(ByteSource& source) : m_source(source), m_bytes((1U << 18U) + simdjson::SIMDJSON_PADDING) {}

  std::string_view text() const { return {m_bytes.data() + m_begin, m_end - m_begin}; }
  /// Bytes from `at` on, with those behind the text that may be read over.
  std::size_t readableFrom(const char* at) const { return static_cast<std::size_t>(m_bytes.data() + m_bytes.size() - at); }
  void drop(std::size_t count) { m_begin += count; }
  void takeBack(std::size_t count) { m_begin -= count; }

  /// More text behind what there is; false at the end. Views become invalid.
  bool more() {
    if (m_ended) return false;
    std::memmove(m_bytes.data(), m_bytes.data() + m_begin, m_end - m_begin);
    m_end -= m_begin;
    m_begin = 0;
    if (room() < 1U << 15U) m_bytes.resize(m_bytes.size() * 2);
    const std::size_t count = m_source.read(m_bytes.data() + m_end, room());
    m_end += count;
    m_ended = count == 0;
    return !m_ended;
  }

 private:
  std::size_t room() const { return m_bytes.size() - simdjson::SIMDJSON_PADDING - m_end; }

  ByteSource& m_source;
  std::vector<char> m_bytes;
  std::size_t m_begin = 0;
  std::size_t m_end = 0;
  bool m_ended = false;
};

}  // namespace

struct EventCutter::State {
  enum class Place { Begin, Fields, Events, End };

  State(ByteSource& source, std::map<std::string, std::int64_t>& counts) : window(source), problems(counts) {}

  Window window;
  std::map<std::string, std::int64_t>& problems;
  std::map<std::string, std::string> fields;
  Place place = Place::Begin;
  bool bare = false;
  bool found_events = false;
  bool found_text = false;
  std::string_view last;
  bool behind_damage = false;
  /// How far an event is followed before another one is looked for inside it: less after damage, so that much damage does not take long.
  std::size_t patience = most_patience;
  static constexpr std::size_t most_patience = 1U << 20U;
  static constexpr std::size_t least_patience = 1U << 13U;

  void end() { place = Place::End; }
  /// Right behind skip().
  bool atEnd() const { return window.text().empty(); }

  /// The first character that is none of `what`, '\0' at the end; everything before it is dropped.
  char skip(std::string_view what) {
    do {
      const std::string_view text = window.text();
      const std::size_t at = text.find_first_not_of(what);
      if (at != none) {
        window.drop(at);
        return text[at];
      }
      window.drop(text.size());
    } while (window.more());
    return '\0';
  }

  /// The first character that is no blank, from place `at` on, without dropping anything; '\0' at the end.
  char ahead(std::size_t& at) {
    do {
      const std::size_t found = window.text().find_first_not_of(json_blanks, at);
      if (found != none) {
        at = found;
        return window.text()[found];
      }
      at = window.text().size();
    } while (window.more());
    return '\0';
  }

  /// Length of the value that begins here, `none` when it does not end within `limit` or the text.
  std::size_t lengthWithin(std::size_t limit) {
    ValueScan scan;
    std::size_t length = 0;
    while (length < limit) {
      if (length == window.text().size() && !window.more()) return none;
      length += scan.run(window.text().substr(length, limit - length));
      if (scan.closed()) {
        // A number or a word may go on behind the window.
        const bool framed = std::string_view("\"{[").find(window.text().front()) != none;
        return framed || length < window.text().size() || !window.more() ? length : lengthWithin(limit);
      }
    }
    return none;
  }

  void begin() {
    skip({});
    if (window.text().starts_with("\xEF\xBB\xBF")) window.drop(3);
    const char c = skip(json_blanks);
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
    const char c = skip(blanksAndCommas);
    if (atEnd() || c == '}') return end();
    const std::size_t length = c == '"' ? lengthWithin(longest) : none;
    if (length == none) return recover();
    const std::string key(window.text().substr(1, length - 2));
    window.drop(length);
    if (skip(json_blanks) != ':') return recover();
    window.drop(1);
    const char first = skip(json_blanks);
    if (key == "traceEvents" && first == '[') return enterEvents();
    value(key);
  }

  void value(const std::string& key) {
    const std::size_t length = lengthWithin(longest);
    if (length == 0 || length == none) return length == none && window.text().size() >= longest ? skipHuge() : recover();
    const std::string_view text = window.text().substr(0, length);
    if (!found_events && eventsKeyIn(text) != none) return recover();
    if (fields.size() < 1000) fields.emplace(key, key == "baseTimeNanoseconds" || key == "otherData" ? std::string(text) : std::string());
    window.drop(length);
  }

  void skipHuge() {
    ValueScan scan;
    do {
      window.drop(scan.run(window.text()));
    } while (!scan.closed() && window.more());
  }

  static std::size_t eventsKeyIn(std::string_view text) {
    constexpr std::string_view key = "\"traceEvents\"";
    for (std::size_t at = text.find(key); at != none; at = text.find(key, at + 1)) {
      const std::size_t colon = text.find_first_not_of(json_blanks, at + key.size());
      if (colon == none || text[colon] != ':') continue;
      const std::size_t open = text.find_first_not_of(json_blanks, colon + 1);
      if (open != none && text[open] == '[') return open;
    }
    return none;
  }

  /// After damage at the top level: the events may still be found by their key.
  void recover() {
    while (!found_events) {
      if (const std::size_t open = eventsKeyIn(window.text()); open != none) {
        ++problems["damaged_text"];
        window.drop(open);
        return enterEvents();
      }
      constexpr std::size_t overlap = 64;
      if (window.text().size() > longest) window.drop(window.text().size() - overlap);
      if (!window.more()) break;
    }
    ++problems[window.text().find_first_not_of(json_blanks) == none || valueLength(window.text()) == none ? "cut_file" : "damaged_text"];
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
    const char c = skip(blanksAndCommas);
    if (atEnd()) {
      end();
    } else if (c == '{') {
      return event();
    } else if (c == ']' && endsEvents()) {
      window.drop(1);
      place = bare ? Place::End : Place::Fields;
    } else {
      stray(c);
    }
    return std::nullopt;
  }

  /// Something that is no event. Brackets right behind a damaged event are what is left of it.
  void stray(char c) {
    if (!behind_damage || (c != ']' && c != '}')) ++problems["damaged_text"];
    const std::size_t length = c == ']' || c == '}' ? 1 : lengthWithin(patience);
    window.drop(length == none || length == 0 ? 1 : length);
    while (window.text().find_first_of("\"{[]},") == none) {
      window.drop(window.text().size());
      if (!window.more()) return;
    }
    window.drop(window.text().find_first_of("\"{[]},"));
  }

  std::string_view give(std::size_t length) {
    last = window.text().substr(0, length);
    window.drop(length);
    behind_damage = false;
    return last;
  }

  std::optional<std::string_view> event() {
    for (std::size_t limit = patience;; limit *= 8) {
      if (const std::size_t length = lengthWithin(limit); length != none) {
        patience = std::min(most_patience, patience + patience / 16);
        return give(length);
      }
      const bool ended = window.text().size() < limit;
      if (const std::size_t other = nextEventWithin(window.text().substr(0, limit), 1); other != none) {
        patience = std::max(least_patience, patience / 2);
        return give(other);
      }
      if (!ended && limit < longest) continue;
      ++problems[ended ? "cut_file" : "damaged_event"];
      window.drop(window.text().size());
      return std::nullopt;
    }
  }
};

EventCutter::EventCutter(ByteSource& source, std::map<std::string, std::int64_t>& problems) : m_state(std::make_unique<State>(source, problems)) {}
EventCutter::~EventCutter() = default;

std::optional<std::string_view> EventCutter::next() {
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

std::optional<std::string_view> EventCutter::shorten() {
  State& state = *m_state;
  state.behind_damage = true;
  const std::size_t other = nextEventWithin(state.last, 1);
  if (other == none) return std::nullopt;
  state.window.takeBack(state.last.size() - other);
  state.last = state.last.substr(0, other);
  return state.last;
}

std::size_t EventCutter::readable() const { return m_state->window.readableFrom(m_state->last.data()); }
bool EventCutter::foundEvents() const { return m_state->found_events; }
bool EventCutter::foundText() const { return m_state->found_text; }
const std::map<std::string, std::string>& EventCutter::fields() const { return m_state->fields; }

}  // namespace lanelab
