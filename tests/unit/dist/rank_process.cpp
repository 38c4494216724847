// SPDX-License-Identifier: GPL-3.0-only
#include "tests/unit/dist/rank_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <stdexcept>

#include "base/shell_text.h"

extern char** environ;

namespace lanelab {

namespace {

std::vector<std::string> environmentWith(const std::map<std::string, std::string>& variables) {
  std::vector<std::string> all;
  for (char** variable = environ; *variable; ++variable) {
    const std::string text = *variable;
    if (!variables.count(text.substr(0, text.find('=')))) all.push_back(text);
  }
  for (const auto& [name, value] : variables) all.push_back(name + "=" + value);
  return all;
}

}  // namespace

RankProcess::RankProcess(const std::vector<std::string>& command, const std::map<std::string, std::string>& variables) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  m_from = ends[0];
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<std::string> words = command, all_variables = environmentWith(variables);
  const int error = posix_spawn(&m_pid, words[0].c_str(), &actions, nullptr, argumentVector(words).data(),
                                argumentVector(all_variables).data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) throw std::runtime_error("could not start " + words[0]);
}

RankProcess::~RankProcess() {
  if (m_pid > 0) {
    kill(m_pid, SIGKILL);
    waitpid(m_pid, nullptr, 0);
  }
  close(m_from);
}

void RankProcess::signal(int number) const { kill(m_pid, number); }

bool RankProcess::readMore(std::chrono::steady_clock::time_point until) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
  pollfd ready{m_from, POLLIN, 0};
  if (left.count() <= 0 || poll(&ready, 1, static_cast<int>(left.count())) <= 0) return false;
  std::array<char, 4096> bytes{};
  const ssize_t count = read(m_from, bytes.data(), bytes.size());
  if (count <= 0) m_closed = true;
  if (count > 0) m_output.append(bytes.data(), static_cast<std::size_t>(count));
  return count > 0;
}

bool RankProcess::waitFor(const std::string& text, std::chrono::seconds limit) {
  const auto until = std::chrono::steady_clock::now() + limit;
  while (m_output.find(text) == std::string::npos) {
    if (!readMore(until)) return false;
  }
  return true;
}

int RankProcess::waitForEnd(std::chrono::seconds limit) {
  const auto until = std::chrono::steady_clock::now() + limit;
  while (readMore(until)) {
  }
  if (!m_closed) return -1;
  int status = 0;
  waitpid(m_pid, &status, 0);
  m_pid = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace lanelab
