#include "profiler/collect/cupti/clock_pairing.h"

#include <algorithm>
#include <cstdlib>

namespace lanelab {

namespace {

constexpr int readings = 9;
constexpr Nanoseconds widestBracket = 2'000;
constexpr Nanoseconds jump = 1'000'000;

}  // namespace

void ClockPairing::sample(const Clock& theirs, const Clock& ours) {
  Sample best;
  Nanoseconds bracket = 0;
  for (int i = 0; i < readings; ++i) {
    const Nanoseconds before = ours();
    const Nanoseconds there = theirs();
    const Nanoseconds after = ours();
    if (i > 0 && after - before >= bracket) continue;
    bracket = after - before;
    best = {there, before + bracket / 2 - there, false};
  }
  if (bracket > widestBracket && !m_samples.empty()) {
    ++m_rejected;
    return;
  }
  if (!m_samples.empty() && std::abs(best.offset - m_samples.back().offset) > jump) {
    best.after_jump = true;
    ++m_jumps;
  }
  // A clock set back would make times ambiguous; what it says from then on is taken at its word.
  while (!m_samples.empty() && m_samples.back().theirs >= best.theirs) m_samples.pop_back();
  m_samples.push_back(best);
}

Nanoseconds ClockPairing::toOurs(Nanoseconds theirs) const {
  if (m_samples.empty()) return theirs;
  const auto after = std::upper_bound(m_samples.begin(), m_samples.end(), theirs, [](Nanoseconds time, const Sample& s) { return time < s.theirs; });
  if (after == m_samples.begin()) return theirs + after->offset;
  const Sample& before = *(after - 1);
  if (after == m_samples.end() || after->after_jump) return theirs + before.offset;
  // Offsets drift by microseconds, so a double is exact enough for the part that is added.
  const double share = static_cast<double>(theirs - before.theirs) / static_cast<double>(after->theirs - before.theirs);
  return theirs + before.offset + static_cast<Nanoseconds>(share * static_cast<double>(after->offset - before.offset));
}

}  // namespace lanelab
