// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/layout/navigation.h"

#include <algorithm>

namespace lanelab {
namespace {

constexpr double kAir = 0.01;
constexpr std::size_t kMostRemembered = 100;
constexpr Nanoseconds kLeastFollowed = 500'000'000;

/// How much time is shown of a step: its expected length, for one that takes a little longer a little more, and then a
/// half more each time, so that the axis jumps seldom.
Nanoseconds roomFor(Nanoseconds taken, Nanoseconds expected) {
  Nanoseconds room = expected > 0 ? expected : kLeastFollowed;
  for (Nanoseconds part = 8; room < taken; part = 2) room += std::max<Nanoseconds>(room / part, 1);
  return room;
}

}  // namespace

TimeRange Navigation::everything() const { return m_trace.empty() ? m_trace : widened(m_trace, kAir); }

void Navigation::setTrace(TimeRange range, std::vector<StepWindow> steps, bool fit_anew) {
  const bool fit = fit_anew || showsEverything();
  m_trace = range;
  m_steps = std::move(steps);
  if (fit_anew) m_history.clear();
  if (fit) m_visible = everything();
}

void Navigation::show(TimeRange range) {
  if (range.empty() || range == m_visible) return;
  if (!m_visible.empty()) m_history.push_back(m_visible);
  if (m_history.size() > kMostRemembered) m_history.erase(m_history.begin());
  m_in_gesture = false;
  m_visible = range.length() < kShortestRange ? zoomed(range, range.start + range.length() / 2, 1) : range;
}

void Navigation::showInGesture(TimeRange range) {
  if (m_visible.empty()) return;
  if (!m_in_gesture) m_history.push_back(m_visible);
  m_in_gesture = true;
  settle(range);
}

void Navigation::reveal(TimeRange range) {
  if (range.start >= m_visible.start && range.end <= m_visible.end) return;
  const Nanoseconds margin = m_visible.length() / 10;
  if (range.length() > m_visible.length() || range.start < m_visible.start) {
    pan(range.start - margin - m_visible.start);
  } else {
    pan(range.end + margin - m_visible.end);
  }
}

bool Navigation::previous() {
  m_in_gesture = false;
  if (m_history.empty()) return false;
  m_visible = m_history.back();
  m_history.pop_back();
  return true;
}

/// From a view of one step to its neighbour; from a wider view to the first step in it, or backwards to the last.
void Navigation::showStep(int direction) {
  if (m_steps.empty()) return;
  const auto framed = [](const StepWindow& step) { return widened(step.range, 0.02); };
  const auto shown =
      std::find_if(m_steps.begin(), m_steps.end(), [&](const StepWindow& step) { return framed(step) == m_visible; });
  auto index = static_cast<std::ptrdiff_t>(shown - m_steps.begin());
  if (shown != m_steps.end()) {
    index += direction;
  } else if (direction > 0) {
    index = std::find_if(m_steps.begin(), m_steps.end(),
                         [&](const StepWindow& step) { return step.range.start >= m_visible.start; }) -
            m_steps.begin();
  } else {
    index = std::find_if(m_steps.rbegin(), m_steps.rend(),
                         [&](const StepWindow& step) { return step.range.end <= m_visible.end; })
                .base() -
            m_steps.begin() - 1;
  }
  index = std::clamp<std::ptrdiff_t>(index, 0, static_cast<std::ptrdiff_t>(m_steps.size()) - 1);
  show(framed(m_steps[static_cast<std::size_t>(index)]));
}

void Navigation::follow(TimeRange newest) {
  if (!newest.empty()) m_visible = newest;
}

TimeRange newestSteps(const std::vector<StepWindow>& steps, TimeRange trace, Nanoseconds expected) {
  if (steps.empty()) return trace;
  std::size_t first = steps.size() - 1;
  while (first > 0 && trace.end - steps[first].range.start < kLeastFollowed &&
         steps.back().range.end - steps[first - 1].range.start < 2 * kLeastFollowed)
    --first;
  const TimeRange& start = steps[first].range;
  const Nanoseconds length = steps.size() > 1 ? steps[steps.size() - 2].range.length() : expected;
  const Nanoseconds begun = steps.back().range.start;
  return widened({start.start, begun + roomFor(trace.end - begun, length)}, kAir);
}

}  // namespace lanelab
