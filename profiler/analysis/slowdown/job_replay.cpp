// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/slowdown/job_replay.h"

#include <numeric>

namespace lanelab {

JobReplay::JobReplay(const JobModel& model) : m_model(&model), m_group_of(model.operations.size(), kNoGroup) {
  for (std::uint32_t group = 0; group < model.groups.size(); ++group)
    for (const std::uint32_t member : model.groups[group].members) m_group_of[member] = group;
  const auto updates = [](const JobOperation& operation) { return operation.role == JobOperation::Role::Update; };
  const bool any_update = std::ranges::any_of(model.operations, updates);
  for (const JobOperation& operation : model.operations) m_ends_step.push_back(!any_update || updates(operation));
  const std::size_t size = model.operations.size() * model.occurrences();
  m_starts.resize(size);
  m_ends.resize(size);
  m_group_start.resize(model.occurrences());
}

std::optional<JobReplay> JobReplay::of(const JobModel& model) {
  JobReplay replay(model);
  return replay.findEvents() ? std::optional(std::move(replay)) : std::nullopt;
}

/// The order of Kahn (Topological sorting of large networks, 1962), where a group ends with its last begin.
bool JobReplay::findEvents() {
  const std::size_t count = m_model->operations.size();
  std::vector<std::vector<std::uint32_t>> next(count);
  std::vector<std::size_t> waits(count), begun(m_model->groups.size());
  std::vector<std::uint32_t> ready;
  for (std::uint32_t operation = 0; operation < count; ++operation) {
    waits[operation] = m_model->after[operation].size();
    for (const std::uint32_t before : m_model->after[operation]) next[before].push_back(operation);
    if (waits[operation] == 0) ready.push_back(operation);
  }
  const auto release = [&](std::uint32_t ended) {
    for (const std::uint32_t later : next[ended])
      if (--waits[later] == 0) ready.push_back(later);
  };
  for (std::size_t i = 0; i < ready.size(); ++i) {
    const std::uint32_t operation = ready[i], group = m_group_of[operation];
    m_events.push_back({false, operation});
    if (group == kNoGroup) {
      release(operation);
    } else if (++begun[group] == m_model->groups[group].members.size()) {
      m_events.push_back({true, group});
      for (const std::uint32_t member : m_model->groups[group].members) release(member);
    }
  }
  return ready.size() == count && m_events.size() == count + m_model->groups.size();
}

void JobReplay::begin(std::uint32_t operation) {
  const std::size_t first = m_model->at(operation, 0), occurrences = m_model->occurrences();
  std::fill_n(m_starts.begin() + static_cast<std::ptrdiff_t>(first), occurrences, 0.0);
  for (const std::uint32_t before : m_model->after[operation]) {
    const std::size_t ended = m_model->at(before, 0);
    for (std::size_t i = 0; i < occurrences; ++i)
      m_starts[first + i] = std::max(m_starts[first + i], m_ends[ended + i]);
  }
}

void JobReplay::beginGroup(const JobGroup& group) {
  std::ranges::fill(m_group_start, 0.0);
  for (const std::uint32_t member : group.members)
    for (std::size_t i = 0; i < m_group_start.size(); ++i)
      m_group_start[i] = std::max(m_group_start[i], m_starts[m_model->at(member, i)]);
  if (!group.over_replicas) return;
  const auto replicas = static_cast<std::ptrdiff_t>(m_model->replicas());
  for (auto step = m_group_start.begin(); step != m_group_start.end(); step += replicas)
    std::fill(step, step + replicas, *std::max_element(step, step + replicas));
}

void JobReplay::noteEnd(std::uint32_t operation) {
  if (!m_ends_step[operation]) return;
  const std::size_t first = m_model->at(operation, 0);
  for (std::size_t i = 0; i < m_group_start.size(); ++i) {
    double& step = m_steps[i / m_model->replicas()];
    step = std::max(step, m_ends[first + i]);
  }
}

}  // namespace lanelab
