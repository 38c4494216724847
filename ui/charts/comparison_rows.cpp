#include "ui/charts/comparison_rows.h"

#include <QCoreApplication>
#include <algorithm>

#include "engine/base/text.h"

namespace lanelab {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("ComparisonView", text); }
QString number(double value) { return QString::fromStdString(formatNumber(value)); }
QString range(const Interval& interval) { return tr("%1 to %2").arg(number(interval.low), number(interval.high)); }

QString labelOf(const RunRecords& runs, const RunRecord& run, const std::string& variant) {
  const QString name = QString::fromStdString(variant);
  return runs.size() < 2 ? name : QString::fromStdString(run.id) + " / " + name;
}

std::vector<double> secondsOf(const VariantRecord& variant) {
  std::vector<double> seconds;
  for (const auto& repeat : variant.repeats) seconds.push_back(repeat.seconds);
  return seconds;
}

std::vector<ComparisonRowData> rowsOf(const RunRecords& runs) {
  std::vector<ComparisonRowData> rows;
  for (const auto& run : runs)
    for (const auto& variant : run->variants) {
      ComparisonRowData row;
      row.label = labelOf(runs, *run, variant.name);
      row.seconds = secondsOf(variant);
      row.summary = summarise(row.seconds);
      row.images_per_second = variant.images_per_second;
      rows.push_back(std::move(row));
    }
  return rows;
}

ComparisonRowData& baselineOf(std::vector<ComparisonRowData>& rows, const RunRecords& runs, const QString& wanted) {
  const auto labelled = [&](const QString& label) {
    return std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.label == label; });
  };
  auto found = labelled(wanted);
  if (found == rows.end()) found = labelled(labelOf(runs, *runs.front(), runs.front()->baseline));
  return found == rows.end() ? rows.front() : *found;
}

void compareWith(std::vector<ComparisonRowData>& rows, ComparisonRowData& baseline) {
  for (auto& row : rows) {
    if (!row.seconds.empty() && !baseline.seconds.empty()) row.ratio = compareTimes(baseline.seconds, row.seconds);
    row.baseline = &row == &baseline;
    if (row.baseline) row.ratio.word = Ratio::Word::Baseline;
  }
}

/// The largest lead over the baseline, since that is what the person came for; else the first row that was compared.
const ComparisonRowData* mostTelling(const std::vector<ComparisonRowData>& rows) {
  const ComparisonRowData* best = nullptr;
  for (const auto& row : rows)
    if (!row.baseline && row.summary.n > 0 && (!best || row.ratio.ratio > best->ratio.ratio)) best = &row;
  return best;
}

QString headlineOf(const std::vector<ComparisonRowData>& rows, const ComparisonRowData& baseline) {
  const auto* best = mostTelling(rows);
  if (std::all_of(rows.begin(), rows.end(), [](const auto& row) { return row.summary.n == 0; }))
    return tr("No counted repeat was finished, so there is nothing to compare.");
  if (!best || baseline.summary.n == 0)
    return tr("%1 takes %2 s a repeat (measured).").arg(best ? best->label : baseline.label, number(best ? best->summary.mean : baseline.summary.mean));
  const QString ratio = number(best->ratio.ratio);
  const QString counts = best->summary.n == baseline.summary.n ? QString::number(best->summary.n)
                                                               : tr("%1 and %2").arg(best->summary.n).arg(baseline.summary.n);
  if (!best->ratio.ci95)
    return tr("%1 takes %2 s a repeat, %3 %4 s: too few repeats for an interval (n = %5, measured).")
        .arg(best->label, number(best->summary.mean), baseline.label, number(baseline.summary.mean), counts);
  const QString interval = tr("95 % CI %1, n = %2, measured").arg(range(*best->ratio.ci95), counts);
  switch (best->ratio.word) {
    case Ratio::Word::NoClearDifference:
      return tr("No clear difference between %1 and %2 (%3x, %4).").arg(best->label, baseline.label, ratio, interval);
    case Ratio::Word::WithinNoise:
      return tr("%1 and %2 differ by less than the noise band (%3x, %4).").arg(best->label, baseline.label, ratio, interval);
    default: return tr("%1 is %2x as fast as %3 (%4).").arg(best->label, ratio, baseline.label, interval);
  }
}

QString repeatsSentence(const std::vector<ComparisonRowData>& rows) {
  int fewest = rows.front().summary.n;
  int most = fewest;
  for (const auto& row : rows) {
    fewest = std::min(fewest, row.summary.n);
    most = std::max(most, row.summary.n);
  }
  return fewest == most ? tr("n = %1 repeats each").arg(most) : tr("n = %1 to %2 repeats").arg(fewest).arg(most);
}

QString spreadSentence(const std::vector<ComparisonRowData>& rows, Spread spread) {
  const bool any = std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.summary.n >= kFewestForSpread; });
  if (!any) return tr("dots: single repeats, too few repeats for a spread");
  const QString whisker = spread == Spread::Ci95 ? tr("bars: mean, whiskers: 95 % confidence interval of the mean")
                                                 : tr("bars: mean, whiskers: one standard deviation");
  const bool dots = std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.summary.n <= kMostDots; });
  return dots ? tr("%1, dots: single repeats").arg(whisker) : whisker;
}

QString statusSentence(const RunRecords& runs) {
  for (const auto& run : runs)
    if (run->status != RunStatus::Done && run->status != RunStatus::Running)
      return tr("; not all of it ran (%1)").arg(QString::fromStdString(std::string(toString(run->status))));
  return {};
}

QString captionOf(const std::vector<ComparisonRowData>& rows, const RunRecords& runs, Spread spread) {
  const auto& data = runs.front()->experiment.data;
  return tr("Seconds a repeat of %1 steps, batch %2; %3; %4; measured%5.")
      .arg(data.steps)
      .arg(data.batch)
      .arg(spreadSentence(rows, spread), repeatsSentence(rows), statusSentence(runs));
}

QString ratioWords(const ComparisonRowData& row) {
  if (row.baseline) return tr("baseline");
  const QString ratio = number(row.ratio.ratio);
  switch (row.ratio.word) {
    case Ratio::Word::NoClearDifference: return tr("no clear difference (%1x)").arg(ratio);
    case Ratio::Word::WithinNoise: return tr("within noise band (%1x)").arg(ratio);
    case Ratio::Word::TooFewRepeats: return tr("too few repeats");
    default: return tr("%1x as fast").arg(ratio);
  }
}

}  // namespace

ComparisonRows comparisonRows(const RunRecords& runs, const QString& baseline, Spread spread) {
  ComparisonRows result;
  if (runs.empty()) return result;
  result.rows = rowsOf(runs);
  if (result.rows.empty()) return result;
  auto& base = baselineOf(result.rows, runs, baseline);
  compareWith(result.rows, base);
  result.headline = headlineOf(result.rows, base);
  result.caption = captionOf(result.rows, runs, spread);
  const auto* best = mostTelling(result.rows);
  result.clear_difference = best && (best->ratio.word == Ratio::Word::Faster || best->ratio.word == Ratio::Word::Slower);
  return result;
}

std::optional<Interval> whiskerOf(const ComparisonRowData& row, Spread spread) {
  if (row.summary.n < kFewestForSpread) return std::nullopt;
  if (spread == Spread::Ci95) return row.summary.ci95;
  return Interval{row.summary.mean - row.summary.std, row.summary.mean + row.summary.std};
}

QStringList comparisonTableHeader(const ComparisonRows& rows) {
  QString baseline;
  for (const auto& row : rows.rows)
    if (row.baseline) baseline = row.label;
  return {tr("Variant"), tr("n"), tr("mean, s"), tr("std, s"), tr("95 % CI, s"), tr("images/s"), tr("Against %1").arg(baseline), tr("95 % CI of it")};
}

QStringList comparisonTableCells(const ComparisonRowData& row) {
  const auto& s = row.summary;
  const QString none = "-";
  if (s.n == 0) return {row.label, "0", none, none, none, none, tr("not measured"), none};
  return {row.label,
          QString::number(s.n),
          number(s.mean),
          s.n > 1 ? number(s.std) : none,
          s.ci95 ? range(*s.ci95) : tr("too few repeats"),
          number(row.images_per_second),
          ratioWords(row),
          row.baseline || !row.ratio.ci95 ? none : range(*row.ratio.ci95)};
}

}  // namespace lanelab
