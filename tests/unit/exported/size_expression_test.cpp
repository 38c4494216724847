// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/graph/size_expression.h"

#include <gtest/gtest.h>

#include <limits>

namespace lanelab {
namespace {

constexpr const char* kBatch = "Symbol('s77', positive=True, integer=True)";

/// The text with each $ replaced by the symbol of the batch.
std::string sizeText(std::string text) {
  for (std::size_t at = 0; (at = text.find('$', at)) != std::string::npos; at += std::string(kBatch).size())
    text.replace(at, 1, kBatch);
  return text;
}

struct ReadSize {
  const char* srepr;
  const char* text;
  std::int64_t of_one, of_seven;
};

class SizesRead : public testing::TestWithParam<ReadSize> {};

TEST_P(SizesRead, AreEvaluatedAsSympyDoes) {
  const Result<SizeExpression> size = SizeExpression::parse(sizeText(GetParam().srepr));
  ASSERT_TRUE(size.ok()) << size.error().message;
  EXPECT_EQ(size->text(), GetParam().text);
  EXPECT_EQ(size->evaluate({{"s77", 1}}), GetParam().of_one);
  EXPECT_EQ(size->evaluate({{"s77", 7}}), GetParam().of_seven);
}

INSTANTIATE_TEST_SUITE_P(
    SizeExpression, SizesRead,
    testing::Values(
        ReadSize{"Integer(12)", "12", 12, 12}, ReadSize{"Integer(-1)", "-1", -1, -1}, ReadSize{"$", "s77", 1, 7},
        ReadSize{"Mul(Integer(17), $)", "17*s77", 17, 119}, ReadSize{"Add($, Integer(3))", "s77 + 3", 4, 10},
        ReadSize{"Mul(Integer(2), Add($, Integer(-1)))", "2*(s77 + -1)", 0, 12},
        ReadSize{"Pow($, Integer(2))", "s77**2", 1, 49}, ReadSize{"PowByNatural($, Integer(3))", "s77**3", 1, 343},
        ReadSize{"FloorDiv($, Integer(2))", "s77//2", 0, 3},
        ReadSize{"FloorDiv(Mul(Integer(-1), $), Integer(2))", "-1*s77//2", -1, -4},
        ReadSize{"FloorDiv($, FloorDiv(Integer(9), Integer(4)))", "s77//(9//4)", 0, 3},
        ReadSize{"CleanDiv(Mul(Integer(4), $), Integer(2))", "4*s77//2", 2, 14},
        ReadSize{"floor(Mul(Rational(1, 2), $))", "floor(1/2*s77)", 0, 3},
        ReadSize{"ceiling(Mul(Rational(1, 2), $))", "ceil(1/2*s77)", 1, 4},
        ReadSize{"floor(Add(Mul(Rational(1, 2), $), Rational(1, 2)))", "floor(1/2*s77 + 1/2)", 1, 4},
        ReadSize{"floor(Mul(Integer(10), Pow($, Integer(-1))))", "floor(10*s77**-1)", 10, 1},
        ReadSize{"Mod($, Integer(4))", "s77 % 4", 1, 3},
        ReadSize{"PythonMod(Mul(Integer(-1), $), Integer(4))", "-1*s77 % 4", 3, 1},
        ReadSize{"Min(Integer(5), $)", "min(5, s77)", 1, 5},
        ReadSize{"Max(Integer(5), $, Integer(6))", "max(5, s77, 6)", 6, 7}, ReadSize{"Identity($)", "s77", 1, 7},
        ReadSize{"Mul(Integer(3), FloorDiv(Add($, Integer(2)), Integer(3)))", "3*((s77 + 2)//3)", 3, 9}));

struct RefusedSize {
  const char* srepr;
  const char* why;
};

class SizesRefused : public testing::TestWithParam<RefusedSize> {};

TEST_P(SizesRefused, NameWhatIsNotUnderstood) {
  const Result<SizeExpression> size = SizeExpression::parse(sizeText(GetParam().srepr));
  ASSERT_FALSE(size.ok()) << size->text();
  EXPECT_NE(size.error().message.find(GetParam().why), std::string::npos) << size.error().message;
  EXPECT_EQ(size.error().kind, Error::Kind::BadInput);
}

INSTANTIATE_TEST_SUITE_P(
    SizeExpression, SizesRefused,
    testing::Values(RefusedSize{"", "ends too early"}, RefusedSize{"Mul(Integer(2), ", "ends too early"},
                    RefusedSize{"TruncToInt($)", "it uses TruncToInt"},
                    RefusedSize{"IntTrueDiv($, Integer(2))", "IntTrueDiv"},
                    RefusedSize{"__import__('os')", "it uses __import__"}, RefusedSize{"Integer(3) + 1", "+ 1"},
                    RefusedSize{"Integer(99999999999999999999)", "leaves 64 bits"}, RefusedSize{"Integer(x)", "x)"},
                    RefusedSize{"FloorDiv(Integer(1), Integer(0))", "not an integer"},
                    RefusedSize{"Rational(1, 0)", "divisor"}, RefusedSize{"Rational(1, 2)", "not an integer"},
                    RefusedSize{"Mod($)", "Mod with 1 operands"}, RefusedSize{"floor($, $)", "floor with 2 operands"},
                    RefusedSize{"Symbol(s77)", "s77"}, RefusedSize{"Mul()", ")"}, RefusedSize{"12", "ends too early"}));

TEST(SizeExpression, IsRefusedBeyondItsLimits) {
  std::string deep, closed;
  for (int i = 0; i < 100000; ++i) {
    deep += "floor(";
    closed += ")";
  }
  const auto refused = [](const std::string& text) { return SizeExpression::parse(text).error().message; };
  EXPECT_NE(refused(deep + "Integer(1)" + closed).find("longer than 64 KiB"), std::string::npos);
  EXPECT_NE(refused(deep.substr(0, 600) + "Integer(1)" + closed.substr(0, 100)).find("nested deeper than 64"),
            std::string::npos);
}

TEST(SizeExpression, HasNoValueWithoutItsSymbolBeyond64BitsOrWithADivisorOfZero) {
  const auto read = [](const char* text) { return SizeExpression::parse(sizeText(text)).value(); };
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(read("$").evaluate({{"s1", 3}}), std::nullopt);
  EXPECT_EQ(read("Mul(Integer(2), $)").evaluate({{"s77", kMost}}), std::nullopt);
  EXPECT_EQ(read("Add(Integer(1), $)").evaluate({{"s77", kMost}}), std::nullopt);
  EXPECT_EQ(read("Pow($, Integer(64))").evaluate({{"s77", 3}}), std::nullopt);
  EXPECT_EQ(read("Pow(Integer(2), $)").evaluate({{"s77", kMost}}), std::nullopt);
  EXPECT_EQ(read("FloorDiv(Integer(8), $)").evaluate({{"s77", 0}}), std::nullopt);
  EXPECT_EQ(read("Mod(Integer(8), $)").evaluate({{"s77", 0}}), std::nullopt);
  EXPECT_EQ(read("Mul(Rational(1, 2), $)").evaluate({{"s77", 3}}), std::nullopt);
  EXPECT_EQ(read("$").evaluate({{"s77", kMost}}), kMost);
}

TEST(SizeExpression, KnowsItsSymbolsAndWhetherItIsConstant) {
  const auto read = [](const std::string& text) { return SizeExpression::parse(text).value(); };
  const SizeExpression two = read("Add(Symbol('u0', integer=True), Symbol('s77'), Symbol(\"s77\"))");
  EXPECT_EQ(two.symbols(), (std::vector<std::string>{"s77", "u0"}));
  EXPECT_EQ(two.constant(), std::nullopt);
  EXPECT_EQ(read("Mul(Integer(3), Integer(4))").constant(), 12);
  EXPECT_TRUE(SizeExpression(3).symbols().empty());
  EXPECT_EQ(SizeExpression(3), read("Integer(3)"));
  EXPECT_EQ(two, read("Add(Symbol('u0'), Symbol('s77'), Symbol('s77'))"));
  EXPECT_FALSE(two == read("Symbol('s77')"));
  EXPECT_FALSE(two == SizeExpression(3));
}

}  // namespace
}  // namespace lanelab
