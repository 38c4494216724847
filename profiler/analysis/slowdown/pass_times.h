// SPDX-License-Identifier: GPL-3.0-only
// The passes of a job as they were, and as they would have been without some of the time before them.
//
// A pass can begin when the one before it on its lane and the one that makes its input have ended; the first of a lane
// when the lane is done with the step before, or without such a step when the first rank began. What passes until it
// does begin is its delay. Nanoseconds. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "profiler/analysis/slowdown/job_model.h"

namespace lanelab {

inline constexpr std::uint32_t kNoOperation = 0xFFFFFFFF;

/// A pass, by the numbers of JobModel::operations.
struct TimedPass {
  std::uint32_t operation = 0;
  std::uint32_t before = kNoOperation;    ///< the pass before it on its lane, in PassTimes::passes
  std::uint32_t producer = kNoOperation;  ///< in PassTimes::passes, of another lane
  std::uint32_t send = kNoOperation;      ///< of its input, if recorded
  std::uint32_t receive = kNoOperation;
};

class PassTimes {
 public:
  /// `model` must outlive this; `begins` are those of the steps, nothing where unknown.
  PassTimes(const JobModel& model, std::vector<std::optional<Nanoseconds>> begins);

  /// What each waits for goes before it. Empty where they wait for each other in a circle.
  const std::vector<TimedPass>& passes() const { return m_passes; }
  TimeRange rangeOf(std::uint32_t operation, std::size_t occurrence) const {
    return m_model->ranges[m_model->at(operation, occurrence)];
  }
  /// When the lane of a first pass was done with what it did before.
  Nanoseconds laneReady(const TimedPass& pass, std::size_t occurrence) const;
  /// When the pass could have begun.
  Nanoseconds ready(const TimedPass& pass, std::size_t occurrence) const;

  /// How much earlier the last pass of the occurrence ends if the delay of each is shorter by cut(pass), up to none.
  template <class Cut>
  Nanoseconds gained(std::size_t occurrence, const Cut& cut) const;

  /// The median over the steps of the time from the end of one to the end of the next; of steps that follow none, from
  /// their first start.
  double stepSeconds() const;

 private:
  void findPasses();
  void findMoves();
  void sortByWaits();
  std::size_t stepOf(std::size_t occurrence) const { return occurrence / m_model->replicas(); }
  bool followsAnother(std::size_t step) const {
    return step > 0 && m_model->steps[step] == m_model->steps[step - 1] + 1;
  }
  TimeRange hullOfStep(std::size_t step) const;

  const JobModel* m_model;
  std::vector<std::optional<Nanoseconds>> m_begins;  ///< by step
  std::vector<TimedPass> m_passes;
  std::vector<std::vector<Nanoseconds>> m_lane_ends;  ///< by place and occurrence, of all operations
};

template <class Cut>
Nanoseconds PassTimes::gained(std::size_t occurrence, const Cut& cut) const {
  std::vector<Nanoseconds> ends(m_passes.size());
  Nanoseconds last = 0, replayed = 0;
  for (std::size_t i = 0; i < m_passes.size(); ++i) {
    const TimedPass& pass = m_passes[i];
    const TimeRange range = rangeOf(pass.operation, occurrence);
    const Nanoseconds delay = range.start - ready(pass, occurrence);
    Nanoseconds start = pass.before == kNoOperation ? laneReady(pass, occurrence) : ends[pass.before];
    if (pass.producer != kNoOperation) start = std::max(start, ends[pass.producer]);
    start += delay - std::clamp(cut(pass), Nanoseconds{0}, std::max(delay, Nanoseconds{0}));
    ends[i] = start + range.length();
    last = i == 0 ? range.end : std::max(last, range.end);
    replayed = i == 0 ? ends[i] : std::max(replayed, ends[i]);
  }
  return last - replayed;
}

}  // namespace lanelab
