// SPDX-License-Identifier: GPL-3.0-only
// What an action waits for, and a table of what is done: shared by check, generators and the printed grid.
//
// F waits for F of the stage before; B (or I) for F of the same stage and B (or I) of the stage after; W for I of the
// same stage.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/schedule/schedule.h"

namespace lanelab {

/// One time stamp for each (stage, micro-batch) and phase F, backward (B or I) and W; -1 while not done.
class ActionTimes {
 public:
  ActionTimes(int stages, int micro_batches)
      : m_micro_batches(static_cast<std::size_t>(micro_batches)),
        m_times(static_cast<std::size_t>(stages) * m_micro_batches * 3, -1) {}

  std::int64_t& of(const Action& action) { return m_times[indexOf(action)]; }
  std::int64_t of(const Action& action) const { return m_times[indexOf(action)]; }
  bool done(const Action& action) const { return of(action) >= 0; }

  /// The same number for B and I of one (stage, micro-batch): both are "its backward" to those who wait.
  std::size_t indexOf(const Action& action) const {
    return (action.stage.index() * m_micro_batches + action.micro_batch.index()) * 3 + phaseIndex(action.kind);
  }
  std::size_t size() const { return m_times.size(); }

 private:
  static std::size_t phaseIndex(ActionKind kind) {
    return kind == ActionKind::Forward ? 0 : kind == ActionKind::BackwardWeight ? 2 : 1;
  }

  std::size_t m_micro_batches;
  std::vector<std::int64_t> m_times;
};

/// The first that `action` waits for and that is not done; none: it can begin.
std::optional<Action> missingFor(const Action& action, int stages, const ActionTimes& done);

/// The last end of what `action` waits for, 0 when it waits for nothing, -1 while something is missing.
std::int64_t readyTime(const Action& action, int stages, const ActionTimes& ends);

}  // namespace lanelab
