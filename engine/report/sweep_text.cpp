// SPDX-License-Identifier: GPL-3.0-only
#include <algorithm>

#include "base/csv.h"
#include "base/text.h"
#include "engine/advise/sweep.h"

namespace lanelab {
namespace {

std::string exactCell(const std::optional<double>& value) { return value ? exactNumber(*value) : ""; }

std::string padded(const std::string& text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 1, ' ') + text;
}

std::string measuredCell(const SweepPoint& point) { return point.measured ? formatSeconds(*point.measured) : "-"; }

std::string spreadCell(const SweepPoint& point) {
  return point.steps.n > 1 ? "+- " + formatSeconds(point.steps.std) : "-";
}

/// "3.5 s per step (median, n = 5)".
std::string measuredWords(const SweepPoint& point) {
  return formatSeconds(*point.measured) + " per step (median, n = " + std::to_string(point.steps.n) + ")";
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
  const std::string measured = n > 0 ? "measured (n = " + std::to_string(n) + ")" : "measured";
  std::string table = "split size  micro-batches" + padded("predicted step", 17) + padded(measured, 20) +
                      padded("std", 14) + padded("error", 10) + "\n";
  for (const SweepPoint& point : points) {
    const std::optional<double> error = errorOf(point);
    table += padded(std::to_string(point.split_size), 10) + padded(std::to_string(point.micro_batches), 15) +
             padded(point.predicted ? formatSeconds(*point.predicted) : "-", 17) + padded(measuredCell(point), 20) +
             padded(spreadCell(point), 14) + padded(error ? formatChange(*error) : "-", 10) + "\n";
  }
  return table;
}

std::string adviceSentence(const std::vector<SweepPoint>& points) {
  const SweepPoint* const predicted = fastestPredicted(points);
  const SweepPoint* const measured = fastestMeasured(points);
  if (!predicted && !measured) return "Nothing was predicted or measured yet.";
  if (!measured) {
    return "Micro-batch size " + std::to_string(predicted->split_size) +
           " should be the fastest: " + formatSeconds(*predicted->predicted) +
           " per step, predicted; nothing was measured.";
  }
  std::string sentence = "Micro-batch size " + std::to_string(measured->split_size) +
                         " is the fastest measured: " + measuredWords(*measured);
  if (const auto error = errorOf(*measured))
    sentence += ", predicted " + formatSeconds(*measured->predicted) + " (" + formatChange(*error) + ")";
  sentence += ".";
  if (!predicted || predicted->split_size == measured->split_size) return sentence;
  sentence += " Predicted fastest was " + std::to_string(predicted->split_size) + ": " +
              formatSeconds(*predicted->predicted) + ", ";
  return sentence + (predicted->measured ? "measured " + measuredWords(*predicted) + "." : "not measured.");
}

std::string errorSentence(const std::vector<SweepPoint>& points) {
  const std::optional<SweepErrors> errors = errorsOf(points);
  if (!errors) return {};
  return "Predictions are off by " + formatPercent(errors->median) + " (median) and " + formatPercent(errors->worst) +
         " at most (micro-batch size " + std::to_string(errors->worst_split_size) + "), over " +
         counted(errors->points, "measured micro-batch size") + ".";
}

}  // namespace lanelab
