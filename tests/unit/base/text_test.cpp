// SPDX-License-Identifier: GPL-3.0-only
#include "base/text.h"

#include <gtest/gtest.h>

#include <clocale>
#include <limits>

namespace lanelab {
namespace {

const std::vector<std::string> kArchs = {"resnet18", "resnet50", "toy"};

TEST(Text, NearestNameFindsTypingMistakesOnly) {
  EXPECT_EQ(nearestName("resnet5", kArchs), "resnet50");
  EXPECT_EQ(nearestName("rsnet18", kArchs), "resnet18");
  EXPECT_EQ(nearestName("tyo", kArchs), "");
  EXPECT_EQ(nearestName("toi", kArchs), "toy");
  EXPECT_EQ(nearestName("vgg16", kArchs), "");
  EXPECT_EQ(nearestName("", kArchs), "");
  EXPECT_EQ(nearestName(std::string(100000, 'x'), kArchs), "");
}

TEST(Text, JoinOr) {
  const std::vector<std::string> words = {"a", "b", "c"};
  EXPECT_EQ(joinOr(words), "a, b or c");
  EXPECT_EQ(joinOr(std::span(words).first(2)), "a or b");
  EXPECT_EQ(joinOr(std::span(words).first(1)), "a");
  EXPECT_EQ(joinOr({}), "");
  EXPECT_EQ(joined(words, ", "), "a, b, c");
  EXPECT_EQ(joined(std::span(words).first(1), ", "), "a");
  EXPECT_EQ(joined({}, ", "), "");
}

TEST(Text, PartsBetweenSeparators) {
  using Parts = std::vector<std::string_view>;
  EXPECT_EQ(partsBetween("variants[2].split_size", ".[]"), (Parts{"variants", "2", "split_size"}));
  EXPECT_EQ(partsBetween(" one  two ", " "), (Parts{"one", "two"}));
  EXPECT_EQ(partsBetween("one", ","), Parts{"one"});
  EXPECT_EQ(partsBetween(",,", ","), Parts{});
  EXPECT_EQ(partsBetween("", ","), Parts{});
}

TEST(Text, TrimmedAtBothEnds) {
  EXPECT_EQ(trimmed(" \tone two ", " \t"), "one two");
  EXPECT_EQ(trimmed("one", " "), "one");
  EXPECT_EQ(trimmed("  ", " "), "");
  EXPECT_EQ(trimmed("", " "), "");
}

TEST(Text, BytesCountsAndSeconds) {
  EXPECT_EQ(formatBytes(0), "0 B");
  EXPECT_EQ(formatBytes(1023), "1023 B");
  EXPECT_EQ(formatBytes(1536), "1.5 KiB");
  EXPECT_EQ(formatBytes(1 << 20), "1 MiB");
  EXPECT_EQ(formatBytes(1020 << 10), "1020 KiB");
  EXPECT_EQ(formatBytes(102441032), "97.7 MiB");
  EXPECT_EQ(formatBytes(std::int64_t{3} << 30), "3 GiB");
  EXPECT_EQ(formatCount(25557032), "25.6 M");
  EXPECT_EQ(formatCount(999), "999");
  EXPECT_EQ(formatCount(999999), "1 M");
  EXPECT_EQ(formatCount(1337e6), "1.34 G");
  EXPECT_EQ(formatSeconds(0.0123), "12.3 ms");
  EXPECT_EQ(formatSeconds(3.75), "3.75 s");
  EXPECT_EQ(formatSeconds(4.2e-6), "4.2 \u00b5s");
  EXPECT_EQ(formatSeconds(0), "0 s");
  EXPECT_EQ(formatSeconds(0.9999), "1 s");
}

TEST(Text, NumbersHaveAtMostTheDigitsAskedForAndNoExponent) {
  EXPECT_EQ(formatPercent(0.9416), "94.2 %");
  EXPECT_EQ(formatPercent(-0.026), "-2.6 %");
  EXPECT_EQ(formatPercent(2), "200.0 %");
  EXPECT_EQ(formatNumber(1.7234), "1.72");
  EXPECT_EQ(formatNumber(38.21), "38.2");
  EXPECT_EQ(formatNumber(9.999), "10");
  EXPECT_EQ(formatNumber(-0.00012345), "-0.000123");
  EXPECT_EQ(formatNumber(123456), "123000");
  EXPECT_EQ(formatNumber(2.0), "2");
  EXPECT_EQ(formatNumber(1e21), "1000000000000000000000");
  EXPECT_EQ(formatNumber(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(formatNumber(3.14159, 5), "3.1416");
}

TEST(Text, ExactNumberReadsBackEqualAndKnowsNoNan) {
  EXPECT_EQ(exactNumber(0.1), "0.1");
  EXPECT_EQ(std::stod(exactNumber(1.0 / 3)), 1.0 / 3);
  EXPECT_EQ(exactNumber(std::numeric_limits<double>::infinity()), "null");
}

TEST(Text, NumbersIgnoreTheProcessLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // stays as it was where that locale is not installed
  EXPECT_EQ(formatNumber(1.5), "1.5");
  EXPECT_EQ(exactNumber(1.5), "1.5");
  std::setlocale(LC_ALL, before.c_str());
}

TEST(Text, ShapesReadAndPrint) {
  const std::vector<std::int64_t> image = {3, 128, 128};
  EXPECT_EQ(formatShape(image), "3x128x128");
  EXPECT_EQ(parseShape("3x128x128"), image);
  EXPECT_EQ(parseShape("10"), std::vector<std::int64_t>{10});
  for (const char* bad : {"", "x", "3x", "x3", "3x-1", "3 x 4", "3X4", "axb", "99999999999999999999", "3x1.5"})
    EXPECT_TRUE(parseShape(bad).empty()) << bad;
}

TEST(Text, SlugsAreFileNames) {
  EXPECT_EQ(slug("Model parallel"), "model-parallel");
  EXPECT_EQ(slug("../etc/passwd"), "etcpasswd");
  EXPECT_EQ(slug("Split 1.5 (best)!"), "split-1.5-best");
  EXPECT_EQ(slug("///"), "unnamed");
  EXPECT_EQ(slug("Größe 通道"), "größe-通道");
}

TEST(Text, SlugHoldsNothingThatAFileNameMustNot) {
  EXPECT_EQ(slug("a\x1b\x7f\xff\u0085\u202E\u200F\uFFFE"
                 "b"),
            "ab");
  EXPECT_LE(slug(std::string(10'000, 'a')).size(), 80u);
  EXPECT_NE(slug(std::string(10'000, 'a')), slug(std::string(10'001, 'a')));
}

TEST(GroupedDigits, PutACommaBeforeEachThree) {
  EXPECT_EQ(groupedDigits(0), "0");
  EXPECT_EQ(groupedDigits(999), "999");
  EXPECT_EQ(groupedDigits(1000), "1,000");
  EXPECT_EQ(groupedDigits(25557032), "25,557,032");
}

}  // namespace
}  // namespace lanelab
