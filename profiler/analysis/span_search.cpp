// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/span_search.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/parse_number.h"

namespace lanelab {

namespace {

using Kind = SearchTerm::Kind;

constexpr std::size_t kSpansBetweenLooks = 65536;  ///< at the stop token

char small(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }
char large(char letter) { return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter; }
bool isBlank(char letter) { return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r'; }

std::string inSmall(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), small);
  return result;
}

std::optional<int> numberOf(std::string_view text) {
  const auto number = parseNumber<int>(text);
  return number && *number >= 0 ? number : std::nullopt;
}

struct QueryWord {
  std::string_view text;
  bool quoted = false;
};

std::vector<QueryWord> wordsOf(std::string_view text) {
  std::vector<QueryWord> words;
  std::size_t at = 0;
  while (at < text.size()) {
    if (isBlank(text[at])) {
      ++at;
      continue;
    }
    const bool quoted = text[at] == '"';
    const std::size_t from = quoted ? at + 1 : at;
    std::size_t end = from;
    while (end < text.size() && (quoted ? text[end] != '"' : !isBlank(text[end]))) ++end;
    if (end > from) words.push_back({text.substr(from, end - from), quoted});
    at = quoted ? end + 1 : end;
  }
  return words;
}

struct Keyword {
  std::string_view word;
  Kind kind;
};
constexpr std::array<Keyword, 6> kKeywords = {{{"micro-batch", Kind::MicroBatch},
                                               {"microbatch", Kind::MicroBatch},
                                               {"stage", Kind::Stage},
                                               {"step", Kind::Step},
                                               {"lane", Kind::Lane},
                                               {"mb", Kind::MicroBatch}}};

/// What follows the keyword, without a sign between; nothing when the word does not begin with one.
std::optional<std::string_view> afterKeyword(std::string_view word, const Keyword& keyword) {
  if (inSmall(word.substr(0, keyword.word.size())) != keyword.word) return std::nullopt;
  std::string_view rest = word.substr(keyword.word.size());
  if (!rest.empty() && (rest.front() == ':' || rest.front() == '=')) rest.remove_prefix(1);
  return rest;
}

/// "step2", "step:2", or with the next word "step 2", which is then used up.
std::optional<SearchTerm> numbered(const std::vector<QueryWord>& words, std::size_t& at) {
  for (const Keyword& keyword : kKeywords) {
    const auto rest = afterKeyword(words[at].text, keyword);
    if (!rest) continue;
    const bool whole = rest->empty();
    if (whole && at + 1 == words.size()) return std::nullopt;
    const std::string_view told = whole ? words[at + 1].text : *rest;
    const auto number = numberOf(told);
    const bool named = keyword.kind == Kind::Lane && whole && !number;
    if (!number && !named) return std::nullopt;
    if (whole) ++at;
    return SearchTerm{keyword.kind, named ? inSmall(told) : std::string(), number.value_or(-1), -1, Phase::None};
  }
  return std::nullopt;
}

std::optional<SearchTerm> actionTerm(std::string_view word) {
  const auto letter = std::find_if_not(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (letter == word.end() || (word.size() == 1 && small(*letter) == *letter)) return std::nullopt;
  const Phase phase = phaseOfLetter(large(*letter));
  const auto stage = numberOf({word.begin(), letter}), batch = numberOf({letter + 1, word.end()});
  const bool digits = (letter == word.begin() || stage) && (letter + 1 == word.end() || batch);
  if (phase == Phase::None || !digits) return std::nullopt;
  return SearchTerm{Kind::Action, inSmall(word), batch.value_or(-1), stage.value_or(-1), phase};
}

/// One term with all that it says of names, categories and tracks worked out.
struct ReadyTerm {
  SearchTerm term;
  std::vector<bool> names;
  std::array<bool, static_cast<std::size_t>(Category::Other) + 1> categories{};
  std::vector<bool> labels;  ///< by Span::label - 1
  std::vector<bool> tracks;
};

bool isOfLane(const Trace& trace, const Track& track, const std::string& name) {
  const LaneInfo* const lane = trace.laneAt(track.lane);
  return lane != nullptr && (inSmall(lane->name) == name || inSmall(lane->device) == name);
}

ReadyTerm readied(const Trace& trace, const SearchTerm& term) {
  ReadyTerm ready{term, {}, {}, {}, {}};
  if (term.kind == Kind::Text || term.kind == Kind::Action) {
    ready.names.reserve(trace.names.size());
    for (const std::string& name : trace.names)
      ready.names.push_back(inSmall(name).find(term.text) != std::string::npos);
  }
  if (term.kind == Kind::Text) {
    for (std::size_t i = 0; i < ready.categories.size(); ++i)
      ready.categories[i] = toString(static_cast<Category>(i)) == term.text;
    for (const std::string& label : trace.labels) ready.labels.push_back(inSmall(label) == term.text);
  }
  if (term.kind == Kind::Step) ready.term.number -= shownStep(trace, 0);  // readers count from 1
  for (const Track& track : trace.tracks) {
    const bool by_number = term.kind == Kind::Lane && term.number >= 0 && track.lane == term.number;
    const bool by_name =
        (term.kind == Kind::Lane || term.kind == Kind::Text) && !term.text.empty() && isOfLane(trace, track, term.text);
    ready.tracks.push_back(by_number || by_name);
  }
  return ready;
}

class Matcher {
 public:
  Matcher(const Trace& trace, const std::vector<SearchTerm>& terms) : m_trace(trace) {
    for (const SearchTerm& term : terms) {
      m_terms.push_back(readied(trace, term));
      m_only_actions = m_only_actions && term.kind != Kind::Text;
    }
  }

  bool matches(const Track& track, std::size_t track_index, const Span& span) const {
    const bool action = span.category == Category::Action || m_trace.failed(span);
    if (span.category == Category::Wait || (track.kind == Track::Kind::Compute && !action)) return false;
    bool named = false;
    for (const ReadyTerm& term : m_terms)
      if (!holds(term, track_index, span, named)) return false;
    return action || named || !m_only_actions;
  }

 private:
  static bool isAny(int wanted, int number) { return wanted < 0 || wanted == number; }

  /// A span of no phase is no action's, so there "f32" is part of a name: a kernel's, say. A lone letter is part of
  /// nearly every name.
  static bool holds(const ReadyTerm& ready, std::size_t track, const Span& span, bool& named) {
    const SearchTerm& term = ready.term;
    switch (term.kind) {
      case Kind::Step: return span.step >= 0 && span.step == term.number;
      case Kind::Stage: return span.stage == term.number;
      case Kind::MicroBatch: return span.micro_batch == term.number && span.phase != Phase::Update;
      case Kind::Lane: return ready.tracks[track];
      case Kind::Action:
        if (span.phase != Phase::None)
          return span.phase == term.phase && isAny(term.stage, span.stage) && isAny(term.number, span.micro_batch);
        if (term.text.size() == 1 || !ready.names[span.name]) return false;
        return named = true;
      case Kind::Text: break;
    }
    const bool kind =
        span.label == 0 ? ready.categories[static_cast<std::size_t>(span.category)] : ready.labels[span.label - 1U];
    return ready.names[span.name] || kind || ready.tracks[track];
  }

  const Trace& m_trace;
  std::vector<ReadyTerm> m_terms;
  bool m_only_actions = true;
};

/// Merges runs [begins[i], begins[i+1]) that are in order each.
void mergeRuns(std::vector<SpanMatch>& matches, std::vector<std::size_t> begins) {
  while (begins.size() > 2) {
    std::vector<std::size_t> merged{0};
    for (std::size_t run = 0; run + 1 < begins.size(); run += 2) {
      const std::size_t end = begins[std::min(run + 2, begins.size() - 1)];
      const auto at = [&](std::size_t place) { return matches.begin() + static_cast<std::ptrdiff_t>(place); };
      std::inplace_merge(at(begins[run]), at(begins[run + 1]), at(end));
      merged.push_back(end);
    }
    begins = std::move(merged);
  }
}

}  // namespace

std::vector<SearchTerm> parseSearch(std::string_view text) {
  const std::vector<QueryWord> words = wordsOf(text);
  std::vector<SearchTerm> terms;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const QueryWord word = words[at];
    auto term = word.quoted ? std::nullopt : numbered(words, at);
    if (!term && !word.quoted) term = actionTerm(word.text);
    terms.push_back(term.value_or(SearchTerm{Kind::Text, inSmall(word.text), -1, -1, Phase::None}));
  }
  return terms;
}

std::vector<SpanMatch> findSpans(const Trace& trace, const std::vector<SearchTerm>& terms, std::stop_token stop) {
  std::vector<SpanMatch> matches;
  if (terms.empty()) return matches;
  const Matcher matcher(trace, terms);
  std::vector<std::size_t> begins{0};
  for (std::size_t track = 0; track < trace.tracks.size(); ++track) {
    if (trace.tracks[track].kind == Track::Kind::Step) continue;
    std::uint32_t index = 0;
    for (const Span& span : trace.tracks[track].spans) {
      if (index % kSpansBetweenLooks == 0 && stop.stop_requested()) return matches;
      if (matcher.matches(trace.tracks[track], track, span))
        matches.push_back({span.start, static_cast<std::uint32_t>(track), index});
      ++index;
    }
    if (matches.size() > begins.back()) begins.push_back(matches.size());
  }
  mergeRuns(matches, std::move(begins));
  return matches;
}

}  // namespace lanelab
