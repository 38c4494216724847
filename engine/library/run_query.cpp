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

std::vector<std::string> splitAt(const std::string& text, std::string_view separators) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool holds(const std::vector<std::string>& wanted, const std::string& value) {
  return wanted.empty() || std::ranges::find(wanted, value) != wanted.end();
}

std::string statusWord(const RunEntry& run) { return run.damaged ? "damaged" : toString(run.status); }

/// All that a search looks at.
std::string searchedText(const RunEntry& run) {
  std::string text = run.name() + "\n" + run.experiment + "\n" + run.id + "\n" + run.work.arch + "\n" + run.labels.note;
  for (const std::string& tag : run.labels.tags) text += "\n" + tag;
  for (const VariantEntry& variant : run.variants)
    text += "\n" + variant.name + "\n" + variant.strategy + "\n" + variant.schedule;
  return smallLetters(std::move(text));
}

bool containsWords(const RunEntry& run, const std::string& search) {
  const std::vector<std::string> words = splitAt(smallLetters(search), " \t");
  if (words.empty()) return true;
  const std::string text = searchedText(run);
  return std::ranges::all_of(words, [&](const std::string& word) { return text.find(word) != std::string::npos; });
}

std::vector<std::string> statusWords() {
  std::vector<std::string> known = words<RunStatus>();
  known.emplace_back("damaged");
  return known;
}

Status addWords(std::vector<std::string>& to, const std::string& key, const std::vector<std::string>& values,
                const std::vector<std::string>& known) {
  for (const std::string& value : values) {
    if (!known.empty() && std::ranges::find(known, value) == known.end())
      return Error::badInput("The {} \"{}\" is not known: {}", key, value, nearestHint(value, known));
    to.push_back(value);
  }
  return {};
}

/// A cell as a number, if its column is one of numbers.
std::optional<double> numberIn(const RunEntry& run, RunColumn column) {
  const VariantEntry* variant = run.shownVariant();
  if (column == RunColumn::Star) return run.labels.star ? 1 : 0;
  if (variant == nullptr) return std::nullopt;
  switch (column) {
    case RunColumn::MicroBatchSize: return variant->micro_batch_size;
    case RunColumn::SamplesPerSecond: return variant->samples_per_second;
    case RunColumn::StepTime: return variant->step_seconds;
    case RunColumn::SpeedUp: return variant->speed_up;
    case RunColumn::Loss: return variant->last_loss;
    case RunColumn::StepForecastError: return variant->step_forecast_error;
    case RunColumn::MemoryForecastError: return variant->memory_forecast_error;
    default: return std::nullopt;
  }
}

std::string strategyText(const RunEntry& run) {
  const VariantEntry* variant = run.shownVariant();
  if (variant == nullptr) return {};
  return variant->schedule.empty() ? variant->strategy : variant->strategy + " (" + variant->schedule + ")";
}

/// Empty for what is missing.
std::string textIn(const RunEntry& run, RunColumn column) {
  switch (column) {
    case RunColumn::Name: return run.name();
    case RunColumn::Model: return run.work.arch;
    case RunColumn::Strategy: return strategyText(run);
    case RunColumn::Status: return statusWord(run);
    case RunColumn::Date: return run.started;
    case RunColumn::Tags: return joined(run.labels.tags, ", ");
    case RunColumn::Note: return run.labels.note;
    case RunColumn::Id: return run.id;
    default: return {};
  }
}

bool isNumber(RunColumn column) {
  using enum RunColumn;
  return column == Star || column == MicroBatchSize || column == SamplesPerSecond || column == StepTime ||
         column == SpeedUp || column == Loss || column == StepForecastError || column == MemoryForecastError;
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
  if (isNumber(sort.column)) {
    const auto x = numberIn(a, sort.column), y = numberIn(b, sort.column);
    return ordered(x.value_or(0), y.value_or(0), !x, !y, sort.descending);
  }
  const std::string x = smallLetters(textIn(a, sort.column)), y = smallLetters(textIn(b, sort.column));
  return ordered(x, y, x.empty(), y.empty(), sort.descending);
}

std::string firstLine(const std::string& text) {
  const std::size_t end = text.find('\n');
  return end == std::string::npos ? text : text.substr(0, end) + " ...";
}

std::string numberText(double value, RunColumn column) {
  switch (column) {
    case RunColumn::Star: return value > 0 ? "*" : "";
    case RunColumn::MicroBatchSize: return std::to_string(std::llround(value));
    case RunColumn::StepTime: return formatFigures(value * 1e3);
    case RunColumn::StepForecastError:
    case RunColumn::MemoryForecastError: return formatChange(value);
    default: return formatFigures(value);
  }
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
  const auto values =
      equals == std::string::npos ? std::vector<std::string>() : splitAt(condition.substr(equals + 1), ",");
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
  if (isNumber(column)) {
    const auto number = numberIn(run, column);
    return number ? numberText(*number, column) : kMissing;
  }
  const std::string text = firstLine(textIn(run, column));
  return text.empty() ? kMissing : text;
}

std::string columnTitle(RunColumn column) {
  switch (column) {
    case RunColumn::Star: return "Star";
    case RunColumn::Name: return "Name";
    case RunColumn::Model: return "Model";
    case RunColumn::Strategy: return "Strategy";
    case RunColumn::MicroBatchSize: return "Micro-batch size";
    case RunColumn::SamplesPerSecond: return "Samples/s";
    case RunColumn::StepTime: return "Step time (ms)";
    case RunColumn::SpeedUp: return "Speed-up vs baseline (95 % CI)";
    case RunColumn::Status: return "Status";
    case RunColumn::Date: return "Date (UTC)";
    case RunColumn::Tags: return "Tags";
    case RunColumn::Note: return "Note";
    case RunColumn::Id: return "ID";
    case RunColumn::Loss: return "Last loss";
    case RunColumn::StepForecastError: return "Step time forecast error";
    case RunColumn::MemoryForecastError: return "Memory forecast error";
  }
  return {};
}

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
