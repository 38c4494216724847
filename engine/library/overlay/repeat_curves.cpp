// SPDX-License-Identifier: GPL-3.0-only
#include <algorithm>
#include <optional>

#include "engine/library/overlay/overlay_parts.h"
#include "engine/record/comparability.h"
#include "engine/record/environment.h"

namespace lanelab {
namespace {

using Points = std::vector<OverlayPoint>;

/// Seconds from the start of the first step to the end of each.
std::vector<double> endsOfSteps(const RepeatRecord& repeat) {
  std::vector<double> ends;
  double end = 0;
  for (const double seconds : repeat.step_seconds) ends.push_back(end += seconds);
  return ends;
}

/// Where the end of a step is on an axis that counts or times steps; nothing if its time is not known.
std::optional<double> placeOfStep(OverlayAxis axis, const std::vector<double>& ends, int step) {
  if (axis == OverlayAxis::Step) return step;
  const auto index = static_cast<std::size_t>(std::max(step, 0));
  return index < ends.size() ? std::optional(ends[index]) : std::nullopt;
}

Points pointsOfSteps(const std::vector<double>& values, const RepeatRecord& repeat, OverlayAxis axis) {
  const std::vector<double> ends = endsOfSteps(repeat);
  Points points;
  for (std::size_t step = 0; step < values.size(); ++step)
    if (const auto x = placeOfStep(axis, ends, static_cast<int>(step))) points.push_back({*x, values[step]});
  return points;
}

std::optional<double> valueOf(OverlayMetric metric, const EpochResult& epoch) {
  switch (metric) {
    case OverlayMetric::ValidationLoss: return epoch.validation_loss;
    case OverlayMetric::Accuracy: return epoch.accuracy;
    case OverlayMetric::ValidationAccuracy: return epoch.validation_accuracy;
    default: return epoch.loss;
  }
}

Points pointsOfEpochs(OverlayMetric metric, const RepeatRecord& repeat, OverlayAxis axis) {
  const std::vector<double> ends = endsOfSteps(repeat);
  Points points;
  for (std::size_t e = 0; e < repeat.epochs.size(); ++e) {
    const auto value = valueOf(metric, repeat.epochs[e]);
    const auto x = axis == OverlayAxis::Epoch ? std::optional(static_cast<double>(e))
                                              : placeOfStep(axis, ends, repeat.epochs[e].last_step);
    if (value && x) points.push_back({*x, *value});
  }
  return points;
}

bool isByStep(const OverlayChoice& choice) {
  return choice.metric == OverlayMetric::StepTime ||
         (choice.metric == OverlayMetric::Loss && choice.axis != OverlayAxis::Epoch);
}

Points pointsOf(const RepeatRecord& repeat, const OverlayChoice& choice) {
  if (!isByStep(choice)) return pointsOfEpochs(choice.metric, repeat, choice.axis);
  const bool times = choice.metric == OverlayMetric::StepTime;
  return pointsOfSteps(times ? repeat.step_seconds : repeat.losses, repeat, choice.axis);
}

/// Of a repeat that has no points.
Lack lackOf(const RepeatRecord& repeat, const OverlayChoice& choice) {
  if (repeat.step_seconds.empty() && repeat.losses.empty()) return Lack::NoStep;
  if (isByStep(choice)) return Lack::NoStep;
  if (repeat.epochs.empty()) return Lack::NoEpochs;
  const auto knows = [](const EpochResult& epoch) { return epoch.accuracy.has_value(); };
  const bool accuracy = choice.metric == OverlayMetric::Accuracy || choice.metric == OverlayMetric::ValidationAccuracy;
  return accuracy && std::ranges::none_of(repeat.epochs, knows) ? Lack::NoAnswers : Lack::NoValidation;
}

/// The newest counted one, else one that did not end; null if none began.
const RepeatRecord* newestRepeat(const VariantRecord& variant) {
  if (!variant.repeats.empty()) return &variant.repeats.back();
  return variant.unfinished ? &*variant.unfinished : nullptr;
}

std::vector<const VariantRecord*> chosenVariants(const OverlaidRun& run, bool all) {
  std::vector<const VariantRecord*> chosen;
  const VariantEntry* const shown = run.entry.shownVariant();
  for (const VariantRecord& variant : run.record->variants)
    if (all || (shown != nullptr && shown->name == variant.name)) chosen.push_back(&variant);
  return chosen;
}

void addRepeats(FoundCurves& found, const OverlaidRun& run, const OverlayChoice& choice) {
  const std::vector<const VariantRecord*> variants = chosenVariants(run, choice.all_variants);
  if (variants.empty()) found.lacking.emplace_back(Lack::NoStep, run.name);
  for (const VariantRecord* const variant : variants) {
    const std::string name = choice.all_variants && variants.size() > 1 ? run.name + "/" + variant->name : run.name;
    const RepeatRecord* const repeat = newestRepeat(*variant);
    Points points = repeat ? pointsOf(*repeat, choice) : Points();
    if (points.empty()) {
      found.lacking.emplace_back(repeat ? lackOf(*repeat, choice) : Lack::NoStep, name);
      continue;
    }
    OverlayCurve curve;
    curve.name = name;
    curve.unfinished = variant->repeats.empty();
    curve.sources = {{run.name, run.entry.id, variant->name, 1}};
    curve.points = std::move(points);
    found.add(choice.metric, std::move(curve), *run.record);
  }
}

bool haveOtherLoss(const TrainingConfig& a, const TrainingConfig& b) {
  return a.loss != b.loss || a.loss_shift != b.loss_shift || a.label_smoothing != b.label_smoothing;
}

bool haveOtherData(const RunWork& a, const RunWork& b) {
  return a.source != b.source || a.path != b.path || a.shape != b.shape || a.classes != b.classes;
}

}  // namespace

Apart apartness(OverlayMetric metric, const RunRecord& reference, const RunRecord& other) {
  const RunWork a = workOf(reference.experiment), b = workOf(other.experiment);
  switch (metric) {
    case OverlayMetric::Loss:
    case OverlayMetric::ValidationLoss:
      if (haveOtherLoss(reference.experiment.training, other.experiment.training)) return Apart::Loss;
      return haveOtherData(a, b) ? Apart::Data : Apart::Not;
    case OverlayMetric::Accuracy:
    case OverlayMetric::ValidationAccuracy: return haveOtherData(a, b) ? Apart::Data : Apart::Not;
    default: break;
  }
  if (comparability(a, b).kind == Comparability::Kind::No) return Apart::Work;
  if (metric != OverlayMetric::SamplesPerSecond && a.batch != b.batch) return Apart::Batch;
  const bool timed = metric != OverlayMetric::PeakMemory;
  return timed && factOf(reference.environment, "host") != factOf(other.environment, "host") ? Apart::Machine
                                                                                             : Apart::Not;
}

void FoundCurves::add(OverlayMetric metric, OverlayCurve curve, const RunRecord& record) {
  if (reference == nullptr) reference = &record;
  const Apart from_first = apartness(metric, *reference, record);
  curve.differs = wordsOf(from_first);
  apart.push_back(from_first);
  curves.push_back(std::move(curve));
}

FoundCurves repeatCurves(const std::vector<OverlaidRun>& runs, const OverlayChoice& choice) {
  FoundCurves found;
  for (const OverlaidRun& run : runs)
    if (run.record)
      addRepeats(found, run, choice);
    else
      found.lacking.emplace_back(run.left_out ? Lack::LeftOut : Lack::Unread, run.name);
  return found;
}

}  // namespace lanelab
