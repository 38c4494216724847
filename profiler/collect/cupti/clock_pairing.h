// SPDX-License-Identifier: GPL-3.0-only
// Puts another clock's times onto ours: bracketed pairs of both clocks, between them a straight line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <vector>

#include "profiler/trace/trace.h"

namespace lanelab {

/// CUPTI counts real time, our traces monotonic time; the first is slewed and may be set by hand while a run lasts. One
/// thread.
class ClockPairing {
 public:
  using Clock = std::function<Nanoseconds()>;

  /// Reads ours, theirs, ours; of nine readings keeps the one with the closest bracket. A bracket over 2 us says too
  /// little and is passed over unless it is the first, and that one goes when a closer one comes.
  void sample(const Clock& theirs, const Clock& ours) {
    Sample best;
    for (int i = 0; i < kReadings; ++i) {
      const Nanoseconds before = ours();
      const Nanoseconds there = theirs();
      const Nanoseconds after = ours();
      const Nanoseconds bracket = after - before;
      if (i == 0 || bracket < best.bracket) best = {there, before + bracket / 2 - there, bracket, false};
    }
    if (best.bracket <= kWidestBracket || m_samples.empty()) keep(best);
  }

  /// Theirs to ours; before the first and behind the last sample their offsets hold. Without any sample the time as it
  /// is.
  Nanoseconds toOurs(Nanoseconds theirs) const {
    if (m_samples.empty()) return theirs;
    const bool same_place = m_after <= m_samples.size() && (m_after == 0 || m_samples[m_after - 1].theirs <= theirs) &&
                            (m_after == m_samples.size() || theirs < m_samples[m_after].theirs);
    if (!same_place) {
      const auto after = std::ranges::upper_bound(m_samples, theirs, {}, &Sample::theirs);
      m_after = static_cast<std::size_t>(after - m_samples.begin());
    }
    if (m_after == 0) return theirs + m_samples.front().offset;
    const Sample& before = m_samples[m_after - 1];
    if (m_after == m_samples.size() || m_samples[m_after].after_jump) return theirs + before.offset;
    return theirs + offsetBetween(before, m_samples[m_after], theirs);
  }

  /// Times the other clock was set: its offset moved over 1 ms between samples.
  std::int64_t jumps() const { return m_jumps; }
  /// As far as a converted time may be off: half of the widest bracket, or if that is more, what a sample lies beside
  /// the line between its neighbours.
  Nanoseconds residual() const {
    Nanoseconds worst = 0;
    for (std::size_t i = 0; i < m_samples.size(); ++i) {
      const Sample& sample = m_samples[i];
      worst = std::max(worst, (sample.bracket + 1) / 2);
      if (i == 0 || i + 1 == m_samples.size() || sample.after_jump || m_samples[i + 1].after_jump) continue;
      worst =
          std::max(worst, std::abs(sample.offset - offsetBetween(m_samples[i - 1], m_samples[i + 1], sample.theirs)));
    }
    return worst;
  }

 private:
  static constexpr int kReadings = 9;
  static constexpr Nanoseconds kWidestBracket = 2'000;
  static constexpr Nanoseconds kJump = 1'000'000;
  struct Sample {
    Nanoseconds theirs = 0;
    Nanoseconds offset = 0;  ///< ours minus theirs
    Nanoseconds bracket = 0;
    bool after_jump = false;
  };
  /// Offsets drift by microseconds, so a double is exact enough for the part that is added.
  static Nanoseconds offsetBetween(const Sample& before, const Sample& after, Nanoseconds theirs) {
    const double share =
        static_cast<double>(theirs - before.theirs) / static_cast<double>(after.theirs - before.theirs);
    return before.offset + static_cast<Nanoseconds>(share * static_cast<double>(after.offset - before.offset));
  }
  void keep(Sample sample) {
    if (!m_samples.empty() && std::abs(sample.offset - m_samples.back().offset) > kJump) {
      sample.after_jump = true;
      ++m_jumps;
    } else if (m_samples.size() == 1 && m_samples.front().bracket > kWidestBracket) {
      m_samples.clear();
    }
    // A clock set back would make times ambiguous; what it says from then on is taken at its word.
    while (!m_samples.empty() && m_samples.back().theirs >= sample.theirs) m_samples.pop_back();
    m_samples.push_back(sample);
  }

  std::vector<Sample> m_samples;    ///< by theirs
  mutable std::size_t m_after = 0;  ///< the sample behind the time that was converted last: most times lie near it
  std::int64_t m_jumps = 0;
};

}  // namespace lanelab
