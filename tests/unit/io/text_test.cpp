// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "base/escaped_text.h"
#include "base/utf8.h"
#include "profiler/io/source/decimal.h"
#include "profiler/trace/number_text.h"

namespace lanelab {
namespace {

std::string quoted(std::string_view text) {
  std::string out;
  appendJsonString(out, text);
  return out;
}

TEST(JsonString, EscapesWhatMustBeEscaped) {
  EXPECT_EQ(quoted("plain"), R"("plain")");
  EXPECT_EQ(quoted("a\"b\\c\n\t\r"), R"("a\"b\\c\n\t\r")");
  EXPECT_EQ(quoted(std::string_view("\0\x01\x1f\x7f", 4)), R"("\u0000\u0001\u001f\u007f")");
  EXPECT_EQ(quoted("通道 é 😀"), "\"通道 é 😀\"");
}

TEST(JsonString, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(quoted("a\xFFz"), "\"a\xEF\xBF\xBDz\"");
  EXPECT_EQ(quoted("cut \xE9\x80"), "\"cut \xEF\xBF\xBD\xEF\xBF\xBD\"");
  EXPECT_EQ(validUtf8("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD") << "an overlong form";
  EXPECT_EQ(validUtf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD") << "a surrogate";
  EXPECT_EQ(validUtf8("\xF4\x90\x80\x80").size(), 12u) << "above U+10FFFF";
}

TEST(Microseconds, HaveThreeDecimalsExactly) {
  EXPECT_EQ(microsecondsText(0), "0.000");
  EXPECT_EQ(microsecondsText(1), "0.001");
  EXPECT_EQ(microsecondsText(-1), "-0.001");
  EXPECT_EQ(microsecondsText(1'234'567), "1234.567");
  EXPECT_EQ(microsecondsText(9'007'199'254'740'993'001), "9007199254740993.001");
  EXPECT_EQ(microsecondsText(std::numeric_limits<Nanoseconds>::min()), "-9223372036854775.808");
}

TEST(ScaledDecimal, IsExactWhereADoubleIsNot) {
  EXPECT_EQ(scaledDecimal("9007199254740.993", 3), 9'007'199'254'740'993);
  EXPECT_EQ(scaledDecimal("1234567890123456.789", 3), 1'234'567'890'123'456'789);
  EXPECT_EQ(scaledDecimal("-0.001", 3), -1);
}

TEST(ScaledDecimal, ReadsAllFormsOfANumber) {
  const std::pair<const char*, std::int64_t> table[] = {
      {"5", 5000},        {"5.", 5000},        {".5", 500},     {"\"12.5\"", 12500}, {" 7 ", 7000},
      {"1e3", 1'000'000}, {"1.5E+2", 150'000}, {"25e-1", 2500}, {"0.0005", 1},       {"0.00049", 0},
      {"-1.0006", -1001}, {"000123", 123'000}, {"1e-300", 0},   {"0e999", 0},        {"1.23456789", 1235}};
  for (const auto& [text, value] : table) EXPECT_EQ(scaledDecimal(text, 3), value) << text;
}

TEST(ScaledDecimal, RefusesWhatIsNoNumberOrTooLarge) {
  for (const char* text : {"", "NaN", "Infinity", "-", "1.2.3", "1e", "1e+-3", "0x10", "12abc", "\"\"", "null",
                           "4611686018427387905", "1e30", "1e2000", "99999999999999999999999999"})
    EXPECT_EQ(scaledDecimal(text, 0), std::nullopt) << text;
  EXPECT_EQ(scaledDecimal("4611686018427387904", 0), std::int64_t{1} << 62);
}

}  // namespace
}  // namespace lanelab
