// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/run_entry.h"

#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "engine/experiment/experiment.h"
#include "engine/record/begun_record.h"
#include "engine/record/environment.h"
#include "engine/record/run_store.h"
#include "engine/record/speed_words.h"
#include "engine/schedule/schedule_kind.h"

namespace lanelab {
namespace {

namespace fs = std::filesystem;

std::string wordOfSchedule(const Experiment& experiment, const std::string& variant) {
  for (const VariantConfig& config : experiment.variants)
    if (config.name == variant) return hasSchedule(config) ? toWord(config.schedule) : std::string();
  return {};
}

/// Mean length of a step over the counted repeats.
std::optional<double> meanStep(const VariantRecord& variant) {
  double seconds = 0;
  std::size_t steps = 0;
  for (const RepeatRecord& repeat : variant.repeats) {
    for (const double step : repeat.step_seconds) seconds += step;
    steps += repeat.step_seconds.size();
  }
  return steps == 0 ? std::nullopt : std::optional(seconds / static_cast<double>(steps));
}

std::optional<double> stepForecastError(const RunRecord& record, const VariantEntry& entry) {
  for (const StepPrediction& prediction : record.predictions) {
    if (prediction.variant != entry.name || prediction.split_size != entry.micro_batch_size) continue;
    if (entry.step_seconds && *entry.step_seconds > 0) return prediction.step_seconds / *entry.step_seconds - 1;
  }
  return std::nullopt;
}

std::optional<double> memoryForecastError(const VariantRecord& variant) {
  std::optional<double> farthest;
  for (const LaneRecord& lane : variant.lanes) {
    if (lane.peak_bytes <= 0 || lane.forecast.total() <= 0) continue;
    const double error = static_cast<double>(lane.forecast.total()) / static_cast<double>(lane.peak_bytes) - 1;
    if (!farthest || std::abs(error) > std::abs(*farthest)) farthest = error;
  }
  return farthest;
}

std::optional<double> speedUpOf(const RunRecord& record, const VariantRecord& variant) {
  const VariantRecord* baseline = record.find(record.baseline);
  if (variant.summary.n == 0 || baseline == nullptr || baseline->summary.n == 0) return std::nullopt;
  const ComparisonRow* row = record.compared(variant.name);
  return row != nullptr && std::isfinite(row->ratio.ratio) ? std::optional(row->ratio.ratio) : std::nullopt;
}

LogTimes perSample(const RunRecord& record, const VariantRecord& variant) {
  LogTimes times = logTimesOf(variant.seconds());
  if (times.n > 0) times.mean -= std::log(record.samplesPerRepeat());
  return times;
}

VariantEntry variantEntry(const RunRecord& record, const VariantRecord& variant) {
  VariantEntry entry;
  entry.name = variant.name;
  entry.strategy = toWord(variant.strategy);
  entry.schedule = wordOfSchedule(record.experiment, variant.name);
  entry.micro_batch_size = variant.split_size;
  entry.micro_batches = variant.micro_batches;
  entry.repeats = variant.summary.n;
  if (variant.samples_per_second > 0) entry.samples_per_second = variant.samples_per_second;
  entry.step_seconds = meanStep(variant);
  entry.per_sample = perSample(record, variant);
  entry.speed_up = speedUpOf(record, variant);
  if (entry.speed_up) entry.speed_up_text = speedUpText(record.compared(variant.name)->ratio).message;
  if (!variant.repeats.empty() && !variant.repeats.back().losses.empty()) {
    const double loss = variant.repeats.back().losses.back();
    if (std::isfinite(loss)) entry.last_loss = loss;
  }
  if (const auto accuracy = finalAccuracy(variant)) entry.accuracy = accuracy->value();
  entry.step_forecast_error = stepForecastError(record, entry);
  entry.memory_forecast_error = memoryForecastError(variant);
  return entry;
}

int shownIndex(const RunRecord& record) {
  const auto firstWith = [&](auto is) {
    return static_cast<int>(std::ranges::find_if(record.variants, is) - record.variants.begin());
  };
  const auto count = static_cast<int>(record.variants.size());
  const auto other = [&](const VariantRecord& variant) { return variant.name != record.baseline; };
  const int pipeline =
      firstWith([&](const VariantRecord& variant) { return other(variant) && variant.strategy == Strategy::Pipeline; });
  if (pipeline < count) return pipeline;
  const int any = firstWith(other);
  return any < count ? any : count - 1;
}

/// For a damaged run.
std::string writtenAt(const std::string& folder) {
  struct stat info {};
  return ::stat((fs::path(folder) / "run.json").c_str(), &info) == 0 ? utcText(info.st_mtime) : std::string();
}

RunEntry placedEntry(const std::string& folder, const RunLabels& labels) {
  RunEntry entry;
  const fs::path path = wholePath(folder);
  entry.folder = path.string();
  entry.id = path.filename().string();
  entry.labels = labels;
  return entry;
}

}  // namespace

std::string scheduleOrStrategy(const VariantEntry& variant) {
  if (variant.schedule.empty()) return variant.strategy;
  const auto kind = fromWord<ScheduleKind>(variant.schedule);
  return kind ? std::string(titleOf(*kind)) : variant.schedule;
}

std::string RunEntry::name() const {
  const VariantEntry* const variant = shownVariant();
  if (!labels.name.empty()) return labels.name;
  if (experiment != kUnnamedExperiment || variant == nullptr) return experiment;
  const std::string what = work.arch + ", " + scheduleOrStrategy(*variant);
  return variant->micro_batch_size == work.batch ? what : what + ", " + std::to_string(variant->micro_batch_size);
}

RunEntry entryOf(const std::string& folder, const RunRecord& record, const RunLabels& labels) {
  RunEntry entry = placedEntry(folder, labels);
  entry.experiment = record.experiment.name;
  entry.work = workOf(record.experiment);
  entry.unit = record.unit;
  entry.status = record.status;
  entry.error = record.error;
  entry.started = record.started;
  entry.finished = record.finished;
  entry.machine = factOf(record.environment, "host");
  entry.baseline = record.baseline;
  for (const VariantRecord& variant : record.variants) entry.variants.push_back(variantEntry(record, variant));
  entry.shown = shownIndex(record);
  return entry;
}

RunEntry readEntry(const std::string& folder) {
  const Result<RunLabels> read = readLabels(folder);
  const RunLabels labels = read.ok() ? *read : RunLabels{};
  const Result<RunRecord> record = readRun(folder);
  if (record.ok()) {
    RunEntry entry = entryOf(folder, *record, labels);
    if (!read.ok() && entry.error.empty()) entry.error = read.error().message;
    return entry;
  }
  RunEntry entry = placedEntry(folder, labels);
  entry.damaged = true;
  entry.status = RunStatus::Failed;
  entry.error = record.error().message;
  entry.started = writtenAt(folder);
  entry.experiment = entry.id;
  return entry;
}

std::optional<Ratio> speedUpVs(const RunEntry& run, const RunEntry& baseline) {
  const VariantEntry* own = run.shownVariant();
  const VariantEntry* other = baseline.shownVariant();
  if (own == nullptr || other == nullptr || own->per_sample.n == 0 || other->per_sample.n == 0) return std::nullopt;
  if (comparability(run.work, baseline.work).kind == Comparability::Kind::No) return std::nullopt;
  return betweenRuns(compareLogTimes(other->per_sample, own->per_sample));
}

}  // namespace lanelab
