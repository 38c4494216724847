// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exporter/child_process.h"

#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>

namespace lanelab::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A script of the shell, and what it printed.
struct Shell {
  std::vector<std::string> output, messages;
  std::stop_source source;
  std::function<void(const std::string&)> on_line = [](const std::string&) {};

  Result<ChildEnd> run(const std::string& script) {
    const ChildLines lines{[this](const std::string& line) {
                             output.push_back(line);
                             on_line(line);
                           },
                           [this](const std::string& line) { messages.push_back(line); }};
    return runChild({"sh", "-c", script}, lines, source.get_token());
  }
};

TEST(ChildProcess, GivesEachLineToItsReader) {
  Shell shell;
  const Result<ChildEnd> end = shell.run("echo one; echo two >&2; printf 'a bar\\rgrows\\r\\nno end'; exit 3");
  ASSERT_TRUE(end.ok());
  EXPECT_EQ(end->exit_code, 3);
  EXPECT_EQ(end->signal, 0);
  EXPECT_THAT(shell.output, ElementsAre("one", "a bar", "grows", "no end"));
  EXPECT_THAT(shell.messages, ElementsAre("two"));
}

TEST(ChildProcess, HasNoInputAndAGroupOfItsOwn) {
  Shell shell;
  ASSERT_TRUE(shell.run("cat; [ $(cut -d' ' -f5 /proc/$$/stat) = $$ ] && echo leads").ok());
  EXPECT_THAT(shell.output, ElementsAre("leads"));
}

TEST(ChildProcess, NamesTheSignalThatEndedIt) {
  const Result<ChildEnd> end = Shell().run("kill -TERM $$");
  ASSERT_TRUE(end.ok());
  EXPECT_EQ(end->signal, SIGTERM);
}

TEST(ChildProcess, IsKilledWithAllThatItStarted) {
  Shell shell;
  std::string started;
  shell.on_line = [&](const std::string& line) {
    started = line;
    shell.source.request_stop();
  };
  const Result<ChildEnd> end = shell.run("trap '' TERM INT; sleep 600 & echo $!; wait");
  ASSERT_FALSE(end.ok());
  EXPECT_EQ(end.error().kind, Error::Kind::Cancelled);
  ASSERT_FALSE(started.empty());
  // Gone, or a zombie until init collects it.
  const std::string alive = "sed 's/.*) //' /proc/" + started + "/stat 2>/dev/null | grep -q '^[^Z]'";
  const Result<ChildEnd> after = Shell().run("timeout 20 sh -c \"while " + alive + "; do :; done\"");
  ASSERT_TRUE(after.ok());
  EXPECT_EQ(after->exit_code, 0);
}

TEST(ChildProcess, IsNotAwaitedByThePipesOfWhatItLeftBehind) {
  Shell shell;
  const Result<ChildEnd> end = shell.run("sleep 600 & echo $!");
  ASSERT_TRUE(end.ok());
  ASSERT_EQ(shell.output.size(), 1);
  ::kill(std::atoi(shell.output.front().c_str()), SIGKILL);
}

TEST(ChildProcess, ThatCannotStartIsAnError) {
  const Result<ChildEnd> end = runChild({"/absent/python"}, {}, {});
  ASSERT_FALSE(end.ok());
  EXPECT_THAT(end.error().message, HasSubstr("/absent/python cannot be started: No such file"));
}

TEST(ChildProcess, EndsAtOnceIfTheStopCameBefore) {
  Shell shell;
  shell.source.request_stop();
  const Result<ChildEnd> end = shell.run("sleep 600");
  ASSERT_FALSE(end.ok());
  EXPECT_EQ(end.error().kind, Error::Kind::Cancelled);
}

}  // namespace
}  // namespace lanelab::test
