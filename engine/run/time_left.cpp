// SPDX-License-Identifier: GPL-3.0-only
#include "engine/run/time_left.h"

#include <algorithm>

namespace lanelab {
namespace {

constexpr double kLeastShare = 0.1;  ///< of a unit's steps, before its length can be judged

}  // namespace

TimeLeft::TimeLeft(int variants, int units_per_variant)
    : m_variants(static_cast<std::size_t>(std::max(variants, 0))), m_units_per_variant(units_per_variant) {}

void TimeLeft::unitStarted(int variant, Time now) {
  m_current = variant;
  m_current_start = now;
  m_length_by_steps = -1;
}

void TimeLeft::unitAdvanced(double share, Time now) {
  if (share >= kLeastShare) m_length_by_steps = std::chrono::duration<double>(now - m_current_start).count() / share;
}

void TimeLeft::unitDone(int variant, Time now) {
  if (variant < 0 || static_cast<std::size_t>(variant) >= m_variants.size() || variant != m_current) return;
  auto& own = m_variants[static_cast<std::size_t>(variant)];
  own.done += 1;
  own.seconds += std::chrono::duration<double>(now - m_current_start).count();
  m_current = -1;
}

double TimeLeft::meanOf(const Variant& variant) const {
  return variant.done > 0 ? variant.seconds / variant.done : meanOfAll();
}

double TimeLeft::meanOfAll() const {
  Variant all;
  for (const auto& v : m_variants) {
    all.done += v.done;
    all.seconds += v.seconds;
  }
  return all.done > 0 ? all.seconds / all.done : m_length_by_steps;
}

double TimeLeft::seconds(Time now) const {
  double left = 0;
  for (const auto& variant : m_variants) {
    const double mean = meanOf(variant);
    if (mean < 0) return -1;
    left += mean * std::max(m_units_per_variant - variant.done, 0);
  }
  if (m_current < 0 || static_cast<std::size_t>(m_current) >= m_variants.size()) return left;
  const double spent = std::chrono::duration<double>(now - m_current_start).count();
  return left - std::min(spent, meanOf(m_variants[static_cast<std::size_t>(m_current)]));
}

}  // namespace lanelab
