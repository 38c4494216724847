// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/record/operator_clock.h"

#include <cmath>

#include "profiler/trace/trace_builder.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace lanelab {

namespace {

constexpr Nanoseconds kLongEnough = 10'000'000;  ///< between the first pair and one that tells the rate: the clock's
                                                 ///< own error is then a few in a million
constexpr double kSameRate = 1e-3;

#if defined(__x86_64__)
bool hasEvenCounter() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007U, &a, &b, &c, &d) != 0 && (d & (1U << 8)) != 0;
}
std::uint64_t count() { return __rdtsc(); }
#else
bool hasEvenCounter() { return false; }
std::uint64_t count() { return 0; }
#endif

}  // namespace

// A machine that slept counted on while its clock stood still: the pairs from before are forgotten then, and the rate
// that they gave is kept.
void CounterTime::learn(Nanoseconds time, std::uint64_t count) {
  m_last = {time, count};
  if (m_first.time == 0) m_first = m_last;
  if (time - m_first.time < kLongEnough || count <= m_first.count) return;
  const double rate = static_cast<double>(time - m_first.time) / static_cast<double>(count - m_first.count);
  if (m_rate == 0 || std::abs(rate / m_rate - 1) < kSameRate)
    m_rate = rate;
  else
    m_first = m_last;
}

OperatorClock::OperatorClock() : m_counts(hasEvenCounter()) {}

Nanoseconds OperatorClock::anchor() {
  const Nanoseconds time = monotonicNow();
  if (m_counts) m_counter.learn(time, count());
  return time;
}

Nanoseconds OperatorClock::now() const { return m_counter.known() ? m_counter.at(count()) : monotonicNow(); }

}  // namespace lanelab
