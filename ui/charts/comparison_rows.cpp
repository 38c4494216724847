// SPDX-License-Identifier: GPL-3.0-only
#include "ui/charts/comparison_rows.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "base/text.h"
#include "engine/record/combined_runs.h"
#include "engine/record/comparability.h"
#include "engine/record/run_trust.h"
#include "engine/record/speed_words.h"
#include "engine/report/comparison_text.h"
#include "engine/report/run_notes.h"
#include "ui/charts/chart_canvas.h"
#include "ui/look/plain_text.h"

namespace lanelab {

namespace {

QString number(double value) {
  return std::isfinite(value) ? QString::fromStdString(formatFigures(value)) : QStringLiteral("-");
}

/// The whole images of a repeat: the record has them over the mean. Not a number without a mean time.
double imagesOf(const VariantRecord& variant) { return variant.samples_per_second * variant.summary.mean; }

ComparisonRowData rowOf(const RunRecord& record, const VariantRecord& variant, Measure measure) {
  ComparisonRowData row;
  row.label = QString::fromStdString(variant.name);
  const bool seconds = measure == Measure::SecondsPerRepeat;
  for (const auto& repeat : variant.repeats) {
    const double value = seconds ? repeat.seconds : imagesOf(variant) / repeat.seconds;
    if (std::isfinite(value)) row.values.push_back(value);
  }
  row.summary = seconds ? variant.summary : summarise(row.values);
  row.samples_per_second = variant.samples_per_second;
  row.unit = record.unit;
  if (const auto accuracy = finalAccuracy(variant)) row.accuracy = accuracy->value();
  row.baseline = variant.name == record.baseline;
  for (const auto& compared : record.comparison)
    if (compared.variant == variant.name) row.ratio = compared.ratio;
  return row;
}

double tokensPerSecond(const ComparisonRowData& row) {
  return row.samples_per_second * static_cast<double>(row.unit.tokens);
}

QStringList speedTitles(const ComparisonRows& rows) {
  const bool images = rows.unit.areImages();
  if (rows.measure != Measure::SecondsPerRepeat)
    return {images ? ChartTexts::tr("Time per image (ms)") : ChartTexts::tr("Time per sample (ms)")};
  QStringList titles{images ? ChartTexts::tr("Images/s") : ChartTexts::tr("Samples/s")};
  if (rows.unit.tokens > 0) titles.append(ChartTexts::tr("Tokens/s"));
  return titles;
}

/// Under those titles.
QStringList speedCells(const ComparisonRowData& row, Measure measure) {
  if (measure != Measure::SecondsPerRepeat) return {number(1e3 / row.samples_per_second)};
  QStringList cells{number(row.samples_per_second)};
  if (row.unit.tokens > 0) cells.append(number(tokensPerSecond(row)));
  return cells;
}

QStringList accuracyTitles(const ComparisonRows& rows) {
  return rows.rows.empty() || !rows.rows.front().in_accuracy ? QStringList() : QStringList{ChartTexts::tr("Accuracy")};
}

QStringList accuracyCells(const ComparisonRowData& row) {
  if (!row.in_accuracy) return {};
  return {row.accuracy ? QString::fromStdString(formatPercent(*row.accuracy)) : QStringLiteral("-")};
}

QString repeatsSentence(const std::vector<ComparisonRowData>& rows) {
  const auto [fewest, most] = std::minmax_element(
      rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.summary.n < b.summary.n; });
  return fewest->summary.n == most->summary.n
             ? ChartTexts::tr("n = %1 each").arg(ChartTexts::tr("%n repeat(s)", nullptr, most->summary.n))
             : ChartTexts::tr("n = %1 to %2 repeats").arg(fewest->summary.n).arg(most->summary.n);
}

QString spreadSentence(const std::vector<ComparisonRowData>& rows, Spread spread) {
  const bool any = std::ranges::any_of(rows, [](const auto& row) { return row.summary.n >= kFewestForSpread; });
  if (!any) return ChartTexts::tr("dots: single repeats, too few repeats for a spread");
  const QString whisker = spread == Spread::Ci95
                              ? ChartTexts::tr("bars: mean, whiskers: 95 % confidence interval of the mean")
                              : ChartTexts::tr("bars: mean, whiskers: one standard deviation");
  const bool dots = std::ranges::any_of(rows, [](const auto& row) { return row.summary.n <= kMostDots; });
  const bool cut = std::ranges::any_of(rows, [spread](const auto& row) {
    const auto interval = whiskerOf(row, spread);
    return interval && interval->low < 0;
  });
  const QString words = cut ? ChartTexts::tr("%1 (cut at 0)").arg(whisker) : whisker;
  return dots ? ChartTexts::tr("%1, dots: single repeats").arg(words) : words;
}

/// True for every bar: what differs between runs is named instead of the first run's value.
QString workSentence(const RunRecord& record, const QString& differ) {
  if (!differ.isEmpty())
    return (record.unit.areImages() ? ChartTexts::tr("Images per second, as runs differ: %1")
                                    : ChartTexts::tr("Samples per second, as runs differ: %1"))
        .arg(differ);
  const auto& data = record.experiment.data;
  const QString length = data.epochs ? ChartTexts::tr("%n epoch(s)", nullptr, *data.epochs)
                                     : ChartTexts::tr("%n step(s)", nullptr, data.steps);
  return ChartTexts::tr("Time per repeat of %1, batch %2").arg(length).arg(data.batch);
}

QString captionOf(const RunRecord& record, const std::vector<ComparisonRowData>& rows, Spread spread,
                  const QString& differ) {
  const bool partly = record.status != RunStatus::Done && record.status != RunStatus::Running;
  const QString status =
      partly ? ChartTexts::tr("; not all of it ran (%1)").arg(QString::fromStdString(toWord(record.status)))
             : QString();
  if (std::ranges::none_of(rows, [](const auto& row) { return row.summary.n > 0; }))
    return ChartTexts::tr("%1; no repeat was measured%2.").arg(workSentence(record, differ), status);
  return ChartTexts::tr("%1; %2; %3; measured%4.")
      .arg(workSentence(record, differ), spreadSentence(rows, spread), repeatsSentence(rows), status);
}

/// Runs of equal work next to each other, the first run's first.
RunRecords grouped(const RunRecords& runs) {
  std::vector<RunWork> works;
  for (const auto& run : runs)
    if (const RunWork work = workOf(run->experiment); std::ranges::find(works, work) == works.end())
      works.push_back(work);
  RunRecords result;
  for (const RunWork& work : works)
    std::ranges::copy_if(runs, std::back_inserter(result),
                         [&work](const auto& run) { return workOf(run->experiment) == work; });
  return result;
}

/// The experiments' names where these tell the runs apart, else with the time of the start, else the folders' names.
std::vector<std::string> labelsOf(const RunRecords& runs) {
  using Name = std::string (*)(const RunRecord&);
  const Name by_name = [](const RunRecord& run) { return run.experiment.name; };
  const Name by_time = [](const RunRecord& run) {  // "2026-11-22T21:47:12Z"
    return run.started.size() < 16 ? run.id
                                   : run.experiment.name + " " + run.started.substr(5, 5) + " " +
                                         run.started.substr(11, run.started.size() < 19 ? 5 : 8);
  };
  const Name by_folder = [](const RunRecord& run) { return run.id; };
  std::vector<std::string> labels;
  for (const Name name : {by_name, by_time, by_folder}) {
    labels.clear();
    for (const auto& run : runs) labels.push_back(name(*run));
    if (std::set<std::string>(labels.begin(), labels.end()).size() == runs.size()) break;
  }
  return labels;
}

/// The first run that another one differs most from decides: no comparison at all, or one per sample.
Comparability comparabilityOf(const RunRecords& runs) {
  Comparability decisive;
  for (const auto& run : runs) {
    Comparability found = comparability(workOf(runs.front()->experiment), workOf(run->experiment));
    if (found.kind > decisive.kind) decisive = std::move(found);
  }
  return decisive;
}

Result<RunRecord> combinedRecord(const std::vector<LabelledRun>& runs, const QString& baseline,
                                 std::vector<std::string>& warnings) {
  auto result = combineRuns(runs, baseline.toStdString(), warnings);
  if (result.ok()) return result;
  warnings.clear();
  return combineRuns(runs, "", warnings);
}

}  // namespace

CombinedRuns combined(const RunRecords& unsorted, const QString& baseline) {
  CombinedRuns result;
  if (unsorted.empty()) return result;
  const RunRecords runs = grouped(unsorted);
  const Comparability comparable = comparabilityOf(runs);
  result.differ = look::shownText(differenceText(comparable));
  if (comparable.kind == Comparability::Kind::No) return result;
  const std::vector<std::string> labels = labelsOf(runs);
  std::vector<LabelledRun> labelled;
  for (std::size_t i = 0; i < runs.size(); ++i) labelled.push_back({labels[i], *runs[i]});
  std::vector<std::string> warnings;
  auto record = combinedRecord(labelled, baseline, warnings);
  if (!record.ok()) return result;
  if (record->per_sample) result.measure = Measure::SamplesPerSecond;
  for (const auto& warning : warnings) result.notes.append(look::shownText(warning));
  result.record = std::move(*record);
  return result;
}

ComparisonRows comparisonRows(const RunRecord& record, Spread spread) {
  return comparisonRows(CombinedRuns{record, Measure::SecondsPerRepeat, {}, {}}, spread);
}

ComparisonRows comparisonRows(const CombinedRuns& combined, Spread spread) {
  ComparisonRows result;
  if (!combined.record) return result;
  const RunRecord& record = *combined.record;
  result.measure = combined.measure;
  result.unit = record.unit;
  for (const auto& variant : record.variants) result.rows.push_back(rowOf(record, variant, combined.measure));
  if (result.rows.empty()) return result;
  const bool any_accuracy = std::ranges::any_of(result.rows, [](const auto& row) { return row.accuracy.has_value(); });
  for (auto& row : result.rows) row.in_accuracy = any_accuracy;
  result.headline = look::shownText(headline(record));
  const RunTrust trust = runTrust(record);
  result.trust = look::shownText(trust.sentence);
  result.doubtful = !trust.reasons.empty();
  result.caption = captionOf(record, result.rows, spread, combined.differ);
  result.notes = combined.notes;
  using enum RunNote::Kind;
  for (const Message& note :
       noteMessages(runNotes(record), {Suggestion, Modes, Statistics, RecordingCost, GpuActivity}))
    result.notes.append(look::shownText(note));
  result.clear_difference = std::ranges::any_of(result.rows, &Ratio::isClear, &ComparisonRowData::ratio);
  return result;
}

QString unitOf(Measure measure, const SampleUnit& unit) {
  if (measure == Measure::SecondsPerRepeat) return ChartTexts::tr("s");
  return unit.areImages() ? ChartTexts::tr("images/s") : ChartTexts::tr("samples/s");
}

std::optional<Interval> whiskerOf(const ComparisonRowData& row, Spread spread) {
  if (row.summary.n < kFewestForSpread) return std::nullopt;
  if (spread == Spread::Ci95) return row.summary.ci95;
  return Interval{row.summary.mean - row.summary.std, row.summary.mean + row.summary.std};
}

QString comparisonTip(const ComparisonRowData& row, Spread spread, Measure measure) {
  const auto& s = row.summary;
  const QString unit = unitOf(measure, row.unit);
  if (s.n == 0) return ChartTexts::tr("%1: not measured").arg(look::shownName(row.label));
  QStringList lines{ChartTexts::tr("%1: mean %2 %5 of n = %3 repeats, median %4 %5")
                        .arg(look::shownName(row.label), number(s.mean), QString::number(s.n), number(s.median), unit)};
  if (s.n > 1) lines.append(ChartTexts::tr("Standard deviation %1 %2").arg(number(s.std), unit));
  if (s.ci95)
    lines.append(ChartTexts::tr("95 % confidence interval of the mean %1 to %2 %3")
                     .arg(number(s.ci95->low), number(s.ci95->high), unit));
  if (const auto whisker = whiskerOf(row, spread); whisker && whisker->low < 0)
    lines.append(ChartTexts::tr("The whisker would reach below 0, so it is cut at 0. More repeats make it shorter."));
  if (row.unit.tokens > 0) {
    lines.append(
        ChartTexts::tr("%1 samples/s, %2 tokens/s").arg(number(row.samples_per_second), number(tokensPerSecond(row))));
  } else if (measure == Measure::SecondsPerRepeat) {
    lines.append(
        ChartTexts::tr("%1 %2").arg(number(row.samples_per_second), unitOf(Measure::SamplesPerSecond, row.unit)));
  }
  lines.append(look::shownText(verdictText(row.ratio)));
  return lines.join('\n');
}

QStringList comparisonTableHeader(const ComparisonRows& rows) {
  std::string baseline;
  for (const auto& row : rows.rows)
    if (row.baseline) baseline = row.label.toStdString();
  const QString unit = unitOf(rows.measure, rows.unit);
  return QStringList{ChartTexts::tr("Variant"), ChartTexts::tr("n"), ChartTexts::tr("Mean (%1)").arg(unit),
                     ChartTexts::tr("Std (%1)").arg(unit), ChartTexts::tr("95 % CI (%1)").arg(unit)} +
         speedTitles(rows) + accuracyTitles(rows) + QStringList{look::shownText(speedUpTitle(baseline))};
}

QStringList comparisonTableCells(const ComparisonRowData& row, Measure measure) {
  const auto& s = row.summary;
  const QString none = "-";
  if (s.n == 0) {
    QStringList cells{look::shownName(row.label), "0"};
    for (qsizetype i = 0; i < 3 + speedCells(row, measure).size() + accuracyCells(row).size(); ++i) cells.append(none);
    return cells << ChartTexts::tr("not measured");
  }
  const QString interval = s.ci95 ? ChartTexts::tr("%1 to %2").arg(number(s.ci95->low), number(s.ci95->high))
                                  : ChartTexts::tr("too few repeats");
  return QStringList{look::shownName(row.label), QString::number(s.n), number(s.mean), s.n > 1 ? number(s.std) : none,
                     interval} +
         speedCells(row, measure) + accuracyCells(row) + QStringList{look::shownText(speedUpText(row.ratio))};
}

}  // namespace lanelab
