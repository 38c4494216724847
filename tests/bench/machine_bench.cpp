// SPDX-License-Identifier: GPL-3.0-only
// What the machine can do at most: memory bandwidth and arithmetic, which training is held against.
#include <ATen/Parallel.h>
#include <ATen/ops/add.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "tests/bench/benches.h"

namespace lanelab::bench {
namespace {

constexpr int kMachineRounds = 7;
constexpr std::int64_t kNumbers = std::int64_t{1} << 26;  ///< of an array: 256 MiB, more than caches hold
constexpr std::int64_t kSide = 2048;                      ///< of a square product

/// Seconds of the fastest round.
template <class Work>
double fastestRound(const Work& work) {
  double fastest = 1e9;
  for (int round = 0; round < kMachineRounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    fastest = std::min(fastest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return fastest;
}

}  // namespace

nlohmann::json benchMachine(int threads, bool print) {
  const int before = at::get_num_threads();
  nlohmann::json rows = nlohmann::json::array();
  const at::Tensor a = at::randn({kNumbers}), b = at::randn({kNumbers});
  at::Tensor c = at::empty({kNumbers});
  const at::Tensor m = at::randn({kSide, kSide});
  at::Tensor product = at::empty({kSide, kSide});
  for (int count = 1; count <= threads; count *= 2) {
    at::set_num_threads(count);
    // STREAM's triad (McCalpin 1995): two arrays read and one written, without what the cache reads before it writes.
    const double triad = 3 * 4e-9 * static_cast<double>(kNumbers) / fastestRound([&] { at::add_out(c, a, b, 3); });
    const double read = 4e-9 * static_cast<double>(kNumbers) / fastestRound([&] { a.sum(); });
    const double flops =
        2e-9 * static_cast<double>(kSide * kSide * kSide) / fastestRound([&] { at::mm_out(product, m, m); });
    rows.push_back({{"threads", count}, {"triad_gb_s", triad}, {"read_gb_s", read}, {"mm_gflop_s", flops}});
    if (print)
      std::printf(
          "%d thread(s): triad %.1f GB/s, sum of an array %.1f GB/s, product of %lld x %lld %.0f GFLOP/s (fp32)\n",
          count, triad, read, static_cast<long long>(kSide), static_cast<long long>(kSide), flops);
  }
  at::set_num_threads(before);
  return rows;
}

}  // namespace lanelab::bench
