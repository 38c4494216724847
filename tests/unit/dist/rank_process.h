// SPDX-License-Identifier: GPL-3.0-only
// Processes of a run, started by a test: their variables, what they print, how they end.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace lanelab {

class RankProcess {
 public:
  /// Standard output and error come together. Variables are added to the test's own.
  RankProcess(const std::vector<std::string>& command, const std::map<std::string, std::string>& variables);
  ~RankProcess();  ///< kills what still runs
  RankProcess(const RankProcess&) = delete;
  RankProcess& operator=(const RankProcess&) = delete;

  void signal(int number) const;
  /// Reads until the output holds `text`; false when it ended or the limit was over before.
  bool waitFor(const std::string& text, std::chrono::seconds limit);
  /// The exit status, 128 + number for a signal; -1 when the limit was over first.
  int waitForEnd(std::chrono::seconds limit);
  const std::string& output() const { return m_output; }

 private:
  /// One read; false at the end, or when nothing came before `until`.
  bool readMore(std::chrono::steady_clock::time_point until);

  pid_t m_pid = -1;
  int m_from = -1;
  bool m_closed = false;
  std::string m_output;
};

}  // namespace lanelab
