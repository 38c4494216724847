// SPDX-License-Identifier: GPL-3.0-only
#include "ui/charts/comparison_rows.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "engine/record/combined_runs.h"
#include "engine/report/comparison_text.h"
#include "engine/report/run_notes.h"
#include "ui/charts/chart_canvas.h"
#include "ui/look/plain_text.h"

namespace lanelab {

namespace {

QString number(double value) { return QString::fromStdString(formatNumber(value)); }
QString ratioNumber(double value) { return QString::number(value, 'f', 2); }

ComparisonRowData rowOf(const RunRecord& record, const VariantRecord& variant) {
  ComparisonRowData row;
  row.label = QString::fromStdString(variant.name);
  for (const auto& repeat : variant.repeats) row.seconds.push_back(repeat.seconds);
  row.summary = variant.summary;
  row.images_per_second = variant.images_per_second;
  row.baseline = variant.name == record.baseline;
  for (const auto& compared : record.comparison)
    if (compared.variant == variant.name) row.ratio = compared.ratio;
  return row;
}

bool isClear(const ComparisonRowData& row) {
  return row.ratio.word == Ratio::Word::Faster || row.ratio.word == Ratio::Word::Slower;
}

QString repeatsSentence(const std::vector<ComparisonRowData>& rows) {
  const auto [fewest, most] = std::minmax_element(
      rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.summary.n < b.summary.n; });
  return fewest->summary.n == most->summary.n
             ? chartText("n = %1 repeats each").arg(most->summary.n)
             : chartText("n = %1 to %2 repeats").arg(fewest->summary.n).arg(most->summary.n);
}

QString spreadSentence(const std::vector<ComparisonRowData>& rows, Spread spread) {
  const bool any = std::ranges::any_of(rows, [](const auto& row) { return row.summary.n >= kFewestForSpread; });
  if (!any) return chartText("dots: single repeats, too few repeats for a spread");
  const QString whisker = spread == Spread::Ci95
                              ? chartText("bars: mean, whiskers: 95 % confidence interval of the mean")
                              : chartText("bars: mean, whiskers: one standard deviation");
  const bool dots = std::ranges::any_of(rows, [](const auto& row) { return row.summary.n <= kMostDots; });
  const bool cut = std::ranges::any_of(rows, [spread](const auto& row) {
    const auto interval = whiskerOf(row, spread);
    return interval && interval->low < 0;
  });
  const QString words = cut ? chartText("%1 (cut at 0 s)").arg(whisker) : whisker;
  return dots ? chartText("%1, dots: single repeats").arg(words) : words;
}

QString captionOf(const RunRecord& record, const std::vector<ComparisonRowData>& rows, Spread spread) {
  const auto& data = record.experiment.data;
  const bool partly = record.status != RunStatus::Done && record.status != RunStatus::Running;
  const QString status =
      partly ? chartText("; not all of it ran (%1)").arg(QString::fromStdString(std::string(toString(record.status))))
             : QString();
  return chartText("Seconds a repeat of %1, batch %2; %3; %4; measured%5.")
      .arg(data.epochs ? chartText("%1 epochs").arg(*data.epochs) : chartText("%1 steps").arg(data.steps))
      .arg(data.batch)
      .arg(spreadSentence(rows, spread), repeatsSentence(rows), status);
}

QString ratioWords(const ComparisonRowData& row) {
  if (row.baseline) return chartText("baseline");
  if (!std::isfinite(row.ratio.ratio)) return chartText("nothing to compare with");
  const QString times = ratioNumber(row.ratio.ratio);
  if (!row.ratio.ci95) return chartText("%1x, too few repeats").arg(times);
  const QString interval =
      chartText("%1 to %2").arg(ratioNumber(row.ratio.ci95->low), ratioNumber(row.ratio.ci95->high));
  switch (row.ratio.word) {
    case Ratio::Word::NoClearDifference: return chartText("no clear difference (%1)").arg(interval);
    case Ratio::Word::WithinNoise: return chartText("within noise band (%1)").arg(interval);
    default: return chartText("%1x as fast (%2)").arg(times, interval);
  }
}

}  // namespace

std::optional<RunRecord> combined(const RunRecords& runs, const QString& baseline, QStringList& notes) {
  if (runs.empty()) return std::nullopt;
  std::vector<LabelledRun> labelled;
  for (const auto& run : runs) labelled.push_back({run->id, *run});
  std::vector<std::string> warnings;
  auto result = combineRuns(labelled, baseline.toStdString(), warnings);
  if (!result.ok()) {
    warnings.clear();
    result = combineRuns(std::move(labelled), "", warnings);
  }
  if (!result.ok()) return std::nullopt;
  for (const auto& warning : warnings) notes.append(look::shownText(warning));
  return std::move(result).value();
}

ComparisonRows comparisonRows(const RunRecord& record, Spread spread, QStringList notes) {
  ComparisonRows result;
  for (const auto& variant : record.variants) result.rows.push_back(rowOf(record, variant));
  if (result.rows.empty()) return result;
  result.headline = look::shownText(headline(record));
  result.caption = captionOf(record, result.rows, spread);
  result.notes = std::move(notes);
  using enum RunNote::Kind;
  for (const auto& note : noteSentences(runNotes(record), {Suggestion, Modes, Statistics, RecordingCost, GpuActivity}))
    result.notes.append(look::shownText(note));
  result.clear_difference = std::ranges::any_of(result.rows, isClear);
  return result;
}

std::optional<Interval> whiskerOf(const ComparisonRowData& row, Spread spread) {
  if (row.summary.n < kFewestForSpread) return std::nullopt;
  if (spread == Spread::Ci95) return row.summary.ci95;
  return Interval{row.summary.mean - row.summary.std, row.summary.mean + row.summary.std};
}

QString comparisonTip(const ComparisonRowData& row, Spread spread) {
  const auto& s = row.summary;
  if (s.n == 0) return chartText("%1: not measured").arg(look::shownName(row.label));
  QStringList lines{chartText("%1: mean %2 s of n = %3 repeats, median %4 s")
                        .arg(look::shownName(row.label), number(s.mean), QString::number(s.n), number(s.median))};
  if (s.n > 1) lines.append(chartText("Standard deviation %1 s").arg(number(s.std)));
  if (s.ci95)
    lines.append(
        chartText("95 % confidence interval of the mean %1 to %2 s").arg(number(s.ci95->low), number(s.ci95->high)));
  if (const auto whisker = whiskerOf(row, spread); whisker && whisker->low < 0)
    lines.append(chartText(
        "The whisker would reach below 0 s, where there is no time: it is cut at 0. More repeats make it shorter."));
  lines.append(chartText("%1 images/s").arg(number(row.images_per_second)));
  if (!row.ratio.verdict.empty()) lines.append(look::shownText(row.ratio.verdict));
  return lines.join('\n');
}

QStringList comparisonTableHeader(const ComparisonRows& rows) {
  QString baseline;
  for (const auto& row : rows.rows)
    if (row.baseline) baseline = look::shownName(row.label);
  return {chartText("Variant"),
          chartText("n"),
          chartText("mean, s"),
          chartText("std, s"),
          chartText("95 % CI, s"),
          chartText("images/s"),
          chartText("against %1 (95 % CI)").arg(baseline)};
}

QStringList comparisonTableCells(const ComparisonRowData& row) {
  const auto& s = row.summary;
  const QString none = "-";
  if (s.n == 0) return {look::shownName(row.label), "0", none, none, none, none, chartText("not measured")};
  return {look::shownName(row.label),
          QString::number(s.n),
          number(s.mean),
          s.n > 1 ? number(s.std) : none,
          s.ci95 ? chartText("%1 to %2").arg(number(s.ci95->low), number(s.ci95->high)) : chartText("too few repeats"),
          number(row.images_per_second),
          ratioWords(row)};
}

}  // namespace lanelab
