// SPDX-License-Identifier: GPL-3.0-only
#include <algorithm>

#include "base/csv.h"
#include "base/text.h"
#include "base/text_table.h"
#include "engine/advise/sweep.h"
#include "engine/record/speed_words.h"

namespace lanelab {
namespace {

std::string exactCell(const std::optional<double>& value) { return value ? exactNumber(*value) : ""; }

/// One for the whole table: seconds where no step is shorter than one.
struct TimeUnit {
  const char* name;
  double size;  ///< of a second
};
TimeUnit unitOf(const std::vector<SweepPoint>& points) {
  const auto isShort = [](const SweepPoint& point) {
    return point.predicted.value_or(1) < 1 || point.measured.value_or(1) < 1;
  };
  return std::ranges::any_of(points, isShort) ? TimeUnit{"ms", 1e3} : TimeUnit{"s", 1};
}

std::string timeCell(const std::optional<double>& seconds, TimeUnit unit) {
  return seconds ? formatFigures(*seconds * unit.size) : "-";
}

std::string rangeCell(const SweepPoint& point, TimeUnit unit) {
  if (!point.range) return "-";
  return formatFigures(point.range->low * unit.size) + " to " + formatFigures(point.range->high * unit.size);
}

/// "3.5 s per step (median, n = 5)".
Message measuredWords(const SweepPoint& point) {
  return sentence("{} per step (median, n = {})", formatSeconds(*point.measured), point.steps.n);
}

/// ", 90 % range 3.2 to 3.7 s"; empty for predictions without one.
Message rangeWords(const SweepPoint& point) {
  return point.range ? sentence(", 90 % range {}", rangeText(*point.range)) : Message{};
}

/// Where nothing was measured. Sizes whose predictions differ by less than predictions err are named together.
Message predictedSentence(const std::vector<SweepPoint>& points, const SweepPoint& best) {
  std::vector<Message> equal;
  for (const SweepPoint& point : points)
    if (point.predicted && areEqualPredictions(*point.predicted, *best.predicted))
      equal.push_back(messageValue(point.split_size));
  const Message step = sentence("{} per step, predicted{}", formatSeconds(*best.predicted), rangeWords(best));
  if (equal.size() == 1)
    return sentence("Micro-batch size {} should be the fastest: {}; nothing was measured.", equal.front(), step);
  return sentence(
      "Micro-batch sizes {} should be equally fast within the noise of predictions: {} with {}; nothing was measured.",
      listed(equal), step, best.split_size);
}

/// The fastest of the others.
const SweepPoint* nextMeasured(const std::vector<SweepPoint>& points, const SweepPoint& best) {
  const SweepPoint* next = nullptr;
  for (const SweepPoint& point : points)
    if (&point != &best && point.measured && (!next || *point.measured < *next->measured)) next = &point;
  return next;
}

/// "No clear difference between micro-batch sizes 10, 12 and 20: 3.5 to 3.6 s per step (medians, n = 5)."
Message unclearSentence(const std::vector<const SweepPoint*>& fastest) {
  std::vector<Message> sizes;
  for (const SweepPoint* const point : fastest) sizes.push_back(messageValue(point->split_size));
  const auto [low, high] = std::ranges::minmax(fastest, {}, [](const SweepPoint* point) { return *point->measured; });
  const int n = std::ranges::min(fastest, {}, [](const SweepPoint* point) { return point->steps.n; })->steps.n;
  const Message few = n < static_cast<int>(kFewestForFastest)
                          ? sentence("; an interval needs {} repeats", kFewestForFastest)
                          : Message{};
  return sentence("No clear difference between micro-batch sizes {}: {} to {} per step (medians, n = {}{}).",
                  listed(sizes), formatSeconds(*low->measured), formatSeconds(*high->measured), n, few);
}

/// ", predicted 3.41 s (-2.6 %)"; empty where it was not predicted.
Message errorWords(const SweepPoint& best) {
  const std::optional<double> error = errorOf(best);
  return error
             ? sentence(", predicted {} ({}{})", formatSeconds(*best.predicted), formatChange(*error), rangeWords(best))
             : Message{};
}

Message fastestSentence(const std::vector<SweepPoint>& points, const SweepPoint& best) {
  const SweepPoint* const next = nextMeasured(points, best);
  if (!next)
    return sentence("Micro-batch size {} takes {}{}; no other size was measured.", best.split_size, measuredWords(best),
                    errorWords(best));
  const Ratio ratio = compareLogTimes(next->times, best.times, kFewestForFastest);
  return sentence("Micro-batch size {} is the fastest measured: {}, {} than {}, the next ({}){}.", best.split_size,
                  measuredWords(best), speedWords(ratio), next->split_size, speedEvidence(ratio), errorWords(best));
}

}  // namespace

std::string sweepCsv(const std::vector<SweepPoint>& points) {
  std::string csv;
  CsvTable table(
      csv, "split_size,micro_batches,predicted_step_s,measured_step_s,n,mean_s,std_s,ci95_low_s,ci95_high_s,error");
  for (const SweepPoint& point : points) {
    const Summary& steps = point.steps;
    const auto known = [](bool is, double value) { return is ? exactNumber(value) : std::string(); };
    const Interval ci95 = steps.ci95.value_or(Interval{});
    table.integer(point.split_size).integer(point.micro_batches);
    table.number(exactCell(point.predicted)).number(exactCell(point.measured));
    table.integer(steps.n).number(known(steps.n > 0, steps.mean)).number(known(steps.n > 1, steps.std));
    for (const double end : {ci95.low, ci95.high}) table.number(known(steps.ci95.has_value(), end));
    table.number(exactCell(errorOf(point))).endRow();
  }
  return csv;
}

std::string sweepTable(const std::vector<SweepPoint>& points) {
  int n = 0;
  for (const SweepPoint& point : points) n = std::max(n, point.steps.n);
  const TimeUnit unit = unitOf(points);
  const std::string in = std::string(" (") + unit.name;
  const bool ranges = std::ranges::any_of(points, [](const SweepPoint& point) { return point.range.has_value(); });
  std::vector<TextRow> rows = {{"split size", "micro-batches", "predicted step" + in + ")", "90 % range" + in + ")",
                                "measured" + in + (n > 0 ? ", n = " + std::to_string(n) : "") + ")", "std" + in + ")",
                                "error"}};
  for (const SweepPoint& point : points) {
    const std::optional<double> error = errorOf(point);
    const auto spread = point.steps.n > 1 ? std::optional(point.steps.std) : std::nullopt;
    rows.push_back({std::to_string(point.split_size), std::to_string(point.micro_batches),
                    timeCell(point.predicted, unit), rangeCell(point, unit), timeCell(point.measured, unit),
                    timeCell(spread, unit), error ? formatChange(*error) : "-"});
  }
  constexpr std::ptrdiff_t kRange = 3;
  if (!ranges)
    for (TextRow& row : rows) row.erase(row.begin() + kRange);
  return textTable(rows, 0);
}

Message adviceSentence(const std::vector<SweepPoint>& points) {
  const SweepPoint* const predicted = fastestPredicted(points);
  const std::vector<const SweepPoint*> fastest = fastestOf(points);
  if (!predicted && fastest.empty()) return sentence("Nothing was predicted or measured yet.");
  if (fastest.empty()) return predictedSentence(points, *predicted);
  if (fastest.size() > 1) return unclearSentence(fastest);
  const Message advice = fastestSentence(points, *fastest.front());
  if (!predicted || predicted->split_size == fastest.front()->split_size) return advice;
  const Message measured =
      predicted->measured ? sentence("measured {}", measuredWords(*predicted)) : sentence("not measured");
  return sentence("{} Predicted fastest was {}: {}, {}.", advice, predicted->split_size,
                  formatSeconds(*predicted->predicted), measured);
}

Message errorSentence(const std::vector<SweepPoint>& points) {
  const std::optional<SweepErrors> errors = errorsOf(points);
  if (!errors) return {};
  const Message measured = errors->points == 1 ? sentence("1 measured micro-batch size")
                                               : sentence("{} measured micro-batch sizes", errors->points);
  return sentence("Predictions are off by {} (median) and {} at most (micro-batch size {}), over {}.",
                  formatPercent(errors->median), formatPercent(errors->worst), errors->worst_split_size, measured);
}

}  // namespace lanelab
