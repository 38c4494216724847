// SPDX-License-Identifier: GPL-3.0-only
#include "engine/lanes/step_reports.h"

#include <algorithm>

namespace lanelab {

void StepReports::begin(std::size_t lanes, int first) {
  const std::lock_guard lock(m_mutex);
  m_lanes.assign(lanes, {});
  m_first = first;
}

void StepReports::add(std::size_t lane, const LaneStep& report) {
  {
    const std::lock_guard lock(m_mutex);
    m_lanes[lane].steps.push_back(report);
  }
  m_changed.notify_all();
}

void StepReports::leave(std::size_t lane) {
  {
    const std::lock_guard lock(m_mutex);
    m_lanes[lane].left = true;
  }
  m_changed.notify_all();
}

std::optional<std::vector<LaneStep>> StepReports::await(int step) {
  const auto place = static_cast<std::size_t>(step - m_first);
  const auto done = [&](const Lane& lane) { return lane.steps.size() > place; };
  const auto never_done = [&](const Lane& lane) { return lane.left && lane.steps.size() <= place; };
  std::unique_lock lock(m_mutex);
  m_changed.wait(lock, [&] {
    return std::all_of(m_lanes.begin(), m_lanes.end(), done) || std::any_of(m_lanes.begin(), m_lanes.end(), never_done);
  });
  if (!std::all_of(m_lanes.begin(), m_lanes.end(), done)) return std::nullopt;
  std::vector<LaneStep> reports;
  for (const Lane& lane : m_lanes) reports.push_back(lane.steps[place]);
  return reports;
}

}  // namespace lanelab
