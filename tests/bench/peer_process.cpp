// SPDX-License-Identifier: GPL-3.0-only
#include "tests/bench/peer_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

#include "base/shell_text.h"
#include "tests/support/source_folder.h"

namespace lanelab::bench {

PeerProcess::PeerProcess(const std::vector<std::string>& command) {
  ::signal(SIGPIPE, SIG_IGN);
  // Closed on exec, or a second peer would hold the first one's pipe open and it would never see its end.
  int to[2], from[2];
  if (::pipe2(to, O_CLOEXEC) != 0 || ::pipe2(from, O_CLOEXEC) != 0)
    throw std::runtime_error("pipes for the peer could not be made");
  std::vector<std::string> words = command;
  const std::vector<char*> arguments = argumentVector(words);
  m_pid = ::fork();
  if (m_pid == 0) {
    ::dup2(to[0], 0);
    ::dup2(from[1], 1);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::close(to[0]);
  ::close(from[1]);
  m_to = ::fdopen(to[1], "w");
  m_from = ::fdopen(from[0], "r");
  if (m_pid < 0 || !m_to || !m_from) throw std::runtime_error("the peer could not be started");
}

PeerProcess::~PeerProcess() {
  if (m_to) std::fclose(m_to);  // end of input: the peer leaves
  if (m_from) std::fclose(m_from);
  if (m_pid > 0) ::waitpid(m_pid, nullptr, 0);
}

std::string PeerProcess::ask(const std::string& line) {
  std::fprintf(m_to, "%s\n", line.c_str());
  std::fflush(m_to);
  char buffer[4096];
  if (!std::fgets(buffer, sizeof buffer, m_from))
    throw std::runtime_error("the peer ended; what it wrote to stderr says why");
  return buffer;
}

std::string peerScript(const std::string& name) { return test::sourceFolder() + "/tests/bench/" + name + ".py"; }

}  // namespace lanelab::bench
