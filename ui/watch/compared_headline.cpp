// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/layout/action_difference.h"
#include "ui/watch/shown_trace.h"
#include "ui/watch/timeline_comparison.h"

namespace lanelab {
namespace {

/// Actions of unlike micro-batches do unlike work; their steps can be compared all the same, if these are of one batch.
QString unlikeWords(const AlignedRuns& aligned, bool same_batch) {
  const QString differ = TimelineComparison::tr("Micro-batches differ: %1 and %2 samples, so actions are not compared")
                             .arg(aligned.micro_batches.a)
                             .arg(aligned.micro_batches.b);
  const auto a = static_cast<double>(aligned.step_a), b = static_cast<double>(aligned.step_b);
  return same_batch && a > 0 && b > 0
             ? TimelineComparison::tr("%1; steps of B %2").arg(differ, differenceText(b / a - 1))
             : differ;
}

/// "24 matching actions: B +3.1 % in total; 3 only in A; 6 only in B".
QString matchWords(const ComparedActions& actions) {
  if (actions.cells.empty()) return TimelineComparison::tr("no matching actions");
  double a = 0, b = 0;
  for (const AlignedCell& cell : actions.cells) {
    a += static_cast<double>(cell.a);
    b += static_cast<double>(cell.b);
  }
  QString words = TimelineComparison::tr("%n matching action(s)", "", static_cast<int>(actions.cells.size()));
  if (a > 0) words = TimelineComparison::tr("%1: B %2 in total").arg(words, differenceText(b / a - 1));
  if (actions.only_a > 0)
    words += TimelineComparison::tr("; %1 only in A").arg(static_cast<qulonglong>(actions.only_a));
  if (actions.only_b > 0)
    words += TimelineComparison::tr("; %1 only in B").arg(static_cast<qulonglong>(actions.only_b));
  return words;
}

}  // namespace

QString comparedHeadline(const ComparedTraces& compared, std::optional<TimeRange> range) {
  const AlignedRuns& aligned = *compared.aligned;
  const QString words =
      aligned.micro_batches.differ() ? unlikeWords(aligned, compared.same_batch)
      : range ? TimelineComparison::tr("In the selected range: %1").arg(matchWords(actionsWithin(aligned, *range)))
      : aligned.cells.empty() ? TimelineComparison::tr("No matching actions")
                              : matchWords(comparedActions(aligned));
  return TimelineComparison::tr("%1. %2.").arg(compared.names, words);
}

}  // namespace lanelab
