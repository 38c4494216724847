// SPDX-License-Identifier: GPL-3.0-only
// The CPU cores of this machine that the process may use.
#pragma once

#include <string>
#include <vector>

namespace lanelab {

/// Physical cores (hwloc; one hardware thread each), in hwloc's logical order, within the process's affinity.
class CpuCores {
 public:
  static const CpuCores& ofThisMachine();

  int count() const { return static_cast<int>(m_cpus.size()); }
  const std::string& processor() const { return m_processor; }
  /// Binds the calling thread, and threads it makes later, to cores first ... first+threads-1 (modulo their number).
  void pinThread(int first, int threads) const;
  /// Of hwloc, as built with; "" if the one that is loaded has another interface.
  static std::string libraryVersion();

 private:
  CpuCores();
  std::vector<int> m_cpus;  ///< the system's number of each core's first hardware thread
  std::string m_processor;
};

}  // namespace lanelab
