// SPDX-License-Identifier: GPL-3.0-only
// Which processes of a file in which several ranks were merged belong together.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// Scripts that merge the traces of ranks put the rank before each pid ("[TP01] 900", "rank1_900"), behind it
/// ("900@rank1") or into the names of processes ("rank 1 python"), and change nothing else: a process of the host and
/// the GPU that it launched work on then have that part in common. Any thread; linear in the processes.
class ProcessFamilies {
 public:
  /// `callers`: the processes among which one is sought.
  ProcessFamilies(const std::vector<ImportedProcess>& processes, const std::vector<std::uint32_t>& callers);

  /// The callers that have most in common with `process`, in their order; none where no caller has anything in common,
  /// or too many have.
  std::vector<std::uint32_t> closest(std::uint32_t process) const;

 private:
  static constexpr std::size_t kKinds = 3;
  /// Texts by number: before the pid, behind it, and of the rank; 0 where there is none.
  using Keys = std::array<std::uint32_t, kKinds>;

  std::vector<Keys> m_keys;                                                                     ///< by process
  std::array<std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>, kKinds> m_callers;  ///< by key
};

}  // namespace lanelab
