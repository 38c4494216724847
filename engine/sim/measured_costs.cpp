#include "engine/sim/measured_costs.h"

#include <algorithm>

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
CostModel costsOf(const BlockProfile& profile, const Size& size) {
  const double overhead = profile.action_overhead.median;
  const auto scaleTo = [&](const Timing& whole, double sum) {
    return whole.n > 0 && sum > 0 ? std::max(whole.median - overhead, whole.median / 2) / sum : 1.0;
  };
  const double forward = scaleTo(size.forward, sumOf(size.blocks, &BlockTiming::forward));
  const double backward = scaleTo(size.backward, sumOf(size.blocks, &BlockTiming::backward));
  CostModel costs;
  for (std::size_t i = 0; i < size.blocks.size(); ++i) {
    const BlockTiming& block = size.blocks[i];
    const double whole = backward * block.backward.median;
    costs.blocks.push_back({profile.block_names[i], forward * block.forward.median, whole,
                            whole * shareOf(block.backward_weight.median, block.backward_input.median), profile.updates[i].median});
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
  const auto above = std::find_if(sizes.begin(), sizes.end(), [&](const Size& size) { return size.samples > samples; });
  const auto at = std::clamp<std::ptrdiff_t>(above - sizes.begin(), sizes.size() > 1 ? 1 : 0, static_cast<std::ptrdiff_t>(sizes.size()) - 1);
  const auto index = static_cast<std::size_t>(at);
  return {&sizes[index > 0 ? index - 1 : 0], &sizes[index]};
}

}  // namespace

CostModel costsAt(const BlockProfile& profile, int samples) {
  if (profile.sizes.empty()) return {};
  const auto [low, high] = around(profile, samples);
  CostModel a = costsOf(profile, *low);
  if (low->samples == samples) return a;
  const CostModel b = costsOf(profile, *high);
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
  for (std::size_t i = 0; i < a.transfers.size(); ++i) a.transfers[i] = low == high ? a.transfers[i] : between(a.transfers[i], b.transfers[i]);
  // A slowdown has no direction to go on in: beyond the measured sizes it stays what it was.
  const double step = low == high ? 0 : std::clamp(static_cast<double>(samples - low->samples) / (high->samples - low->samples), 0.0, 1.0);
  a.contention += step * (b.contention - a.contention);
  return a;
}

double slownessOf(const BlockProfile& base, const BlockProfile& other) {
  const auto total = [](const BlockProfile& profile, int samples) {
    double sum = 0;
    for (const BlockCost& block : costsAt(profile, samples).blocks) sum += block.forward + block.backward;
    return sum;
  };
  double own = 0, theirs = 0;
  for (const Size& size : base.sizes) {
    if (!other.find(size.samples) && &size != &base.sizes.back()) continue;
    own += total(base, size.samples);
    theirs += total(other, size.samples);
  }
  return own > 0 && theirs > 0 ? theirs / own : 1;
}

}  // namespace lanelab
