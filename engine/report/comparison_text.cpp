// SPDX-License-Identifier: GPL-3.0-only
#include "engine/report/comparison_text.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/csv.h"
#include "base/text.h"
#include "base/text_table.h"
#include "engine/record/speed_words.h"

namespace lanelab {
namespace {

std::string intervalText(const std::optional<Interval>& interval) {
  return interval ? figureOrDash(true, interval->low) + " to " + figureOrDash(true, interval->high) : "-";
}

void addInterval(CsvTable& table, const std::optional<Interval>& interval) {
  const Interval ends = interval.value_or(Interval{});
  table.exact(ends.low, interval.has_value()).exact(ends.high, interval.has_value());
}

/// The row to speak of: the fastest that is clearly faster, else the one farthest from the baseline.
const ComparisonRow* mostTelling(const RunRecord& record) {
  const ComparisonRow* best = nullptr;
  const auto weight = [](const ComparisonRow& row) {
    return (row.ratio.isClear() ? 100.0 : 0.0) + (row.ratio.word == Ratio::Word::Faster ? 100.0 : 0.0) +
           std::min(50.0, std::abs(std::log(row.ratio.ratio)));
  };
  for (const ComparisonRow& row : record.comparison) {
    if (row.ratio.word == Ratio::Word::Baseline || !std::isfinite(row.ratio.ratio)) continue;
    if (best == nullptr || weight(row) > weight(*best)) best = &row;
  }
  return best;
}

Message onlyVariantSentence(const RunRecord& record) {
  const auto timeless = std::ranges::find_if(
      record.comparison, [](const ComparisonRow& row) { return row.ratio.word == Ratio::Word::ZeroTime; });
  if (timeless != record.comparison.end()) return speedSentence(timeless->variant, record.baseline, timeless->ratio);
  for (const VariantRecord& variant : record.variants) {
    if (variant.summary.n == 0) continue;
    const std::string mean = formatSeconds(variant.summary.mean);
    return variant.summary.n == 1
               ? sentence("{} takes {} per repeat (1 repeat).", variant.name, mean)
               : sentence("{} takes {} per repeat ({} repeats).", variant.name, mean, variant.summary.n);
  }
  return sentence("Nothing was measured.");
}

}  // namespace

std::string figureOrDash(bool known, double value) {
  return known && std::isfinite(value) ? formatFigures(value) : "-";
}

std::vector<TextRow> comparisonCells(const RunRecord& record) {
  constexpr std::ptrdiff_t kAfterSpeed = 7;
  const auto tokens = static_cast<double>(record.unit.tokens);
  std::vector<TextRow> rows = {{"variant", "n", "mean (s)", "std (s)", "median (s)", "95 % CI (s)",
                                record.unit.perSecond(), speedUpTitle(record.baseline).message}};
  if (tokens > 0) rows[0].insert(rows[0].begin() + kAfterSpeed, "tokens/s");
  for (const VariantRecord& variant : record.variants) {
    const Summary& summary = variant.summary;
    const ComparisonRow* row = record.compared(variant.name);
    rows.push_back({variant.name, std::to_string(summary.n), figureOrDash(summary.n > 0, summary.mean),
                    figureOrDash(summary.n > 1, summary.std), figureOrDash(summary.n > 0, summary.median),
                    intervalText(summary.ci95), figureOrDash(summary.n > 0, variant.samples_per_second),
                    row != nullptr && summary.n > 0 ? speedUpText(row->ratio).message : "-"});
    if (tokens > 0)
      rows.back().insert(rows.back().begin() + kAfterSpeed,
                         figureOrDash(summary.n > 0, variant.samples_per_second * tokens));
  }
  return rows;
}

std::string comparisonTable(const RunRecord& record) {
  return textTable(comparisonCells(record), 1, LastColumn::Words);
}

std::string forecastError(const LaneRecord& lane) {
  return formatChange(static_cast<double>(lane.forecast.total()) / static_cast<double>(lane.peak_bytes) - 1);
}

std::string memoryTable(const RunRecord& record) {
  bool measured = false, forecast = false;
  for (const VariantRecord& variant : record.variants) {
    for (const LaneRecord& lane : variant.lanes) {
      measured = measured || lane.peak_bytes > 0;
      forecast = forecast || lane.forecast.total() > 0;
    }
  }
  if (!forecast) return "";
  TextRow titles = {"variant, lane", "forecast",    "weights",   "gradients",
                    "optimizer",     "activations", "transfers", "workspace"};
  if (measured) titles.insert(titles.end(), {"peak", "forecast's error"});
  std::vector<TextRow> rows = {titles};
  for (const VariantRecord& variant : record.variants) {
    for (const LaneRecord& lane : variant.lanes) {
      const MemoryParts& parts = lane.forecast;
      if (parts.total() == 0) continue;
      TextRow row = {variant.name + ", " + lane.name};
      for (const std::int64_t bytes : {parts.total(), parts.parameters, parts.gradients, parts.optimizer,
                                       parts.activations, parts.transfers, parts.workspace})
        row.push_back(formatBytes(bytes));
      if (measured)
        row.insert(row.end(), {lane.peak_bytes > 0 ? formatBytes(lane.peak_bytes) : "-",
                               lane.peak_bytes > 0 ? forecastError(lane) : "-"});
      rows.push_back(std::move(row));
    }
  }
  return textTable(rows, 1, LastColumn::Words);
}

std::string comparisonCsv(const RunRecord& record) {
  std::string csv;
  CsvTable table(csv,
                 "variant,strategy,stages,split_size,micro_batches,n,mean_s,std_s,median_s,ci95_low_s,ci95_high_s,"
                 "images_per_second,ratio,ratio_ci95_low,ratio_ci95_high,verdict");
  for (const VariantRecord& variant : record.variants) {
    const Summary& summary = variant.summary;
    const ComparisonRow* row = record.compared(variant.name);
    table.text(variant.name).text(toWord(variant.strategy));
    for (const int count : {variant.stages, variant.split_size, variant.micro_batches, summary.n}) table.integer(count);
    table.exact(summary.mean, summary.n > 0).exact(summary.std, summary.n > 1).exact(summary.median, summary.n > 0);
    addInterval(table, summary.ci95);
    table.exact(variant.samples_per_second, summary.n > 0).exact(row != nullptr ? row->ratio.ratio : 0, row != nullptr);
    addInterval(table, row != nullptr ? row->ratio.ci95 : std::nullopt);
    table.text(row != nullptr ? verdictText(row->ratio).message : "").endRow();
  }
  return csv;
}

Message headline(const RunRecord& record) {
  const ComparisonRow* row = mostTelling(record);
  if (row == nullptr) return onlyVariantSentence(record);
  return speedSentence(row->variant, record.baseline, row->ratio,
                       record.per_sample ? sentence(", per {}", record.unit.word()) : Message());
}

}  // namespace lanelab
