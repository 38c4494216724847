// SPDX-License-Identifier: GPL-3.0-only
#include "engine/placement/cut_search.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <limits>
#include <random>
#include <utility>

namespace lanelab {
namespace {

/// Ways to cut `blocks` blocks at `cuts` places; more than `most` reads as most + 1.
long waysToCut(int blocks, std::size_t cuts, long most) {
  long ways = 1;
  for (std::size_t i = 1; i <= cuts; ++i) {
    ways = ways * (blocks - static_cast<long>(i)) / static_cast<long>(i);  // a binomial after each round
    if (ways > most) return most + 1;
  }
  return ways;
}

class Search {
 public:
  Search(int blocks, const std::vector<BlockId>& start, const CutJudge& judge, int most)
      : m_blocks(blocks), m_judge(judge), m_most(most) {
    m_excess = excessOf(start);
    m_best = {start, secondsOf(start, m_excess), 1, false};
  }

  FastestCut run(int restarts) {
    if (waysToCut(m_blocks, m_best.cuts.size(), m_most) <= m_most) {
      tryAll();
      m_best.all_tried = true;
    } else {
      descend();
      for (int failed = 0; failed < restarts && canTry();) failed = restart() ? 0 : failed + 1;
    }
    return std::move(m_best);
  }

 private:
  void descend() {
    while (canTry() && (moveCut() || moveBlock())) {
    }
  }

  /// From near the best; whether that became better.
  bool restart() {
    const FastestCut best = m_best;
    const double excess = m_excess;
    moveAtRandom(m_best.cuts);
    ++m_best.tried;
    m_excess = excessOf(m_best.cuts);
    m_best.seconds = secondsOf(m_best.cuts, m_excess);
    descend();
    const bool nearer = isShorter(m_excess, excess);
    if (nearer || (m_excess == excess && isShorter(m_best.seconds, best.seconds))) return true;
    const int tried = m_best.tried;
    m_best = best;
    m_best.tried = tried;
    m_excess = excess;
    return false;
  }

  /// Some of them, each between its neighbours.
  void moveAtRandom(std::vector<BlockId>& cuts) {
    constexpr int kMoved = 3;
    for (int i = 0; i < kMoved; ++i) {
      const std::size_t cut = m_random() % cuts.size();
      const auto [low, end] = placesOf(cuts, cut);
      cuts[cut] = BlockId(low + static_cast<int>(m_random() % static_cast<unsigned>(end - low)));
    }
  }

  /// From the first to the end of those between its neighbours.
  std::pair<int, int> placesOf(const std::vector<BlockId>& cuts, std::size_t cut) const {
    return {cut == 0 ? 1 : cuts[cut - 1].value + 1, cut + 1 == cuts.size() ? m_blocks : cuts[cut + 1].value};
  }

  bool canTry() const { return m_best.tried < m_most; }

  /// Whether these cuts are the best now.
  bool isBest(const std::vector<BlockId>& cuts) {
    if (!canTry()) return false;
    ++m_best.tried;
    if (m_excess > 0) return isNearer(cuts);
    const double seconds = m_judge.seconds(cuts);
    if (!isShorter(seconds, m_best.seconds) || excessOf(cuts) > 0) return false;
    m_best.cuts = cuts;
    m_best.seconds = seconds;
    return true;
  }

  /// While nothing fits.
  bool isNearer(const std::vector<BlockId>& cuts) {
    const double excess = excessOf(cuts);
    if (!isShorter(excess, m_excess)) return false;
    m_excess = excess;
    m_best.cuts = cuts;
    m_best.seconds = secondsOf(cuts, excess);
    return true;
  }

  double excessOf(const std::vector<BlockId>& cuts) const { return m_judge.excess ? m_judge.excess(cuts) : 0; }
  double secondsOf(const std::vector<BlockId>& cuts, double excess) const {
    return excess > 0 ? std::numeric_limits<double>::infinity() : m_judge.seconds(cuts);
  }

  void tryAll() {
    const std::size_t count = m_best.cuts.size();
    const std::vector<BlockId> start = m_best.cuts;
    std::vector<BlockId> cuts;
    for (std::size_t i = 0; i < count; ++i) cuts.emplace_back(static_cast<int>(i) + 1);
    for (bool more = count > 0; more;) {
      if (cuts != start) isBest(cuts);
      more = toNext(cuts);
    }
  }

  /// The next ones in lexicographic order.
  bool toNext(std::vector<BlockId>& cuts) const {
    for (std::size_t i = cuts.size(); i-- > 0;) {
      const int last = m_blocks - static_cast<int>(cuts.size() - i);
      if (cuts[i].value >= last) continue;
      for (int block = cuts[i].value + 1; i < cuts.size(); ++i, ++block) cuts[i] = BlockId(block);
      return true;
    }
    return false;
  }

  bool moveCut() {
    bool moved = false;
    for (std::size_t cut = 0; cut < m_best.cuts.size(); ++cut) {
      const auto [low, end] = placesOf(m_best.cuts, cut);
      for (int block = low; block < end; ++block) {
        if (block == m_best.cuts[cut].value) continue;
        std::vector<BlockId> cuts = m_best.cuts;
        cuts[cut] = BlockId(block);
        moved = isBest(cuts) || moved;
      }
    }
    return moved;
  }

  /// From any stage to any other one: those between keep their length.
  bool moveBlock() {
    bool moved = false;
    for (std::size_t first = 0; first < m_best.cuts.size(); ++first) {
      for (std::size_t end = first + 1; end <= m_best.cuts.size(); ++end) {
        for (const int by : {-1, 1}) {
          std::vector<BlockId> cuts = m_best.cuts;
          for (std::size_t cut = first; cut < end; ++cut) cuts[cut] = BlockId(cuts[cut].value + by);
          if (makesStages(cuts)) moved = isBest(cuts) || moved;
        }
      }
    }
    return moved;
  }

  bool makesStages(const std::vector<BlockId>& cuts) const {
    return cuts.front().value > 0 && cuts.back().value < m_blocks &&
           std::ranges::adjacent_find(cuts, std::greater_equal()) == cuts.end();
  }

  int m_blocks;
  const CutJudge& m_judge;
  double m_excess = 0;  ///< of the best
  int m_most;
  FastestCut m_best;
  std::mt19937 m_random{1};
};

}  // namespace

FastestCut fastestCut(int blocks, const std::vector<BlockId>& start, const CutJudge& judge, int most, int restarts) {
  assert(std::ranges::adjacent_find(start, std::greater_equal()) == start.end());
  assert(start.empty() || (start.front().value > 0 && start.back().value < blocks));
  return Search(blocks, start, judge, most).run(restarts);
}

}  // namespace lanelab
