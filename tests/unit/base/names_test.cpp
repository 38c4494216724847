// Names that others chose, on their way into HTML, SVG, a terminal and file names.
#include <gtest/gtest.h>

#include <string>

#include "base/markup.h"
#include "base/terminal_text.h"
#include "base/utf8.h"

namespace lanelab {
namespace {

const std::string mark(replacement_character);

TEST(Utf8, ReadsAndCountsCharacters) {
  EXPECT_EQ(firstCharacter("a").code, U'a');
  EXPECT_EQ(firstCharacter("é").code, U'é');
  EXPECT_EQ(firstCharacter("通").code, U'通');
  EXPECT_EQ(firstCharacter("😀").code, U'😀');
  EXPECT_FALSE(firstCharacter("\xE9\x80").valid);
  EXPECT_EQ(countCharacters("通道 é 😀"), 6u);
  EXPECT_EQ(countCharacters("\xFF\xFE"), 2u);
  EXPECT_EQ(countCharacters(""), 0u);
}

TEST(Utf8, CutsBetweenCharacters) {
  EXPECT_EQ(firstBytes("通道", 5), "通");
  EXPECT_EQ(firstBytes("通道", 6), "通道");
  EXPECT_EQ(firstBytes("通道", 2), "");
}

TEST(Markup, EscapesWhatHtmlAndXmlReadAsMarkup) {
  EXPECT_EQ(escapedMarkup("<img src=x onerror='a' alt=\"b\">&amp;"), "&lt;img src=x onerror=&#39;a&#39; alt=&quot;b&quot;&gt;&amp;amp;");
  EXPECT_EQ(escapedMarkup("通道 é 😀\n\t"), "通道 é 😀\n\t");
}

TEST(Markup, ReplacesWhatXmlForbids) {
  EXPECT_EQ(escapedMarkup(std::string_view("\0\x1b\r\x7f", 4)), mark + mark + mark + mark);
  EXPECT_EQ(escapedMarkup("\uFFFE\uFFFF\uFDD0\U0001FFFE\u0085"), mark + mark + mark + mark + mark);
  EXPECT_EQ(escapedMarkup("a\xED\xA0\x80z\xFF"), "a" + mark + mark + mark + "z" + mark) << "a lone surrogate and a byte that is not UTF-8";
}

TEST(TerminalText, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(forTerminal("plain 通道\n\tnext"), "plain 通道\n\tnext");
  EXPECT_EQ(forTerminal(std::string_view("\0\x07\x1b[2J\r\x7f", 8)), "\\x00\\x07\\x1b[2J\\x0d\\u007f");
  EXPECT_EQ(forTerminal("\u0085\u009b31m \u202Eevil\u2066"), "\\u0085\\u009b31m \\u202eevil\\u2066");
  EXPECT_EQ(forTerminal("\xff \xED\xA0\x80"), "\\xff \\xed\\xa0\\x80");
  EXPECT_EQ(onOneTerminalLine("a\nb\tc"), "a\\nb\\tc");
}

}  // namespace
}  // namespace lanelab
