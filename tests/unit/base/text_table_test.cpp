// SPDX-License-Identifier: GPL-3.0-only
// Tables whose columns align on a terminal whatever the names in them are.
#include "base/text_table.h"

#include <gtest/gtest.h>

#include "base/terminal_text.h"

namespace lanelab {
namespace {

TEST(TextTable, AlignsWordsLeftAndNumbersRight) {
  EXPECT_EQ(textTable({{"Name", "Lane", "ms"}, {"a", "cpu:0", "1.5"}, {"longer", "", "10"}}, 2),
            "Name    Lane    ms\n"
            "a       cpu:0  1.5\n"
            "longer          10\n");
}

TEST(TextTable, EndsLinesWithoutSpaces) {
  EXPECT_EQ(textTable({{"variant", "n", "against"}, {"a", "10", "faster"}, {"b", "5", ""}}, 1, LastColumn::Words),
            "variant   n  against\n"
            "a        10  faster\n"
            "b         5\n");
}

TEST(TextTable, CountsTheColumnsOfATerminalAndNotBytes) {
  EXPECT_EQ(textTable({{"Name", "ms"}, {"é通", "1"}, {"naïve", "2"}, {"😀", "3"}, {"e\u0301", "4"}}, 1),
            "Name   ms\n"
            "é通     1\n"
            "naïve   2\n"
            "😀      3\n"
            "e\u0301       4\n");
}

TEST(TextTable, ShowsControlCharactersEscaped) {
  EXPECT_EQ(textTable({{"Name", "ms"}, {"a\nb\x1b", "1"}}, 1),
            "Name      ms\n"
            "a\\nb\\x1b   1\n");
}

TEST(TerminalWidth, OfNarrowWideAndJoiningCharacters) {
  EXPECT_EQ(terminalWidth(""), 0u);
  EXPECT_EQ(terminalWidth("plain"), 5u);
  EXPECT_EQ(terminalWidth("µs é"), 4u);
  EXPECT_EQ(terminalWidth("通道"), 4u);
  EXPECT_EQ(terminalWidth("한글 😀"), 7u);
  EXPECT_EQ(terminalWidth("o\u0308"), 1u);
  EXPECT_EQ(terminalWidth("\xFF\xFE"), 2u) << "bytes that are not UTF-8";
}

}  // namespace
}  // namespace lanelab
