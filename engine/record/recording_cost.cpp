// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/recording_cost.h"

#include <algorithm>
#include <random>
#include <utility>

#include "base/quantile.h"

namespace lanelab {
namespace {

constexpr std::size_t kResamples = 2000;

bool allTakeTime(const std::vector<StepPair>& pairs) {
  return std::ranges::all_of(pairs, [](const StepPair& pair) { return pair.off > 0; });
}

/// Of pairs that take time.
double ratioOf(const std::vector<StepPair>& pairs) {
  std::vector<double> differences, off;
  for (const StepPair& pair : pairs) {
    differences.push_back(pair.on - pair.off);
    off.push_back(pair.off);
  }
  return medianOf(std::move(differences)) / medianOf(std::move(off));
}

Interval bootstrap(const std::vector<StepPair>& pairs) {
  std::mt19937_64 random(pairs.size());
  std::vector<double> ratios;
  std::vector<StepPair> drawn(pairs.size());
  for (std::size_t i = 0; i < kResamples; ++i) {
    for (StepPair& pair : drawn) pair = pairs[random() % pairs.size()];
    ratios.push_back(ratioOf(drawn));
  }
  std::ranges::sort(ratios);
  return {ratios[kResamples / 40], ratios[kResamples - 1 - kResamples / 40]};
}

}  // namespace

RecordingCost costOf(std::string mode, const std::vector<StepPair>& pairs, const std::vector<StepPair>& cpu) {
  RecordingCost cost;
  cost.mode = std::move(mode);
  if (!allTakeTime(pairs)) {
    cost.not_measured = "a step took 0 s";
    return cost;
  }
  cost.pairs = static_cast<int>(pairs.size());
  if (!pairs.empty()) cost.cost_ratio = ratioOf(pairs);
  if (pairs.size() >= kFewestForInterval) cost.ci95 = bootstrap(pairs);
  if (cpu.empty() || !allTakeTime(cpu)) return cost;
  cost.cpu_ratio = ratioOf(cpu);
  if (cpu.size() >= kFewestForInterval) cost.cpu_ci95 = bootstrap(cpu);
  return cost;
}

}  // namespace lanelab
