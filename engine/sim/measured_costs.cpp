// SPDX-License-Identifier: GPL-3.0-only
#include "engine/sim/measured_costs.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanelab {
namespace {

using Size = BlockProfile::Size;

double shareOf(double part, double other) { return part + other > 0 ? part / (part + other) : 0; }

template <class Member>
double sumOf(const std::vector<BlockTiming>& blocks, Member member) {
  double sum = 0;
  for (const BlockTiming& block : blocks) sum += (block.*member).median;
  return sum;
}

/// Of one measured size.
CostModel costsOf(const BlockProfile& profile, const Size& size, Backwards backwards) {
  const double overhead = profile.action_overhead.median;
  const auto scaleTo = [&](const Timing& whole, double sum) {
    return whole.n > 0 && sum > 0 ? std::max(whole.median - overhead, whole.median / 2) / sum : 1.0;
  };
  const double forward = scaleTo(size.forward, sumOf(size.blocks, &BlockTiming::forward));
  const double backward = scaleTo(size.backward, sumOf(size.blocks, &BlockTiming::backward));
  CostModel costs;
  for (std::size_t i = 0; i < size.blocks.size(); ++i) {
    const BlockTiming& block = size.blocks[i];
    const bool parts = backwards == Backwards::Parts && block.backward_input.n > 0;
    const double whole =
        backward * (parts ? block.backward_input.median + block.backward_weight.median : block.backward.median);
    costs.blocks.push_back({profile.block_names[i], forward * block.forward.median, whole,
                            whole * shareOf(block.backward_weight.median, block.backward_input.median),
                            profile.updates[i].median});
    if (i + 1 < size.blocks.size()) costs.transfers.push_back(block.transfer.median);
  }
  costs.action_overhead = overhead;
  if (profile.key.lanes > 1) costs.contention = (size.all_lanes_slowdown - 1) / (profile.key.lanes - 1);
  return costs;
}

/// The two measured sizes whose line goes through `samples`, or one twice.
std::pair<const Size*, const Size*> around(const BlockProfile& profile, int samples) {
  if (const Size* const exact = profile.find(samples)) return {exact, exact};
  const auto& sizes = profile.sizes;
  const auto above = std::ranges::find_if(sizes, [&](const Size& size) { return size.samples > samples; });
  const auto at = std::clamp<std::ptrdiff_t>(above - sizes.begin(), sizes.size() > 1 ? 1 : 0,
                                             static_cast<std::ptrdiff_t>(sizes.size()) - 1);
  const auto index = static_cast<std::size_t>(at);
  return {&sizes[index > 0 ? index - 1 : 0], &sizes[index]};
}

}  // namespace

CostModel costsAt(const BlockProfile& profile, int samples, Backwards backwards) {
  if (profile.sizes.empty()) return {};
  const auto [low, high] = around(profile, samples);
  CostModel a = costsOf(profile, *low, backwards);
  if (low->samples == samples) return a;
  const CostModel b = costsOf(profile, *high, backwards);
  const double near = (samples < low->samples ? low : high)->samples;
  const auto between = [&, low = low, high = high](double at_low, double at_high) {
    const double proportion = (samples < low->samples ? at_low : at_high) * samples / near;
    if (low == high) return proportion;
    const double step = static_cast<double>(samples - low->samples) / (high->samples - low->samples);
    return std::max(at_low + step * (at_high - at_low), proportion / 10);
  };
  for (std::size_t i = 0; i < a.blocks.size(); ++i) {
    BlockCost& block = a.blocks[i];
    block.forward = between(block.forward, b.blocks[i].forward);
    block.backward = between(block.backward, b.blocks[i].backward);
    block.backward_weight = std::min(block.backward, between(block.backward_weight, b.blocks[i].backward_weight));
  }
  for (std::size_t i = 0; i < a.transfers.size(); ++i)
    a.transfers[i] = low == high ? a.transfers[i] : between(a.transfers[i], b.transfers[i]);
  // A slowdown has no direction to go on in: beyond the measured sizes it stays what it was.
  const double step =
      low == high ? 0
                  : std::clamp(static_cast<double>(samples - low->samples) / (high->samples - low->samples), 0.0, 1.0);
  a.contention += step * (b.contention - a.contention);
  return a;
}

double slownessOf(const BlockProfile& base, const BlockProfile& other, int samples) {
  const auto total = [samples](const BlockProfile& profile) {
    double sum = 0;
    for (const BlockCost& block : costsAt(profile, samples).blocks) sum += block.forward + block.backward;
    return sum;
  };
  const double own = total(base), theirs = total(other);
  return own > 0 && theirs > 0 ? theirs / own : 1;
}

CostModel costsOnLanes(const std::vector<const BlockProfile*>& of_lane, int samples, Backwards backwards) {
  CostModel costs = costsAt(*of_lane.front(), samples, backwards);
  for (const BlockProfile* const profile : of_lane)
    costs.lane_slowness.push_back(profile == of_lane.front() ? 1 : slownessOf(*of_lane.front(), *profile, samples));
  return costs;
}

CostModel recomputing(CostModel costs, const std::vector<double>& forward_again) {
  for (std::size_t i = 0; i < forward_again.size(); ++i)
    costs.blocks[i].backward += forward_again[i] * costs.blocks[i].forward;
  return costs;
}

std::vector<StageTimes> stageTimesOf(const CostModel& costs, const std::vector<Stage>& stages) {
  constexpr double kUnits = 1e6;
  std::vector<BlockCost> all;
  double whole = 0;
  for (const Stage& stage : stages) {
    BlockCost& sum = all.emplace_back(costs.sumOf(stage));
    for (double* const part : {&sum.forward, &sum.backward, &sum.backward_weight})
      *part *= costs.slownessOf(stage.lane);
    whole += sum.forward + sum.backward;
  }
  const auto units = [&](double seconds) {
    return whole > 0 ? static_cast<std::int64_t>(std::llround(seconds / whole * kUnits)) : 0;
  };
  std::vector<StageTimes> times;
  for (const BlockCost& sum : all)
    times.push_back({units(sum.forward), units(sum.backward), units(sum.backward_weight)});
  return times;
}

}  // namespace lanelab
