// SPDX-License-Identifier: GPL-3.0-only
// The threads that OpenMP holds ready for the calling thread, which PyTorch's operators use.
//
// GNU's OpenMP counts the threads of all teams of the process. If there are more than cores, each thread sleeps at the
// end of each operator in place of waiting actively for the next, and waking it takes longer than many operators: with
// a second team that did nothing, a step of ResNet-50 on a lane of two threads took 1.1 to 1.3 times as long
// (gomp_managed_threads and gomp_throttled_spin_count_var in libgomp/config/linux/wait.h of GCC). So whoever is done
// for a while dismisses its team.
#pragma once

namespace lanelab {

/// Ends the other threads of the calling thread's team. The next operator that needs them starts new ones, in some tens
/// of microseconds each.
void dismissThreadTeam();

/// Dismisses the calling thread's team at the end of a scope.
struct ThreadTeamScope {
  ThreadTeamScope() = default;
  ~ThreadTeamScope() { dismissThreadTeam(); }
  ThreadTeamScope(const ThreadTeamScope&) = delete;
  ThreadTeamScope& operator=(const ThreadTeamScope&) = delete;
};

}  // namespace lanelab
