// SPDX-License-Identifier: GPL-3.0-only
// Names that others chose, on their way into HTML, SVG, a terminal and file names.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/csv.h"
#include "base/escaped_text.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "base/utf8.h"

namespace lanelab {
namespace {

const std::string mark(kReplacementCharacter);

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
  EXPECT_EQ(firstCharacters("通道 é", 3), "通道 ");
  EXPECT_EQ(firstCharacters("通道", 9), "通道");
  EXPECT_EQ(cutAfter("通道 é", 3), "通道 ...");
  EXPECT_EQ(cutAfter("通道", 2), "通道");
  EXPECT_EQ(cutInMiddle("通道 of kernel é", 10), "通道 o...l é");
  EXPECT_EQ(cutInMiddle("abcdefgh", 8), "abcdefgh");
  EXPECT_EQ(cutInMiddle("abcdefgh", 6), "ab...h");
  EXPECT_EQ(cutInMiddle("abcdefgh", 2), "...");
}

TEST(Markup, EscapesWhatHtmlAndXmlReadAsMarkup) {
  EXPECT_EQ(escapedMarkup("<img src=x onerror='a' alt=\"b\">&amp;"),
            "&lt;img src=x onerror=&#39;a&#39; alt=&quot;b&quot;&gt;&amp;amp;");
  EXPECT_EQ(escapedMarkup("通道 é 😀\n\t"), "通道 é 😀\n\t");
}

TEST(Markup, ReplacesWhatXmlForbids) {
  EXPECT_EQ(escapedMarkup(std::string_view("\0\x1b\r\x7f", 4)), mark + mark + mark + mark);
  EXPECT_EQ(escapedMarkup("\uFFFE\uFFFF\uFDD0\U0001FFFE\u0085"), mark + mark + mark + mark + mark);
  EXPECT_EQ(escapedMarkup("a\xED\xA0\x80z\xFF"), "a" + mark + mark + mark + "z" + mark)
      << "a lone surrogate and a byte that is not UTF-8";
}

TEST(TerminalText, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(forTerminal("plain 通道\n\tnext"), "plain 通道\n\tnext");
  EXPECT_EQ(forTerminal(std::string_view("\0\x07\x1b[2J\r\x7f", 8)), "\\x00\\x07\\x1b[2J\\x0d\\u007f");
  EXPECT_EQ(forTerminal("\u0085\u009b31m \u202Eevil\u2066"), "\\u0085\\u009b31m \\u202eevil\\u2066");
  EXPECT_EQ(forTerminal("\xff \xED\xA0\x80"), "\\xff \\xed\\xa0\\x80");
  EXPECT_EQ(onOneTerminalLine("a\nb\tc"), "a\\nb\\tc");
}

std::string written(const std::vector<std::string>& pieces) {
  std::ostringstream out;
  {
    const TerminalStream escaping(out);
    for (const std::string& piece : pieces) out << piece;
  }
  return out.str();
}

TEST(TerminalStream, EscapesWhatIsWritten) {
  EXPECT_EQ(written({"plain\n", "a\x1b]0;b\x07"}), "plain\na\\x1b]0;b\\x07");
  EXPECT_EQ(written({"\xE9", "\x80\x9A", "\xF0\x9F", "\x98\x80"}), "\xE9\x80\x9A\xF0\x9F\x98\x80")
      << "characters written in pieces";
  EXPECT_EQ(written({"cut \xE9\x80"}), "cut \\xe9\\x80");
  const std::string large(300'000, 'a');
  EXPECT_EQ(written({large + "通\x1b"}), large + "通\\x1b");
}

TEST(TerminalStream, LeavesTheProgramsOwnSequences) {
  std::ostringstream out;
  {
    const TerminalStream escaping(out);
    clearTerminalLine(out);
    out << "\r\033[K" << std::flush;
  }
  EXPECT_EQ(out.str(), "\r\033[K\\x0d\\x1b[K");
}

TEST(TerminalStream, ReportsThatAWriteFailed) {
  std::ofstream full("/dev/full");
  const TerminalStream escaping(full);
  full << "text" << std::flush;
  EXPECT_FALSE(full);
}

std::string cell(std::string_view text) {
  std::string out;
  appendCsvText(out, text);
  return out;
}

TEST(Csv, QuotesIfNeeded) {
  EXPECT_EQ(cell("plain 通道"), "plain 通道");
  EXPECT_EQ(cell("a,b"), "\"a,b\"");
  EXPECT_EQ(cell("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(cell("a\r\nb"), "\"a\r\nb\"");
}

TEST(Csv, DefusesFormulas) {
  EXPECT_EQ(cell("=1+1"), "'=1+1");
  EXPECT_EQ(cell("-x,y"), "\"'-x,y\"");
  for (const char* front : {"=", "+", "-", "@", "\t", "＝", "＠", "  ="})
    EXPECT_EQ(cell(std::string(front) + "a").substr(0, 1), "'") << front;
  EXPECT_EQ(cell("\r=1"), "\"'\r=1\"");
  EXPECT_EQ(cell("a=1"), "a=1");
}

TEST(Csv, HoldsValidTextOnly) {
  EXPECT_EQ(cell(std::string_view("a\0\x1b\xff\x7f", 5)), "a" + mark + mark + mark + mark);
}

TEST(Csv, WritesRowsOfCells) {
  std::string out;
  CsvTable table(out, "name,n,value,rest");
  table.text("a,b").integer(-3).number("1.5").number("").endRow();
  table.text("x").index(7);
  table.cell() += "0.001";
  table.number("").endRow();
  EXPECT_EQ(out, "name,n,value,rest\r\n\"a,b\",-3,1.5,\r\nx,7,0.001,\r\n");
}

TEST(FileName, IsShortAndStaysUnique) {
  EXPECT_EQ(shortFileName("model-parallel"), "model-parallel");
  const std::string longest(kMostFileNameBytes, 'a');
  EXPECT_EQ(shortFileName(longest), longest);
  const std::string first = shortFileName(std::string(10'000, 'a'));
  EXPECT_EQ(first.size(), kMostFileNameBytes);
  EXPECT_EQ(first, shortFileName(std::string(10'000, 'a')));
  EXPECT_NE(first, shortFileName(std::string(9'999, 'a')));
}

TEST(FileName, IsCutBetweenCharacters) {
  std::string name;
  for (int i = 0; i < 100; ++i) name += "通";
  const std::string cut = shortFileName(name);
  EXPECT_LE(cut.size(), kMostFileNameBytes);
  EXPECT_EQ(validUtf8(cut), cut);
}

}  // namespace
}  // namespace lanelab
