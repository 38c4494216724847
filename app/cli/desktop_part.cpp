// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/desktop_part.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/shell_text.h"

namespace lanelab {
namespace {

std::vector<std::string> offscreenEnvironment() {
  std::vector<std::string> variables = {"QT_QPA_PLATFORM=offscreen"};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (std::strncmp(*variable, "QT_QPA_PLATFORM=", 16) != 0) variables.emplace_back(*variable);
  }
  return variables;
}

// Signals are blocked here for the thread that waits for them; the child shall be stopped by Ctrl+C all the same.
struct ChildAttributes {
  posix_spawnattr_t value;
  ChildAttributes() {
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_init(&value);
    posix_spawnattr_setsigmask(&value, &none);
    posix_spawnattr_setflags(&value, POSIX_SPAWN_SETSIGMASK);
  }
  ~ChildAttributes() { posix_spawnattr_destroy(&value); }
};

}  // namespace

std::string desktopProgram() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const std::filesystem::path program = self.parent_path() / "lanelab";
  return ::access(program.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(program, error) ? program.string()
                                                                                                  : std::string();
}

Status runDesktop(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = offscreenEnvironment();
  ChildAttributes attributes;
  pid_t child = 0;
  if (const int error = ::posix_spawn(&child, program.c_str(), nullptr, &attributes.value, argumentVector(words).data(),
                                      argumentVector(variables).data());
      error != 0) {
    return Error::failed("{} cannot be started: {}. Build it again.", program, std::strerror(error));
  }
  int how = 0;
  while (::waitpid(child, &how, 0) < 0) {
    if (errno != EINTR) return Error::failed("Waiting for {} failed: {}.", program, std::strerror(errno));
  }
  if (WIFEXITED(how) && WEXITSTATUS(how) == 0) return {};
  if (WIFEXITED(how) && WEXITSTATUS(how) == 2)
    return Error::badInput("The desktop part refused the export, as said above.");
  if (WIFEXITED(how) && WEXITSTATUS(how) == 130) return Error::cancelled("The export was cancelled.");
  return Error::failed("The desktop part could not make the export{}",
                       std::string(WIFSIGNALED(how) ? " (it ended by signal " + std::to_string(WTERMSIG(how)) + ")."
                                                    : ", as said above."));
}

}  // namespace lanelab
