// SPDX-License-Identifier: GPL-3.0-only
#include "engine/run/time_left.h"

#include <algorithm>
#include <numeric>

#include "base/quantile.h"

namespace lanelab {
namespace {

double secondsBetween(TimeLeft::Time start, TimeLeft::Time end) {
  return std::chrono::duration<double>(end - start).count();
}

}  // namespace

TimeLeft::TimeLeft(const RunUnits& units)
    : m_units(units), m_variants(static_cast<std::size_t>(std::max(units.variants, 0))) {}

void TimeLeft::unitStarted(int variant, bool warmup, int steps, Time now) {
  m_unit = {};
  if (variant < 0 || static_cast<std::size_t>(variant) >= m_variants.size()) return;
  m_unit = {variant, warmup, std::max(steps, 1), now, now, {}};
}

void TimeLeft::stepDone(double seconds, Time now) {
  if (!running()) return;
  m_unit.step_seconds.push_back(seconds);
  m_unit.last_step = now;
}

void TimeLeft::unitDone(Time now) {
  if (!running()) return;
  Variant& own = m_variants[static_cast<std::size_t>(m_unit.variant)];
  const double seconds = secondsBetween(m_unit.start, now);
  (m_unit.warmup ? own.warmups : own.repeats).push_back(seconds);
  if (m_unit.warmup) own.by_steps = unitByPace(seconds);
  m_unit.variant = -1;
}

/// Seconds of a step that is not the unit's first; -1 without steps.
double TimeLeft::pace() const {
  const std::vector<double>& steps = m_unit.step_seconds;
  if (steps.empty()) return -1;
  return medianOf(std::vector<double>(steps.begin() + (steps.size() > 1 ? 1 : 0), steps.end()));
}

/// What the unit would take if its first step were as fast as the others, given what it has taken up to its last step.
double TimeLeft::unitByPace(double spent) const {
  const auto done = static_cast<double>(m_unit.step_seconds.size());
  if (done == 0) return spent;
  const double in_steps = std::accumulate(m_unit.step_seconds.begin(), m_unit.step_seconds.end(), 0.0);
  return std::max(spent - in_steps, 0.0) + pace() * std::max(done, static_cast<double>(m_unit.steps));
}

/// Of the variants of which it is known; -1 where that is none.
double TimeLeft::meanOver(double (TimeLeft::*of_variant)(std::size_t) const) const {
  double sum = 0;
  int known = 0;
  for (std::size_t variant = 0; variant < m_variants.size(); ++variant) {
    const double seconds = (this->*of_variant)(variant);
    if (seconds < 0) continue;
    sum += seconds;
    ++known;
  }
  return known > 0 ? sum / known : -1;
}

double TimeLeft::knownRepeat(std::size_t variant) const {
  const Variant& own = m_variants[variant];
  if (!own.repeats.empty()) return medianOf(own.repeats);
  if (own.by_steps >= 0) return own.by_steps;
  const bool now = running() && static_cast<std::size_t>(m_unit.variant) == variant;
  const bool enough = now && m_unit.step_seconds.size() >= static_cast<std::size_t>(std::min(m_unit.steps, 2));
  return enough ? unitByPace(secondsBetween(m_unit.start, m_unit.last_step)) : -1;
}

double TimeLeft::knownWarmup(std::size_t variant) const {
  const Variant& own = m_variants[variant];
  return own.warmups.empty() ? -1 : medianOf(own.warmups);
}

double TimeLeft::repeatOf(std::size_t variant) const {
  const double known = knownRepeat(variant);
  return known >= 0 ? known : meanOver(&TimeLeft::knownRepeat);
}

/// One that is not known counts as a repeat where no variant has ended a warm-up.
double TimeLeft::warmupOf(std::size_t variant) const {
  if (const double known = knownWarmup(variant); known >= 0) return known;
  const double mean = meanOver(&TimeLeft::knownWarmup);
  return mean >= 0 ? mean : repeatOf(variant);
}

double TimeLeft::leftOfUnit(Time now) const {
  const auto variant = static_cast<std::size_t>(m_unit.variant);
  const int left = m_unit.steps - static_cast<int>(m_unit.step_seconds.size());
  if (m_unit.step_seconds.size() > 1 || left == 0)
    return std::max(0.0, left * pace() - secondsBetween(m_unit.last_step, now));
  const double whole = m_unit.warmup ? warmupOf(variant) : repeatOf(variant);
  return std::max(0.0, whole - secondsBetween(m_unit.start, now));
}

double TimeLeft::seconds(Time now) const {
  double left = running() ? leftOfUnit(now) : 0;
  for (std::size_t variant = 0; variant < m_variants.size(); ++variant) {
    const double repeat = repeatOf(variant);
    if (repeat < 0) return -1;
    const Variant& own = m_variants[variant];
    const bool is_running = running() && static_cast<std::size_t>(m_unit.variant) == variant;
    const int warmups = m_units.warmups - static_cast<int>(own.warmups.size()) - (is_running && m_unit.warmup ? 1 : 0);
    const int repeats = m_units.repeats - static_cast<int>(own.repeats.size()) - (is_running && !m_unit.warmup ? 1 : 0);
    left += std::max(warmups, 0) * warmupOf(variant) + std::max(repeats, 0) * repeat;
  }
  return left;
}

}  // namespace lanelab
