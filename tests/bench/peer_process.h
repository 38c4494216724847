// SPDX-License-Identifier: GPL-3.0-only
// A helper process that answers lines with lines over two pipes.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <string>
#include <vector>

namespace lanelab::bench {

class PeerProcess {
 public:
  /// Throws std::runtime_error when it cannot be started.
  explicit PeerProcess(const std::vector<std::string>& command);
  ~PeerProcess();
  PeerProcess(const PeerProcess&) = delete;
  PeerProcess& operator=(const PeerProcess&) = delete;

  /// Sends a line and waits for the answer. Throws when the process has ended.
  std::string ask(const std::string& line);

 private:
  pid_t m_pid = -1;
  std::FILE* m_to = nullptr;
  std::FILE* m_from = nullptr;
};

/// The path of tests/bench/NAME.py.
std::string peerScript(const std::string& name);

}  // namespace lanelab::bench
