// SPDX-License-Identifier: GPL-3.0-only
// Who a process is, so that others on the same machine can see whether it still runs.
#pragma once

#include <string>

namespace lanelab {

/// Reads /proc; any thread.
struct ProcessId {
  std::string host;     ///< name of the machine
  std::string machine;  ///< boot and process namespace: equal where process numbers mean the same
  int number = 0;
  std::string started;  ///< in the kernel's ticks, since numbers are used again

  static ProcessId ofThisProcess();
  /// To one line and back; nothing is checked, since only processes of this program write it.
  std::string line() const;
  static ProcessId fromLine(const std::string& line);

  /// Whether it is known to have ended. False for a process of another machine.
  bool hasEnded(const std::string& this_machine) const;
  std::string name() const { return host + ", process " + std::to_string(number); }
};

}  // namespace lanelab
