// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/sweep.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/quantile.h"
#include "engine/record/statistics.h"

namespace lanelab {
namespace {

/// What two points of one curve have in common.
VariantConfig withoutSplit(VariantConfig variant) {
  variant.name.clear();
  variant.split_size.reset();
  return variant;
}

SweepPoint pointOf(const StepPrediction& prediction) {
  SweepPoint point{prediction.variant, prediction.split_size, prediction.micro_batches, std::nullopt, std::nullopt, {}};
  point.predicted = prediction.step_seconds;
  point.range = prediction.range;
  return point;
}

SweepPoint pointOf(const VariantRecord& variant) {
  SweepPoint point{variant.name, variant.split_size, variant.micro_batches, std::nullopt, std::nullopt, {}};
  const std::vector<double> medians = variant.stepMedians();
  if (medians.empty()) return point;
  point.measured = medianOf(medians);
  point.steps = summarise(medians);
  point.times = logTimesOf(medians);
  return point;
}

void sortBySplitSize(std::vector<SweepPoint>& points) { std::ranges::stable_sort(points, {}, &SweepPoint::split_size); }

const SweepPoint* least(const std::vector<SweepPoint>& points, std::optional<double> SweepPoint::*value) {
  const SweepPoint* best = nullptr;
  for (const SweepPoint& point : points) {
    if (point.*value && (!best || *(point.*value) < *(best->*value))) best = &point;
  }
  return best;
}

/// Ascending: divisors, or with few of them what makes 2, 3, 4, 6, 8 ... micro-batches of nearly equal size, and the
/// largest that makes two.
std::vector<int> suitingSizes(int batch) {
  constexpr std::size_t kFewDivisors = 4;
  std::set<int> sizes = {std::max(1, (batch + 1) / 2)};
  for (int size = 1; size <= batch / 2; ++size)
    if (batch % size == 0) sizes.insert(size);
  if (sizes.size() <= kFewDivisors) {
    for (int count = 2; count <= batch; count *= 2)
      for (const int micro_batches : {count, count + count / 2})
        if (micro_batches <= batch) sizes.insert((batch + micro_batches - 1) / micro_batches);
  }
  return {sizes.begin(), sizes.end()};
}

/// At most nine of them, at equal distances in their order, with the first and the last.
std::set<int> spread(const std::vector<int>& sizes) {
  constexpr std::size_t kMost = 9;
  if (sizes.size() <= kMost) return {sizes.begin(), sizes.end()};
  std::set<int> chosen;
  for (std::size_t i = 0; i < kMost; ++i) chosen.insert(sizes[i * (sizes.size() - 1) / (kMost - 1)]);
  return chosen;
}

Status checkSplitSizes(const std::vector<int>& split_sizes, int batch) {
  if (split_sizes.empty()) return Error::badInput("--split-sizes is empty: name some, such as 1,4,8.");
  for (auto split = split_sizes.begin(); split != split_sizes.end(); ++split) {
    if (*split < 1 || *split > batch) {
      return Error::badInput("--split-sizes: {} is not possible. Choose micro-batch sizes from 1 to {} (the batch).",
                             *split, batch);
    }
    if (std::find(split_sizes.begin(), split, *split) != split) {
      return Error::badInput("--split-sizes: {} is given twice. Name each split size once.", *split);
    }
  }
  return {};
}

}  // namespace

Result<Experiment> sweepOf(const Resolution& resolution, const std::vector<int>& split_sizes) {
  const auto& variants = resolution.variants();
  const auto pipeline = std::ranges::find_if(
      variants, [](const ResolvedVariant& variant) { return variant.config().strategy == Strategy::Pipeline; });
  if (pipeline == variants.end()) {
    return Error::badInput(
        "variants: A sweep needs a pipeline variant, such as { \"name\": \"Pipeline\", \"strategy\": \"pipeline\", "
        "\"split_size\": 8, \"cuts\": [...] }.");
  }
  if (pipeline->modes().batch_norm == BatchNormMode::Synchronised) {
    return Error::badInput(
        "training.batch_norm: Synchronised batch norms take the whole batch at once, whatever the split size. Use "
        "micro-batch or deferred.");
  }
  if (const Status fine = checkSplitSizes(split_sizes, resolution.experiment().data.batch); !fine.ok())
    return fine.error();
  Experiment sweep = resolution.experiment();
  sweep.variants.clear();
  for (const int split : split_sizes) {
    VariantConfig variant = pipeline->config();
    variant.name = "Split " + std::to_string(split);
    variant.split_size = split;
    sweep.variants.push_back(std::move(variant));
  }
  return sweep;
}

std::vector<int> usualSplitSizes(int batch, int present) {
  constexpr int kTutorialBatch = 120;
  std::set<int> sizes;
  if (batch == kTutorialBatch)
    sizes = {1, 3, 5, 8, 10, 12, 20, 40, 60};
  else
    sizes = spread(suitingSizes(batch));
  if (present >= 1 && present <= batch) sizes.insert(present);
  return {sizes.begin(), sizes.end()};
}

std::vector<SweepPoint> sweepPoints(const RunRecord& record) {
  const std::vector<VariantConfig>& variants = record.experiment.variants;
  const auto pipeline = std::ranges::find(variants, Strategy::Pipeline, &VariantConfig::strategy);
  std::vector<SweepPoint> points;
  for (const VariantConfig& variant : variants) {
    if (pipeline == variants.end() || !(withoutSplit(variant) == withoutSplit(*pipeline))) continue;
    if (const VariantRecord* const found = record.find(variant.name)) points.push_back(pointOf(*found));
  }
  for (const StepPrediction& prediction : record.predictions) {
    const auto point = std::ranges::find(points, prediction.variant, &SweepPoint::variant);
    if (point != points.end()) {
      point->predicted = prediction.step_seconds;
      point->range = prediction.range;
    } else if (!record.find(prediction.variant)) {
      points.push_back(pointOf(prediction));
    }
  }
  sortBySplitSize(points);
  return points;
}

std::vector<SweepPoint> sweepPoints(const std::vector<StepPrediction>& predictions) {
  std::vector<SweepPoint> points;
  for (const StepPrediction& prediction : predictions) points.push_back(pointOf(prediction));
  sortBySplitSize(points);
  return points;
}

std::optional<double> errorOf(const SweepPoint& point) {
  if (!point.predicted || !point.measured || !(*point.measured > 0)) return std::nullopt;
  return *point.predicted / *point.measured - 1;
}

std::optional<SweepErrors> errorsOf(const std::vector<SweepPoint>& points) {
  SweepErrors errors;
  std::vector<double> sizes;
  for (const SweepPoint& point : points) {
    const std::optional<double> error = errorOf(point);
    if (!error) continue;
    sizes.push_back(std::abs(*error));
    if (sizes.back() < errors.worst) continue;
    errors.worst = sizes.back();
    errors.worst_split_size = point.split_size;
  }
  if (sizes.empty()) return std::nullopt;
  errors.points = static_cast<int>(sizes.size());
  errors.median = medianOf(std::move(sizes));
  return errors;
}

const SweepPoint* fastestPredicted(const std::vector<SweepPoint>& points) {
  return least(points, &SweepPoint::predicted);
}
const SweepPoint* fastestMeasured(const std::vector<SweepPoint>& points) {
  return least(points, &SweepPoint::measured);
}

std::vector<const SweepPoint*> fastestOf(const std::vector<SweepPoint>& points) {
  std::vector<const SweepPoint*> fastest;
  const SweepPoint* const best = fastestMeasured(points);
  for (const SweepPoint& point : points) {
    if (!point.measured) continue;
    const bool slower = compareLogTimes(point.times, best->times, kFewestForFastest).word == Ratio::Word::Faster;
    if (!slower) fastest.push_back(&point);
  }
  return fastest;
}

const SweepPoint* advisedPoint(const std::vector<SweepPoint>& points) {
  const std::vector<const SweepPoint*> measured = fastestOf(points);
  if (measured.empty()) return fastestPredicted(points);
  return measured.size() == 1 ? measured.front() : nullptr;
}

std::vector<int> bestPredicted(const std::vector<SweepPoint>& points, std::size_t count) {
  std::vector<SweepPoint> sorted;
  std::ranges::copy_if(points, std::back_inserter(sorted),
                       [](const auto& point) { return point.predicted.has_value(); });
  std::ranges::stable_sort(sorted, {}, &SweepPoint::predicted);
  sorted.resize(std::min(sorted.size(), count));
  std::vector<int> sizes;
  for (const SweepPoint& point : sorted) sizes.push_back(point.split_size);
  return sizes;
}

}  // namespace lanelab
