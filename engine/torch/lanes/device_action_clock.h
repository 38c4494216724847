// SPDX-License-Identifier: GPL-3.0-only
// When a lane's device did the lane's actions, by marks in its order of work.
#pragma once

#include <utility>
#include <vector>

#include "engine/lanes/lane_worker.h"
#include "engine/torch/devices/device_lane.h"

namespace lanelab {

/// The lane's thread only.
class DeviceActionClock final : public ActionClock {
 public:
  explicit DeviceActionClock(DeviceLane& device) : m_device(device) {}

  void begin(std::size_t index) override {
    if (m_marks.size() <= index) m_marks.resize(index + 1);
    m_action = index;
    m_marks[index].first = m_device.mark();
  }
  void end(std::size_t index) override { m_marks[index].second = m_device.mark(); }
  TimeRange time(std::size_t index) const override {
    return {m_device.timeOf(m_marks[index].first), m_device.timeOf(m_marks[index].second)};
  }

  /// The present action begins only now: the wait for its input lies in the device's order of work, too.
  void restartAction() {
    if (m_action < m_marks.size()) m_marks[m_action].first = m_device.mark();
  }
  void beginStep() {
    m_marks.clear();
    m_device.forgetMarks();
  }

 private:
  DeviceLane& m_device;
  std::size_t m_action = 0;                                  ///< that the lane works on
  std::vector<std::pair<std::size_t, std::size_t>> m_marks;  ///< by action; empty where nobody asks for its time
};

}  // namespace lanelab
