// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exporter/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/atomic_file.h"
#include "base/shell_text.h"

namespace lanelab {
namespace {

constexpr int kLookAgainMs = 200;
constexpr std::size_t kMostOfLine = 64 << 10;  ///< a longer line arrives in parts

/// One pipe from the program.
class LinePipe {
 public:
  explicit LinePipe(const std::function<void(const std::string&)>& line) : m_line(line) {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
    m_from = FileHandle(ends[0]);
    m_to = FileHandle(ends[1]);
  }

  bool isOpen() const { return m_from.ok(); }
  int from() const { return m_from.get(); }
  int to() const { return m_to.get(); }
  /// Only the program writes from here on, so that its end is seen.
  void closeWriter() { m_to = FileHandle(); }

  /// Waits if nothing is there.
  void read() {
    std::array<char, 4096> bytes{};
    const ssize_t count = ::read(m_from.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) return;
    if (count > 0) {
      add({bytes.data(), static_cast<std::size_t>(count)});
    } else {
      end();
    }
  }

  void end() {
    if (!m_rest.empty()) give();
    m_from = FileHandle();
  }

 private:
  // Progress bars end their lines by \r.
  void add(std::string_view bytes) {
    for (const char c : bytes) {
      const bool line_end = c == '\n' || c == '\r';
      if (!line_end) m_rest += c;
      if (line_end ? !m_rest.empty() : m_rest.size() >= kMostOfLine) give();
    }
  }

  void give() {
    if (m_line) m_line(m_rest);
    m_rest.clear();
  }

  const std::function<void(const std::string&)>& m_line;
  FileHandle m_from, m_to;
  std::string m_rest;
};

/// How the program starts: its group, its signals and its three streams.
class SpawnSettings {
 public:
  SpawnSettings(int output, int messages) {
    sigset_t none, ignored;
    sigemptyset(&none);
    sigemptyset(&ignored);
    sigaddset(&ignored, SIGPIPE);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &ignored);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
  }
  ~SpawnSettings() {
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
};

// The process number stays taken until waitpid(), so that a kill cannot meet another program.
bool hasEnded(pid_t child, int options) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT | options) == 0 && info.si_pid == child;
}

/// Until both are closed, or the program has ended and nothing more comes: what it started may hold the pipes longer.
void readAll(pid_t child, LinePipe& output, LinePipe& messages) {
  while (output.isOpen() || messages.isOpen()) {
    std::array<pollfd, 2> ready{{{output.from(), POLLIN, 0}, {messages.from(), POLLIN, 0}}};  // closed: -1, not polled
    const int count = ::poll(ready.data(), ready.size(), kLookAgainMs);
    if (count == 0 && hasEnded(child, WNOHANG)) {
      output.end();
      messages.end();
    }
    if (count <= 0) continue;
    if (ready[0].revents != 0) output.read();
    if (ready[1].revents != 0) messages.read();
  }
}

}  // namespace

Result<ChildEnd> runChild(std::vector<std::string> words, const ChildLines& lines, const std::stop_token& stop) {
  LinePipe output(lines.output), messages(lines.messages);
  if (!output.isOpen() || !messages.isOpen())
    return Error::failed("{} cannot be started: {}.", words.front(), std::strerror(errno));
  pid_t child = 0;
  {
    const SpawnSettings settings(output.to(), messages.to());
    if (const int error = ::posix_spawnp(&child, words.front().c_str(), &settings.actions, &settings.attributes,
                                         argumentVector(words).data(), environ);
        error != 0)
      return Error::failed("{} cannot be started: {}.", words.front(), std::strerror(error));
  }
  output.closeWriter();
  messages.closeWriter();
  {
    const std::stop_callback end_group(stop, [child] { ::kill(-child, SIGKILL); });
    readAll(child, output, messages);
    while (!hasEnded(child, 0) && errno == EINTR) {
    }
  }
  int how = 0;
  while (::waitpid(child, &how, 0) < 0 && errno == EINTR) {
  }
  if (stop.stop_requested()) return Error::cancelled("The command was cancelled.");
  return WIFSIGNALED(how) ? ChildEnd{0, WTERMSIG(how)} : ChildEnd{WEXITSTATUS(how), 0};
}

}  // namespace lanelab
