// SPDX-License-Identifier: GPL-3.0-only
#include "ui/watch/shown_trace.h"

#include "engine/advise/sweep.h"
#include "profiler/analysis/causes_within.h"
#include "profiler/io/tables/csv_tables.h"
#include "ui/run/shown_run.h"

namespace lanelab {

const FinishedVariant* finishedVariant(const ShownTrace& shown) {
  if (const auto* compared = std::get_if<ComparedTraces>(&shown)) return &compared->measured;
  if (const auto* replayed = std::get_if<ReplayedSteps>(&shown))
    return std::get_if<FinishedVariant>(&replayed->measured);
  return std::get_if<FinishedVariant>(&shown);
}

const ImportedFile* importedFile(const ShownTrace& shown) {
  if (const auto* replayed = std::get_if<ReplayedSteps>(&shown)) return std::get_if<ImportedFile>(&replayed->measured);
  return std::get_if<ImportedFile>(&shown);
}

std::shared_ptr<const Trace> analysedTrace(const ShownTrace& shown) {
  if (const auto* compared = std::get_if<ComparedTraces>(&shown)) return compared->first;
  if (const auto* replayed = std::get_if<ReplayedSteps>(&shown)) return replayed->trace;
  if (const auto* file = std::get_if<ImportedFile>(&shown)) return file->imported->trace;
  const auto* finished = std::get_if<FinishedVariant>(&shown);
  return finished ? finished->trace : nullptr;
}

std::shared_ptr<const Trace> comparableTrace(const ShownTrace& shown) {
  const FinishedVariant* const finished = finishedVariant(shown);
  return finished && finished->record ? analysedTrace(shown) : nullptr;
}

std::string timelineCsv(const ShownTrace& shown, std::optional<TimeRange> range) {
  if (const auto* compared = std::get_if<ComparedTraces>(&shown))
    return alignedCsv(range ? actionsWithin(*compared->aligned, *range).cells : compared->aligned->cells);
  const auto* live = std::get_if<LiveRun>(&shown);
  const auto trace = live ? live->trace : analysedTrace(shown);
  if (!trace) return {};
  // A replay is another trace than the file's, whose rows are of the measured one.
  const auto* file = std::get_if<ImportedFile>(&shown);
  const IdleCauses causes = file ? explainIdle(*file->imported) : explainIdle(*trace);
  return gapTableCsv(*trace, range ? causesWithin(causes, *range) : causes, trace->range().start);
}

QString variantToShow(const RunRecord* record, const QString& active_variant) {
  if (!record || record->find(active_variant.toStdString())) return active_variant;
  const std::vector<SweepPoint> points = sweepPoints(*record);
  const SweepPoint* const best = fastestMeasured(points);
  return best ? QString::fromStdString(best->variant) : active_variant;
}

ShownTrace nextShownTrace(const ShownTrace& now, const ShownRun& run, const QString& variant) {
  if (const ImportedFile* const file = importedFile(now); file && !run.record()) return *file;
  const auto trace = run.trace(variant);
  if (!trace && run.reads(variant)) return now;
  if (const auto* compared = std::get_if<ComparedTraces>(&now); compared && compared->first == trace) return now;
  if (!trace && !run.record()) return NoTrace{};
  return FinishedVariant{run.record(), variant, trace};
}

}  // namespace lanelab
