// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/counter_order.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace lanelab {

void sortByTime(Counter& counter) {
  if (std::is_sorted(counter.times.begin(), counter.times.end())) return;
  std::vector<std::pair<Nanoseconds, double>> values;
  values.reserve(counter.times.size());
  for (std::size_t i = 0; i < counter.times.size(); ++i) values.emplace_back(counter.times[i], counter.values[i]);
  std::stable_sort(values.begin(), values.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < values.size(); ++i) std::tie(counter.times[i], counter.values[i]) = values[i];
}

}  // namespace lanelab
