// SPDX-License-Identifier: GPL-3.0-only
// A job replayed with other lengths of its operations: each begins when all that it waits for has ended.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "profiler/analysis/slowdown/job_model.h"

namespace lanelab {

class JobReplay {
 public:
  /// Nothing if operations wait for each other in a circle. `model` must outlive the replay.
  static std::optional<JobReplay> of(const JobModel& model);

  /// The mean step in seconds with these lengths, `length(operation, occurrence)`. Linear in operations and what they
  /// wait for, times occurrences.
  template <class Length>
  double meanStep(const Length& length) {
    const std::vector<double>& steps = this->steps(length);
    double sum = 0;
    for (const double step : steps) sum += step;
    return sum / static_cast<double>(steps.size());
  }
  /// By step.
  template <class Length>
  const std::vector<double>& steps(const Length& length);
  /// When each operation of the last replay began and ended, from the begin of its step; by operation and occurrence.
  const std::vector<double>& starts() const { return m_starts; }
  const std::vector<double>& ends() const { return m_ends; }

 private:
  /// An operation begins, or the group of that number ends.
  struct Event {
    bool ends_group = false;
    std::uint32_t index = 0;
  };

  explicit JobReplay(const JobModel& model);
  bool findEvents();
  void begin(std::uint32_t operation);
  void beginGroup(const JobGroup& group);
  void noteEnd(std::uint32_t operation);

  const JobModel* m_model;
  std::vector<std::uint32_t> m_group_of;  ///< kNoGroup for operations that end by themselves
  std::vector<Event> m_events;
  std::vector<bool> m_ends_step;         ///< by operation: updates, or all if there are none
  std::vector<double> m_starts, m_ends;  ///< by operation and occurrence
  std::vector<double> m_group_start;     ///< by occurrence
  std::vector<double> m_steps;
  static constexpr std::uint32_t kNoGroup = 0xFFFFFFFF;
};

template <class Length>
const std::vector<double>& JobReplay::steps(const Length& length) {
  const JobModel& model = *m_model;
  const std::size_t occurrences = model.occurrences();
  m_steps.assign(model.steps.size(), 0);
  const auto end = [&](std::uint32_t operation, const std::vector<double>& from, std::size_t first) {
    for (std::size_t i = 0; i < occurrences; ++i)
      m_ends[model.at(operation, i)] = from[first + i] + length(operation, i);
    noteEnd(operation);
  };
  for (const Event& event : m_events) {
    if (event.ends_group) {
      beginGroup(model.groups[event.index]);
      for (const std::uint32_t member : model.groups[event.index].members) end(member, m_group_start, 0);
    } else {
      begin(event.index);
      if (m_group_of[event.index] == kNoGroup) end(event.index, m_starts, model.at(event.index, 0));
    }
  }
  return m_steps;
}

}  // namespace lanelab
