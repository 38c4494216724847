// SPDX-License-Identifier: GPL-3.0-only
// Random choices that are the same in every run: the numbers of a std::mt19937 of a fixed seed.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

namespace lanelab::test {

class Dice {
 public:
  explicit Dice(unsigned seed) : m_random(seed) {}
  /// From 0 to n - 1.
  int below(int n) { return static_cast<int>(m_random() % static_cast<unsigned>(n)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  template <class T>
  const T& oneOf(const std::vector<T>& things) {
    return things[static_cast<std::size_t>(below(static_cast<int>(things.size())))];
  }

 private:
  std::mt19937 m_random;
};

}  // namespace lanelab::test
