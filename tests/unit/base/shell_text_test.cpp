// SPDX-License-Identifier: GPL-3.0-only
#include "base/shell_text.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace lanelab {
namespace {

/// What a shell makes of the words, each ended by a 0.
std::string throughShell(const std::string& line) {
  std::string told;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(("printf '%s\\0' " + line).c_str(), "r"),
                                                             ::pclose);
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) told += static_cast<char>(c);
  return told;
}

TEST(ShellText, PlainWordsRemainAsTheyAre) {
  EXPECT_EQ(shellWord("runs/demo-2026_1.json"), "runs/demo-2026_1.json");
  EXPECT_EQ(shellLine(std::vector<std::string>{"lanelab-cli", "run", "--set", "training.lr=0.1"}),
            "lanelab-cli run --set training.lr=0.1");
}

TEST(ShellText, AShellReadsEachWordBack) {
  const std::vector<std::string> words = {"",  "two words", "it's",        "$HOME `id` \"quoted\"", "a\nb\tc",
                                          "~", "*?[x]{}",   "back\\slash", "#no;&|<>()!",           "äß漢字"};
  std::string expected;
  for (const std::string& word : words) expected += word + '\0';
  EXPECT_EQ(throughShell(shellLine(words)), expected);
}

}  // namespace
}  // namespace lanelab
