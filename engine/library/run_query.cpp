// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/run_query.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <filesystem>
#include <set>

#include "base/text.h"

namespace lanelab {
namespace {

constexpr const char* kMissing = "-";

bool holds(const std::vector<std::string>& wanted, const std::string& value) {
  return wanted.empty() || std::ranges::find(wanted, value) != wanted.end();
}

std::string statusWord(const RunEntry& run) { return run.damaged ? "damaged" : toWord(run.status); }

/// All that a search looks at.
std::string searchedText(const RunEntry& run) {
  std::string text = run.name() + "\n" + run.experiment + "\n" + run.id + "\n" + run.work.arch + "\n" + run.labels.note;
  for (const std::string& tag : run.labels.tags) text += "\n" + tag;
  for (const VariantEntry& variant : run.variants)
    text += "\n" + variant.name + "\n" + variant.strategy + "\n" + variant.schedule;
  return smallLetters(std::move(text));
}

bool containsWords(const RunEntry& run, const std::string& search) {
  const std::string wanted = smallLetters(search);
  const std::vector<std::string_view> words = partsBetween(wanted, " \t");
  if (words.empty()) return true;
  const std::string text = searchedText(run);
  return std::ranges::all_of(words, [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

std::vector<std::string> statusWords() {
  std::vector<std::string> known = words<RunStatus>();
  known.emplace_back("damaged");
  return known;
}

Status addWords(std::vector<std::string>& to, const std::string& key, const std::vector<std::string_view>& values,
                const std::vector<std::string>& known) {
  for (const std::string_view value : values) {
    if (!known.empty() && std::ranges::find(known, value) == known.end())
      return Error::badInput("The {} \"{}\" is not known: {}", key, value, nearestHint(value, known));
    to.emplace_back(value);
  }
  return {};
}

/// A figure of the shown variant.
template <auto Figure>
std::optional<double> ofShown(const RunEntry& run) {
  const VariantEntry* const variant = run.shownVariant();
  if (variant == nullptr) return std::nullopt;
  return variant->*Figure;
}

/// A column has texts, of which an empty one is missing, or numbers with what shows them.
struct ColumnTraits {
  const char* title;
  std::string (*text)(const RunEntry& run) = nullptr;
  std::optional<double> (*number)(const RunEntry& run) = nullptr;
  std::string (*shown)(double value) = nullptr;
};

ColumnTraits traitsOf(RunColumn column) {
  const auto figures = [](double value) { return formatFigures(value); };
  const auto change = [](double value) { return formatChange(value); };
  using Run = const RunEntry&;
  switch (column) {
    case RunColumn::Star:
      return {"Star", nullptr, [](Run run) { return std::optional(run.labels.star ? 1.0 : 0.0); },
              [](double value) { return std::string(value > 0 ? "*" : ""); }};
    case RunColumn::Name: return {"Name", [](Run run) { return run.name(); }};
    case RunColumn::Model: return {"Model", [](Run run) { return run.work.arch; }};
    case RunColumn::Strategy: return {"Strategy", strategyText};
    case RunColumn::MicroBatchSize:
      return {"Micro-batch size", nullptr, ofShown<&VariantEntry::micro_batch_size>,
              [](double value) { return std::to_string(std::llround(value)); }};
    case RunColumn::SamplesPerSecond:
      return {"Samples/s", nullptr, ofShown<&VariantEntry::samples_per_second>, figures};
    case RunColumn::StepTime:
      return {"Step time (ms)", nullptr, ofShown<&VariantEntry::step_seconds>,
              [](double value) { return formatFigures(value * 1e3); }};
    case RunColumn::SpeedUp:
      return {"Speed-up vs baseline (95 % CI)", nullptr, ofShown<&VariantEntry::speed_up>, figures};
    case RunColumn::Status: return {"Status", statusWord};
    case RunColumn::Date: return {"Date (UTC)", [](Run run) { return run.started; }};
    case RunColumn::Tags: return {"Tags", [](Run run) { return joined(run.labels.tags, ", "); }};
    case RunColumn::Note: return {"Note", [](Run run) { return run.labels.note; }};
    case RunColumn::Id: return {"ID", [](Run run) { return run.id; }};
    case RunColumn::Loss: return {"Last loss", nullptr, ofShown<&VariantEntry::last_loss>, figures};
    case RunColumn::StepForecastError:
      return {"Step time forecast error", nullptr, ofShown<&VariantEntry::step_forecast_error>, change};
    case RunColumn::MemoryForecastError:
      return {"Memory forecast error", nullptr, ofShown<&VariantEntry::memory_forecast_error>, change};
    case RunColumn::Accuracy:
      return {"Accuracy", nullptr, ofShown<&VariantEntry::accuracy>, [](double value) { return formatPercent(value); }};
  }
  return {};
}

/// Missing ones are greater than all, whatever the direction.
template <class T>
std::weak_ordering ordered(const T& a, const T& b, bool a_missing, bool b_missing, bool descending) {
  if (a_missing || b_missing) return a_missing <=> b_missing;
  if (a < b) return descending ? std::weak_ordering::greater : std::weak_ordering::less;
  if (b < a) return descending ? std::weak_ordering::less : std::weak_ordering::greater;
  return std::weak_ordering::equivalent;
}

std::weak_ordering orderedBy(const RunEntry& a, const RunEntry& b, RunSort sort) {
  const ColumnTraits column = traitsOf(sort.column);
  if (column.number) {
    const auto x = column.number(a), y = column.number(b);
    return ordered(x.value_or(0), y.value_or(0), !x, !y, sort.descending);
  }
  const std::string x = smallLetters(column.text(a)), y = smallLetters(column.text(b));
  return ordered(x, y, x.empty(), y.empty(), sort.descending);
}

std::string firstLine(const std::string& text) {
  const std::size_t end = text.find('\n');
  return end == std::string::npos ? text : text.substr(0, end) + " ...";
}

bool isSameFolder(const std::string& folder, const std::string& word) {
  std::error_code error;
  return std::filesystem::exists(word, error) && std::filesystem::equivalent(folder, word, error);
}

Error ambiguous(const std::string& word, const std::vector<const RunEntry*>& found) {
  std::vector<std::string> ids;
  for (const RunEntry* run : found) ids.push_back(run->id);
  constexpr std::size_t kMostNamed = 5;
  if (ids.size() > kMostNamed) ids.resize(kMostNamed);
  return Error::badInput("\"{}\" names {}. Use an id, such as {}.", word,
                         counted(static_cast<std::int64_t>(found.size()), "run"), joinOr(ids));
}

}  // namespace

std::string strategyText(const RunEntry& run) {
  const VariantEntry* variant = run.shownVariant();
  if (variant == nullptr) return {};
  return variant->schedule.empty() ? variant->strategy : variant->strategy + " (" + variant->schedule + ")";
}

bool matches(const RunEntry& run, const RunFilter& filter) {
  const auto hasStrategy = [&](const VariantEntry& variant) { return holds(filter.strategies, variant.strategy); };
  const auto hasTag = [&](const std::string& tag) { return holds(filter.tags, tag); };
  return (!filter.starred || run.labels.star) && holds(filter.statuses, statusWord(run)) &&
         holds(filter.models, run.work.arch) &&
         (filter.strategies.empty() || std::ranges::any_of(run.variants, hasStrategy)) &&
         (filter.tags.empty() || std::ranges::any_of(run.labels.tags, hasTag)) && containsWords(run, filter.search);
}

Status addCondition(RunFilter& filter, const std::string& condition) {
  const std::size_t equals = condition.find('=');
  const std::string key = condition.substr(0, equals);
  const std::vector<std::string> known = {"status", "strategy", "model", "tag", "star"};
  if (key == "star" && equals == std::string::npos) {
    filter.starred = true;
    return {};
  }
  const std::string_view behind = equals == std::string::npos ? "" : std::string_view(condition).substr(equals + 1);
  const std::vector<std::string_view> values = partsBetween(behind, ",");
  if (std::ranges::find(known, key) == known.end())
    return Error::badInput("The filter \"{}\" is not known: {}", key, nearestHint(key, known));
  if (values.empty() || key == "star")
    return Error::badInput("The filter \"{}\" has no value. Write status=done, tag=NAME or star.", condition);
  if (key == "status") return addWords(filter.statuses, key, values, statusWords());
  if (key == "strategy") return addWords(filter.strategies, key, values, words<Strategy>());
  return addWords(key == "model" ? filter.models : filter.tags, key, values, {});
}

Result<RunSort> parseSort(const std::string& text) {
  const bool descending = text.starts_with('-');
  const std::string word = text.substr(descending ? 1 : 0);
  if (word == "images/s") return RunSort{RunColumn::SamplesPerSecond, descending};
  if (const auto column = fromWord<RunColumn>(word)) return RunSort{*column, descending};
  return Error::badInput("There is no column \"{}\": {}", word, nearestHint(word, words<RunColumn>()));
}

bool sortsBefore(const RunEntry& a, const RunEntry& b, RunSort sort) {
  if (const auto order = orderedBy(a, b, sort); order != 0) return order < 0;
  if (a.started != b.started) return a.started > b.started;
  return a.folder < b.folder;
}

void sortRuns(std::vector<RunEntry>& runs, RunSort sort) {
  std::ranges::sort(runs, [&](const RunEntry& a, const RunEntry& b) { return sortsBefore(a, b, sort); });
}

std::string cellText(const RunEntry& run, RunColumn column) {
  if (column == RunColumn::SpeedUp) {
    const VariantEntry* const shown = run.shownVariant();
    return shown == nullptr || shown->speed_up_text.empty() ? kMissing : shown->speed_up_text;
  }
  const ColumnTraits traits = traitsOf(column);
  if (traits.number) {
    const auto number = traits.number(run);
    return number ? traits.shown(*number) : kMissing;
  }
  const std::string text = firstLine(traits.text(run));
  return text.empty() ? kMissing : text;
}

std::string columnTitle(RunColumn column) { return traitsOf(column).title; }

std::vector<std::string> tagsOf(const std::vector<RunEntry>& runs) {
  std::set<std::string> tags;
  for (const RunEntry& run : runs) tags.insert(run.labels.tags.begin(), run.labels.tags.end());
  return {tags.begin(), tags.end()};
}

Result<RunEntry> findRun(const std::vector<RunEntry>& runs, const std::string& word) {
  const auto found = [&](const auto& is) {
    std::vector<const RunEntry*> all;
    for (const RunEntry& run : runs)
      if (is(run)) all.push_back(&run);
    return all;
  };
  const std::vector<std::vector<const RunEntry*>> tries = {
      found([&](const RunEntry& run) { return run.id == word; }),
      found([&](const RunEntry& run) { return isSameFolder(run.folder, word); }),
      found([&](const RunEntry& run) { return run.name() == word; }),
      found([&](const RunEntry& run) { return !word.empty() && run.id.starts_with(word); })};
  for (const auto& matching : tries) {
    if (matching.size() == 1) return *matching.front();
    if (matching.size() > 1) return ambiguous(word, matching);
  }
  return Error::badInput("There is no run \"{}\". Use a run folder, or an id that lanelab-cli runs lists.", word);
}

}  // namespace lanelab
