// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/usual_lengths.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/quantile.h"

namespace lanelab {

namespace {

constexpr std::size_t kPhaseCount = 6;
constexpr double kFence = 6;         ///< median absolute deviations, beyond which a length is an outlier
constexpr double kLeastFence = 0.3;  ///< of the median
constexpr double kErrors = 3;        ///< standard errors, beyond which a stage differs from the others
constexpr double kFewDegrees = 4;    ///< of few degrees of freedom an error is known badly, so more of it counts
constexpr double kSmaller = 0.01;    ///< share of its time that a smaller micro-batch saves at least
constexpr double kSmallerErrors = 6;

struct Mean {
  double sum = 0;
  double count = 0;
  void add(double value) {
    sum += value;
    count += 1;
  }
  double value() const { return sum / count; }
};

/// Values of which the spread counts as well.
struct Spread {
  Mean mean;
  double squares = 0;
  void add(double value) {
    mean.add(value);
    squares += value * value;
  }
  /// Sum of the squared distances from the mean.
  double residue() const { return std::max(0.0, squares - mean.sum * mean.value()); }
};

struct Fence {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool holds(double length) const { return length >= low && length <= high; }
};

/// Of two values none is known to be the odd one.
Fence fenceAround(const std::vector<double>& lengths) {
  if (lengths.size() < 3) return {};
  const double median = medianOf(lengths);
  std::vector<double> distances;
  distances.reserve(lengths.size());
  for (const double length : lengths) distances.push_back(std::abs(length - median));
  const double reach = std::max(kFence * medianOf(distances), kLeastFence * median);
  return {median - reach, median + reach};
}

std::size_t phaseOf(const TracedAction& action) { return static_cast<std::size_t>(action.phase) % kPhaseCount; }
bool ofMicroBatch(const TracedAction& action) {
  return action.phase != Phase::None && action.phase != Phase::Update && action.micro_batch >= 0;
}

/// A kind of actions has a place by stage and phase, and one beside it for smaller micro-batches.
std::size_t placeOf(const TracedAction& action, bool smaller) {
  return (static_cast<std::size_t>(std::max(action.stage + 1, 0)) * kPhaseCount + phaseOf(action)) * 2 +
         (smaller ? 1 : 0);
}
std::size_t phaseOfPlace(std::size_t place) { return place / 2 % kPhaseCount; }

/// By place, whether the stage is not just by chance slower or faster than its phase. Where nothing tells how much
/// lengths vary, each stage has its own, as do smaller micro-batches.
std::vector<bool> stagesThatDiffer(const std::vector<Spread>& spreads) {
  std::array<double, kPhaseCount> residue{};
  std::array<double, kPhaseCount> freedom{};
  for (std::size_t place = 0; place < spreads.size(); place += 2) {
    if (spreads[place].mean.count == 0) continue;
    residue[phaseOfPlace(place)] += spreads[place].residue();
    freedom[phaseOfPlace(place)] += spreads[place].mean.count - 1;
  }
  std::vector<bool> differs(spreads.size(), true);
  for (std::size_t place = 0; place < spreads.size(); place += 2) {
    const Mean& mean = spreads[place].mean;
    const double degrees = freedom[phaseOfPlace(place)];
    if (mean.count == 0 || degrees == 0) continue;
    const double error = std::sqrt(residue[phaseOfPlace(place)] / degrees / mean.count);
    differs[place] = std::abs(mean.value() - 1) > kErrors * (1 + kFewDegrees / degrees) * error;
  }
  return differs;
}

class UsualLengthFinder {
 public:
  UsualLengthFinder(const Trace& trace, const TracedActions& traced)
      : m_trace(trace), m_traced(traced), m_last_of_lane(trace.lanes.size()) {
    m_result.equal.resize(traced.actions.size());
    m_result.staged.resize(traced.actions.size());
  }

  UsualLengths find() {
    std::vector<Spread> of_trace;
    for (std::size_t step = 0; step < m_traced.windows.size(); ++step) measure(step, [&] { addTo(of_trace); });
    m_differs = stagesThatDiffer(of_trace);
    for (std::size_t step = 0; step < m_traced.windows.size(); ++step) measure(step, [this] { setLengths(); });
    return std::move(m_result);
  }

 private:
  /// Actions of one stage and phase in a step; those of a smaller last micro-batch are a kind of their own.
  struct Kind {
    std::vector<std::uint32_t> items;
    Mean mean;  ///< without outliers
    Fence fence;
  };

  /// Finds the kinds of the step and the means of its phases, and calls visit() while they are there.
  template <class Visit>
  void measure(std::size_t step, const Visit& visit) {
    m_items = m_traced.itemsOf(step);
    findSmallerMicroBatches();
    for (const std::uint32_t item : m_items) {
      const TracedAction& action = m_traced.actions[item];
      kindAt(placeOf(action, isSmaller(action))).items.push_back(item);
    }
    m_of_phase.fill({});
    for (const std::size_t place : m_used) findMean(place);
    visit();
    for (const std::size_t place : m_used) m_kinds[place] = {};
    m_used.clear();
  }

  Kind& kindAt(std::size_t place) {
    if (place >= m_kinds.size()) m_kinds.resize(place + 1);
    if (m_kinds[place].items.empty()) m_used.push_back(place);
    return m_kinds[place];
  }

  double lengthOf(std::uint32_t item) const { return static_cast<double>(m_traced.actions[item].range.length()); }
  bool isRunning(std::uint32_t item) const {
    const TracedAction& action = m_traced.actions[item];
    const LiveLane* const lane = m_trace.live.empty() ? nullptr : m_trace.liveLane(action.lane);
    return lane != nullptr && lane->running == action.range.start;
  }
  std::vector<double> lengthsOf(const Kind& kind, bool running) const {
    std::vector<double> lengths;
    for (const std::uint32_t item : kind.items)
      if (isRunning(item) == running) lengths.push_back(lengthOf(item));
    return lengths;
  }

  void findMean(std::size_t place) {
    Kind& kind = m_kinds[place];
    std::vector<double> lengths = lengthsOf(kind, false);
    const bool known = !lengths.empty();
    if (!known) lengths = lengthsOf(kind, true);
    kind.fence = fenceAround(lengths);
    for (const double length : lengths)
      if (kind.fence.holds(length)) kind.mean.add(length);
    Mean& of_phase = meanOfPhase(place);
    if (!known && of_phase.count > 0) return;
    of_phase.sum += kind.mean.sum;
    of_phase.count += kind.mean.count;
  }
  Mean& meanOfPhase(std::size_t place) { return m_of_phase[phaseOfPlace(place) * 2 + place % 2]; }
  const Mean& meanOfPhase(std::size_t place) const { return m_of_phase[phaseOfPlace(place) * 2 + place % 2]; }

  /// How the stages of the step compare: by place, lengths as multiples of the mean of their phase.
  void addTo(std::vector<Spread>& spreads) const {
    for (const std::size_t place : m_used) {
      if (place >= spreads.size()) spreads.resize(place + 1);
      const double usual = meanOfPhase(place).value();
      if (usual <= 0) continue;
      for (const double length : lengthsOf(m_kinds[place], false))
        if (m_kinds[place].fence.holds(length)) spreads[place].add(length / usual);
    }
  }

  void setLengths() {
    std::vector<Spread> of_step;
    addTo(of_step);
    const std::vector<bool> differs = stagesThatDiffer(of_step);
    for (const std::size_t place : m_used) {
      const double equal = meanOfPhase(place).value();
      const double staged = differs[place] || m_differs[place] ? m_kinds[place].mean.value() : equal;
      for (const std::uint32_t item : m_kinds[place].items) {
        m_result.equal[item] = equal;
        m_result.staged[item] = staged;
      }
    }
  }

  bool isSmaller(const TracedAction& action) const {
    return ofMicroBatch(action) && std::ranges::find(m_smaller, action.micro_batch) != m_smaller.end();
  }

  /// The last micro-batches, one of each replica, whose actions all are shorter than the others of their kind, by
  /// about the same share.
  void findSmallerMicroBatches() {
    m_smaller.clear();
    std::ranges::fill(m_last_of_lane, -1);
    for (const std::uint32_t item : m_items) {
      const TracedAction& action = m_traced.actions[item];
      std::int16_t& last = m_last_of_lane[static_cast<std::size_t>(action.lane)];
      if (ofMicroBatch(action)) last = std::max(last, action.micro_batch);
    }
    std::vector<std::int16_t> last = m_last_of_lane;
    std::ranges::sort(last);
    last.erase(std::unique(last.begin(), last.end()), last.end());
    std::erase(last, -1);
    if (last.empty() || last.back() == 0) return;
    const std::vector<Mean> others = meansWithout(last);
    for (const std::int16_t micro_batch : last)
      if (isSmaller(micro_batch, others)) m_smaller.push_back(micro_batch);
  }

  /// By place, of the micro-batches that are not among these.
  std::vector<Mean> meansWithout(const std::vector<std::int16_t>& micro_batches) const {
    std::vector<Mean> means;
    for (const std::uint32_t item : m_items) {
      const TracedAction& action = m_traced.actions[item];
      if (!ofMicroBatch(action) || std::ranges::find(micro_batches, action.micro_batch) != micro_batches.end())
        continue;
      const std::size_t place = placeOf(action, false);
      if (place >= means.size()) means.resize(place + 1);
      means[place].add(lengthOf(item));
    }
    return means;
  }

  bool isSmaller(std::int16_t micro_batch, const std::vector<Mean>& others) const {
    Spread saved;
    for (const std::uint32_t item : m_items) {
      const TracedAction& action = m_traced.actions[item];
      const std::size_t place = placeOf(action, false);
      if (!ofMicroBatch(action) || action.micro_batch != micro_batch || place >= others.size() ||
          others[place].count == 0 || others[place].sum <= 0)
        continue;
      const double share = 1 - lengthOf(item) / others[place].value();
      if (share <= 0 || isRunning(item)) return false;
      saved.add(share);
    }
    const double count = saved.mean.count;
    if (count < 2 || saved.mean.value() < kSmaller) return false;
    return saved.mean.value() >= kSmallerErrors * std::sqrt(saved.residue() / (count - 1) / count);
  }

  const Trace& m_trace;
  const TracedActions& m_traced;
  UsualLengths m_result;
  std::vector<std::int16_t> m_last_of_lane;
  std::vector<bool> m_differs;  ///< by place, over all steps
  // Of the step that is measured:
  std::span<const std::uint32_t> m_items;
  std::vector<std::int16_t> m_smaller;
  std::vector<Kind> m_kinds;        ///< by place
  std::vector<std::size_t> m_used;  ///< places that have actions
  std::array<Mean, kPhaseCount * 2> m_of_phase;
};

}  // namespace

UsualLengths usualLengths(const Trace& trace, const TracedActions& traced) {
  return UsualLengthFinder(trace, traced).find();
}

}  // namespace lanelab
