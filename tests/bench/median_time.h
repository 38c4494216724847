// SPDX-License-Identifier: GPL-3.0-only
// How long a piece of work takes, as the median of several times.
#pragma once

#include <vector>

#include "base/quantile.h"
#include "tests/support/stopwatch.h"

namespace lanelab::bench {

template <class Work>
double medianMilliseconds(int repeats, const Work& work) {
  std::vector<double> times;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const test::Stopwatch watch;
    work();
    times.push_back(1e3 * watch.seconds());
  }
  return medianOf(times);
}

}  // namespace lanelab::bench
