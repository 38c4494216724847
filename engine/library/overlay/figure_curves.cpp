// SPDX-License-Identifier: GPL-3.0-only
#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/text.h"
#include "engine/experiment/training_modes.h"
#include "engine/library/overlay/overlay_parts.h"

namespace lanelab {
namespace {

/// What variants of one curve have in common, part by part; a curve's name has the first two and those that differ.
constexpr std::size_t kParts = 7, kAlwaysNamed = 2;
using Settings = std::array<std::string, kParts>;

struct Figure {
  Settings settings;
  OverlayPoint point;
  OverlaySource source;
  const RunRecord* record;
};

bool hasWork(const LaneRecord& lane) {
  return lane.busy_seconds > 0 || lane.peak_bytes > 0 || lane.forecast.total() > 0;
}

int lanesOf(const RunRecord& record, const VariantRecord& variant) {
  if (variant.strategy == Strategy::Single) return 1;
  if (const auto count = std::ranges::count_if(variant.lanes, hasWork); count > 0) return static_cast<int>(count);
  const auto config = std::ranges::find(record.experiment.variants, variant.name, &VariantConfig::name);
  const bool own = config != record.experiment.variants.end() && config->lanes;
  return static_cast<int>(own ? config->lanes->size() : record.experiment.lanes.size());
}

std::optional<double> peakOf(const VariantRecord& variant) {
  std::int64_t peak = 0;
  for (const LaneRecord& lane : variant.lanes) peak = std::max(peak, lane.peak_bytes);
  return peak > 0 ? std::optional(static_cast<double>(peak)) : std::nullopt;
}

std::optional<double> figureOf(OverlayMetric metric, const VariantEntry& entry, const VariantRecord& variant) {
  switch (metric) {
    case OverlayMetric::StepTime: return entry.step_seconds;
    case OverlayMetric::SamplesPerSecond: return entry.samples_per_second;
    default: return peakOf(variant);
  }
}

Settings settingsOf(const OverlaidRun& run, const VariantEntry& entry, const VariantRecord& variant, OverlayAxis axis) {
  const bool by_lanes = axis == OverlayAxis::Lanes;
  const std::string other = by_lanes ? "micro-batch size " + std::to_string(variant.split_size)
                                     : counted(lanesOf(*run.record, variant), "lane");
  return {run.entry.work.arch,
          scheduleOrStrategy(entry),
          other,
          "batch " + std::to_string(run.entry.work.batch),
          run.entry.work.source + " " + run.entry.work.shape,
          modesText(variant.modes),
          run.entry.machine};
}

std::string nameOf(const Settings& settings, const std::array<bool, kParts>& named) {
  std::vector<std::string> words;
  for (std::size_t part = 0; part < kParts; ++part)
    if (named[part] && !settings[part].empty()) words.push_back(settings[part]);
  return joined(words, ", ");
}

/// The parts by which the curves differ, and those that each has.
std::array<bool, kParts> namedParts(const std::vector<Figure>& figures) {
  std::array<bool, kParts> named{};
  for (std::size_t part = 0; part < kParts; ++part)
    named[part] = part < kAlwaysNamed || std::ranges::any_of(figures, [&](const Figure& figure) {
                    return figure.settings[part] != figures.front().settings[part];
                  });
  return named;
}

void addFigures(std::vector<Figure>& figures, FoundCurves& found, const OverlaidRun& run, const OverlayChoice& choice) {
  const std::size_t before = figures.size();
  const Lack lack = choice.metric == OverlayMetric::PeakMemory ? Lack::NoMemory : Lack::NoFigure;
  for (std::size_t i = 0; i < run.entry.variants.size(); ++i) {
    const VariantEntry& entry = run.entry.variants[i];
    const VariantRecord& variant = run.record->variants[i];
    const auto value = figureOf(choice.metric, entry, variant);
    if (!value) {
      found.lacking.emplace_back(lack, run.name + "/" + entry.name);
      continue;
    }
    const int x = choice.axis == OverlayAxis::Lanes ? lanesOf(*run.record, variant) : variant.split_size;
    figures.push_back({settingsOf(run, entry, variant, choice.axis),
                       {static_cast<double>(x), *value},
                       {run.name, run.entry.id, entry.name, entry.repeats},
                       run.record.get()});
  }
  if (figures.size() > before) return;
  std::erase_if(found.lacking, [&](const auto& named) { return named.second.starts_with(run.name + "/"); });
  found.lacking.emplace_back(lack, run.name);
}

}  // namespace

FoundCurves figureCurves(const std::vector<OverlaidRun>& runs, const OverlayChoice& choice) {
  FoundCurves found;
  std::vector<Figure> figures;
  for (const OverlaidRun& run : runs)
    if (run.record)
      addFigures(figures, found, run, choice);
    else
      found.lacking.emplace_back(run.left_out ? Lack::LeftOut : Lack::Unread, run.name);
  const std::array<bool, kParts> named = namedParts(figures);
  std::map<Settings, std::size_t> places;
  for (const Figure& figure : figures) {
    const auto [place, is_new] = places.try_emplace(figure.settings, found.curves.size());
    if (is_new) found.add(choice.metric, {nameOf(figure.settings, named), {}, false, {}, {}}, *figure.record);
    OverlayCurve& curve = found.curves[place->second];
    curve.points.push_back(figure.point);
    curve.points.back().source = curve.sources.size();
    curve.sources.push_back(figure.source);
  }
  for (OverlayCurve& curve : found.curves) std::ranges::stable_sort(curve.points, {}, &OverlayPoint::x);
  return found;
}

}  // namespace lanelab
