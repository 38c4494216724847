// SPDX-License-Identifier: GPL-3.0-only
// What a program writes when a signal ends it, played in child processes.
#include "base/termination.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <functional>

#include "tests/support/temporary_folder.h"

namespace lanelab {
namespace {

struct Ended {
  int code = 0;
  std::string written;  ///< to stderr
};

/// A program that gets SIGTERM, does `work` and hangs.
Ended endedBySignal(const std::function<void()>& work) {
  const test::TemporaryFile errors("stderr");
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    if (std::freopen(errors.path.c_str(), "w", stderr) == nullptr) ::_exit(1);
    std::setvbuf(stderr, nullptr, _IONBF, 0);  // a file is buffered where a terminal is not
    endOnSignals({}, "The command was cancelled.\n");
    ::kill(::getpid(), SIGTERM);
    work();
    for (;;) ::pause();
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  return {WEXITSTATUS(status), test::contentOf(errors.path)};
}

TEST(Termination, SaysFarewellForACommandThatDoesNotListen) {
  const Ended ended = endedBySignal([] {});
  EXPECT_EQ(ended.code, 130);
  EXPECT_EQ(ended.written, "The command was cancelled.\n");
}

TEST(Termination, SaysNothingAfterTheCommandReportedItsEnd) {
  const Ended ended = endedBySignal([] {
    std::fputs("The run was cancelled.\n", stderr);
    dropFarewell();  // and its teardown takes longer than the program has
  });
  EXPECT_EQ(ended.code, 130);
  EXPECT_EQ(ended.written, "The run was cancelled.\n");
}

}  // namespace
}  // namespace lanelab
