// SPDX-License-Identifier: GPL-3.0-only
#include "engine/placement/partition_chain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace lanelab {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// Both tables are filled forwards: best(s, b) is known when b is reached, and every stage s that begins at block b is
// grown block by block. A stage that is too slow on the fastest lane ends the growing, so that a good limit leaves
// little to look at.
class ChainTable {
 public:
  explicit ChainTable(const PartitionProblem& problem)
      : m_problem(problem), m_blocks(problem.blocks.size()), m_stages(problem.lane_of_stage.size()) {
    for (const LaneId lane : problem.lane_of_stage) m_slowness.push_back(problem.slowness[lane.index()]);
    m_fastest = std::ranges::min(m_slowness);
  }

  /// The smallest bottleneck. A limit that turns out too low is doubled.
  double leastBottleneck() {
    for (double limit = 1.25 * leastPossible();; limit *= 2) {
      if (!(limit > 0) || limit > everything()) limit = kNever;
      fill(limit, [](double before, double time, double transfer) { return std::max({before, time, transfer}); });
      if (const double least = best(m_stages, m_blocks); least < kNever || limit == kNever) return least;
    }
  }

  /// The cuts with the least latency among those whose stages and transfers all stay within `limit`.
  std::optional<std::vector<BlockId>> leastLatency(double limit) {
    fill(limit, [](double before, double time, double transfer) { return before + time + 2 * transfer; });
    if (best(m_stages, m_blocks) == kNever) return std::nullopt;
    std::vector<BlockId> cuts;
    for (std::size_t s = m_stages, end = m_blocks; s > 1; --s) {
      end = m_begin[indexOf(s, end)];
      cuts.emplace_back(end);
    }
    std::reverse(cuts.begin(), cuts.end());
    return cuts;
  }

 private:
  std::size_t indexOf(std::size_t stages, std::size_t blocks) const { return blocks * (m_stages + 1) + stages; }
  double best(std::size_t stages, std::size_t blocks) const { return m_best[indexOf(stages, blocks)]; }
  double transferAfter(std::size_t end) const {
    return end == m_blocks || m_problem.transfers.empty() ? 0 : m_problem.transfers[end - 1];
  }

  /// What no partition's bottleneck is below.
  double leastPossible() const {
    PartitionProblem endless = m_problem;
    endless.micro_batches = 0;
    return partitionBound(endless);
  }

  double everything() const {
    double sum = 0;
    for (const PartitionBlock& block : m_problem.blocks) sum += block.time;
    sum *= std::ranges::max(m_slowness);
    for (const double transfer : m_problem.transfers) sum = std::max(sum, transfer);
    return sum;
  }

  template <class Combine>
  void fill(double limit, Combine combine) {
    m_best.assign((m_stages + 1) * (m_blocks + 1), kNever);
    m_begin.assign(m_best.size(), 0);
    m_best[indexOf(0, 0)] = 0;
    for (std::size_t begin = 0; begin < m_blocks; ++begin) growStages(begin, limit, combine);
  }

  template <class Combine>
  void growStages(std::size_t begin, double limit, Combine combine) {
    const std::size_t low = begin == 0 ? 0 : 1, high = std::min(begin, m_stages - 1);
    double time = 0;
    for (std::size_t end = begin + 1; end <= m_blocks; ++end) {
      time += m_problem.blocks[end - 1].time;
      if (time * m_fastest > limit) return;
      const double transfer = transferAfter(end);
      if (transfer > limit) continue;
      // Each later stage needs a block, and the last stage takes all that are left.
      const std::size_t left = m_blocks - end;
      const std::size_t first = std::max(low, m_stages - 1 - std::min(left, m_stages - 1));
      const std::size_t beyond = left == 0 ? high + 1 : std::min(high + 1, m_stages - 1);
      for (std::size_t s = first; s < beyond; ++s) {
        const double before = best(s, begin);
        const double own = time * m_slowness[s];
        if (before == kNever || own > limit) continue;
        const double value = combine(before, own, transfer);
        if (!(value < best(s + 1, end))) continue;
        m_best[indexOf(s + 1, end)] = value;
        m_begin[indexOf(s + 1, end)] = begin;
      }
    }
  }

  const PartitionProblem& m_problem;
  std::size_t m_blocks, m_stages;
  std::vector<double> m_slowness;  ///< of a stage's lane
  double m_fastest;
  std::vector<double> m_best;        ///< of so many stages that hold so many blocks
  std::vector<std::size_t> m_begin;  ///< where the last of them begins
};

// From the slowest bottleneck that could pay down to the smallest: each round finds the least latency below a limit,
// and the next limit lies just below the bottleneck that came out, so that every trade of latency for pace is seen.
std::vector<BlockId> cutForBatch(const PartitionProblem& problem, ChainTable& table, double least) {
  const double paces = problem.micro_batches - 1;
  const double latency = evaluatePartition(problem, *table.leastLatency(kNever)).latency;
  Partition best = evaluatePartition(problem, *table.leastLatency(least));
  double limit = paces > 0 ? (best.objective - latency) / paces : kNever;
  while (limit > least) {
    const auto cuts = table.leastLatency(limit);
    if (!cuts) break;
    const Partition candidate = evaluatePartition(problem, *cuts);
    if (candidate.objective < best.objective) best = candidate;
    limit = std::nextafter(candidate.bottleneck, 0.0);
    if (paces > 0) limit = std::min(limit, (best.objective - latency) / paces);
  }
  return best.cuts;
}

}  // namespace

std::vector<BlockId> cutChain(const PartitionProblem& problem) {
  ChainTable table(problem);
  const double least = table.leastBottleneck();
  if (problem.micro_batches == 0) return *table.leastLatency(least);
  return cutForBatch(problem, table, least);
}

}  // namespace lanelab
