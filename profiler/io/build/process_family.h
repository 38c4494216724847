// SPDX-License-Identifier: GPL-3.0-only
// Which processes of a file in which several ranks were merged belong together.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// Scripts that merge the traces of ranks put the rank before each pid ("[TP01] 900", "rank1_900"), behind it
/// ("900@rank1") or into the names of processes ("rank 1 python"), and change nothing else: a process of the host and
/// the GPU that it launched work on then have that part in common. Any thread; linear in the processes.
class ProcessFamilies {
 public:
  explicit ProcessFamilies(const std::vector<ImportedProcess>& processes);

  /// Leaves of `candidates` those that have most in common with `process`: all of them where none has anything.
  std::vector<std::uint32_t> closest(std::uint32_t process, std::vector<std::uint32_t> candidates) const;

 private:
  static constexpr std::size_t kKinds = 3;
  /// By process: a number for each text before the pid, behind it, and of the rank; 0 where there is none.
  std::vector<std::array<std::uint32_t, kKinds>> m_keys;
};

}  // namespace lanelab
