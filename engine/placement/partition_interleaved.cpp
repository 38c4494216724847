// SPDX-License-Identifier: GPL-3.0-only
#include <algorithm>
#include <limits>

#include "engine/placement/partition_search.h"

namespace lanelab {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr double kRounding =
    1e-12;  // sums are the same to this: less is no improvement, and no reason to give a branch up

PartitionProblem onOwnLanes(const PartitionProblem& problem) {
  PartitionProblem alone = problem;
  alone.micro_batches = 0;
  alone.lanes.clear();
  for (std::size_t s = 0; s < alone.lane_of_stage.size(); ++s) {
    alone.lanes.push_back(problem.lanes[problem.lane_of_stage[s].index()]);
    alone.lane_of_stage[s] = LaneId(s);
  }
  return alone;
}

// Moves one cut to where it is best.
bool improve(const PartitionProblem& problem, Partition& best, std::size_t cut) {
  const int low = cut == 0 ? 1 : best.cuts[cut - 1].value + 1;
  const int high = cut + 1 == best.cuts.size() ? static_cast<int>(problem.blocks.size()) : best.cuts[cut + 1].value;
  bool moved = false;
  std::vector<BlockId> cuts = best.cuts;
  for (int block = low; block < high; ++block) {
    cuts[cut] = BlockId(block);
    Partition candidate = evaluatePartition(problem, cuts);
    if (candidate.objective >= best.objective) continue;
    best = std::move(candidate);
    moved = true;
  }
  return moved;
}

// The stages as if each had a lane of its own, then every cut moved while that helps. A good first answer is most of
// the pruning.
Partition firstAnswer(const PartitionProblem& problem) {
  Partition best = evaluatePartition(problem, cutChain(onOwnLanes(problem)));
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t cut = 0; cut < best.cuts.size(); ++cut) moved = improve(problem, best, cut) || moved;
  }
  return best;
}

// Depth first, a stage a level; each stage's ends nearest to its fair share are tried first. A branch ends where a lane
// is as busy as the best answer's bottleneck, or where the lanes together have no room for what is left below that.
class CutSearch {
 public:
  CutSearch(const PartitionProblem& problem, std::int64_t node_limit)
      : m_problem(problem),
        m_nodes_left(node_limit),
        m_blocks(problem.blocks.size()),
        m_stages(problem.lane_of_stage.size()),
        m_loads(problem.lanes.size(), 0),
        m_left_of_lane(problem.lanes.size(), 0) {
    m_fastest = kEndless;
    for (const LaneId lane : problem.lane_of_stage) {
      ++m_left_of_lane[lane.index()];
      m_fastest = std::min(m_fastest, problem.lanes[lane.index()].slowness);
    }
    m_work.push_back(0);
    for (const PartitionBlock& block : problem.blocks) m_work.push_back(m_work.back() + block.time);
    for (double& work : m_work) work = m_work.back() - work;
    keep(firstAnswer(problem));
  }

  InterleavedCuts run() {
    if (m_best_objective > partitionBound(m_problem) * (1 + kRounding)) place(0, 0, 0, 0);
    return {m_best, m_nodes_left > 0};
  }

 private:
  void keep(const Partition& answer) {
    m_best = answer.cuts;
    m_best_objective = answer.objective;
  }

  // What a lane may reach so that the objective can still become better.
  double paceLimit(std::size_t begin, double latency) const {
    if (m_problem.micro_batches == 0) return m_best_objective;
    const double rest = m_best_objective - latency - m_work[begin] * m_fastest;
    if (rest <= 0) return 0;
    return m_problem.micro_batches == 1 ? kEndless : rest / (m_problem.micro_batches - 1);
  }

  bool roomFor(std::size_t begin, double limit) const {
    double room = 0;
    for (std::size_t lane = 0; lane < m_loads.size(); ++lane) {
      if (m_left_of_lane[lane] > 0) room += std::max(0.0, limit - m_loads[lane]) / m_problem.lanes[lane].slowness;
    }
    return room * (1 + kRounding) >= m_work[begin];
  }

  // Where the stage would end if what is left were shared evenly among the stages left.
  std::size_t fairEnd(std::size_t stage, std::size_t begin, std::size_t low, std::size_t high) const {
    const double target = m_work[begin] - m_work[begin] / static_cast<double>(m_stages - stage);
    const auto from = m_work.begin() + static_cast<std::ptrdiff_t>(low),
               to = m_work.begin() + static_cast<std::ptrdiff_t>(high);
    const auto found = std::lower_bound(from, to, target, [](double work, double wanted) { return work > wanted; });
    return static_cast<std::size_t>(found - m_work.begin());
  }

  void place(std::size_t stage, std::size_t begin, double latency, double slowest_transfer) {
    if (stage == m_stages) {
      finish();
      return;
    }
    const std::size_t low = stage + 1 == m_stages ? m_blocks : begin + 1, high = m_blocks - (m_stages - 1 - stage);
    const std::size_t fair = fairEnd(stage, begin, low, high);
    for (std::size_t distance = 0; distance <= std::max(high - fair, fair - low); ++distance) {
      if (fair + distance <= high) tryEnd(stage, begin, fair + distance, latency, slowest_transfer);
      if (distance > 0 && fair >= low + distance) tryEnd(stage, begin, fair - distance, latency, slowest_transfer);
      if (m_nodes_left <= 0) return;
    }
  }

  void tryEnd(std::size_t stage, std::size_t begin, std::size_t end, double latency, double slowest_transfer) {
    if (--m_nodes_left <= 0) return;
    const std::size_t lane = m_problem.lane_of_stage[stage].index();
    const double own = (m_work[begin] - m_work[end]) * m_problem.lanes[lane].slowness;
    const double transfer = transferAfter(m_problem, stage, end);
    const double limit = paceLimit(end, latency + own + 2 * transfer);
    if (std::max({m_loads[lane] + own, slowest_transfer, transfer}) >= limit * (1 - kRounding)) return;
    const double load_before = m_loads[lane];
    m_loads[lane] += own;
    --m_left_of_lane[lane];
    if (end < m_blocks) m_cuts.emplace_back(end);
    if (roomFor(end, limit)) place(stage + 1, end, latency + own + 2 * transfer, std::max(slowest_transfer, transfer));
    if (end < m_blocks) m_cuts.pop_back();
    ++m_left_of_lane[lane];
    m_loads[lane] = load_before;
  }

  void finish() {
    const Partition answer = evaluatePartition(m_problem, m_cuts);
    if (answer.objective < m_best_objective) keep(answer);
  }

  const PartitionProblem& m_problem;
  std::int64_t m_nodes_left;
  std::size_t m_blocks, m_stages;
  std::vector<double> m_work;  ///< of all blocks from here on, unscaled
  double m_fastest;
  std::vector<double> m_loads;      ///< a lane
  std::vector<int> m_left_of_lane;  ///< stages that are not placed yet
  std::vector<BlockId> m_cuts;
  std::vector<BlockId> m_best;
  double m_best_objective = kEndless;
};

}  // namespace

InterleavedCuts cutInterleaved(const PartitionProblem& problem, std::int64_t node_limit) {
  return CutSearch(problem, node_limit).run();
}

}  // namespace lanelab
