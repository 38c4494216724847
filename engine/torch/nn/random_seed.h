// SPDX-License-Identifier: GPL-3.0-only
// Seeds made of other seeds. Pure.
#pragma once

#include <cstdint>

namespace lanelab {

/// A number that is not predictable: what several numbers mixed give (SplitMix64: Steele, Lea, Flood 2014).
constexpr std::uint64_t mixedSeed(std::uint64_t seed, std::uint64_t number) {
  std::uint64_t z = seed + (number + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

/// Of what is random within a step of a replica; of its micro-batch k, mixed with k. The same whatever the lanes and
/// stages are, so that a placement changes no numbers.
constexpr std::uint64_t stepSeed(std::uint64_t seed, int step, int replica) {
  return mixedSeed(mixedSeed(seed, static_cast<std::uint64_t>(step)), static_cast<std::uint64_t>(replica));
}

}  // namespace lanelab
