// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/operators/sample_sizes.h"

#include <gtest/gtest.h>

#include "tests/unit/exported/built_program.h"

namespace lanelab::test {
namespace {

SizeExpression batchTimes(int factor) {
  if (factor == 1) return SizeExpression::parse("Symbol('s0')").value();
  return SizeExpression::parse("Mul(Integer(" + std::to_string(factor) + "), Symbol('s0'))").value();
}

class SampleSizesTest : public testing::Test {
 protected:
  ValueId tensor(std::vector<SizeExpression> sizes, std::vector<SizeExpression> strides) {
    const ValueId id = m_built.buffer("t" + std::to_string(m_built.program.graph.values.size()));
    ExportedValue& value = m_built.program.graph.values[id.index()];
    value.sizes = std::move(sizes);
    value.strides = std::move(strides);
    return id;
  }
  SampleSizes sizes() const { return SampleSizes(m_built.program); }
  BuiltProgram m_built;
};

TEST_F(SampleSizesTest, CountWhatOneMoreSampleAdds) {
  const ValueId batch = tensor({batchTimes(1), 3, 4}, {12, 4, 1});
  const ValueId joined = tensor({batchTimes(5), 2}, {2, 1});
  const ValueId second = tensor({7, batchTimes(1)}, {batchTimes(1), 1});
  const ValueId table = tensor({100, 4}, {4, 1});
  EXPECT_EQ(sizes().elements(batch), 12);
  EXPECT_EQ(sizes().bytes(batch), 48);
  EXPECT_EQ(sizes().shape(batch), (Shape{3, 4}));
  EXPECT_EQ(sizes().elements(joined), 10);
  EXPECT_EQ(sizes().shape(joined), (Shape{5, 2}));
  EXPECT_EQ(sizes().elements(second), 7);
  EXPECT_EQ(sizes().elements(table), 0);
}

TEST_F(SampleSizesTest, OfAStaticBatchAreAShare) {
  m_built.program.batch_symbol = "";
  m_built.program.static_batch = 8;
  const ValueId batch = tensor({8, 3}, {3, 1}), table = tensor({5, 3}, {3, 1});
  EXPECT_EQ(sizes().elements(batch), 3);
  EXPECT_EQ(sizes().shape(batch), (Shape{3}));
  EXPECT_EQ(sizes().elements(table), 0);
}

TEST_F(SampleSizesTest, TellWhatViewMayDo) {
  const ValueId plain = tensor({2, 3, 4}, {12, 4, 1});
  const ValueId turned = tensor({2, 4, 3}, {12, 1, 4});
  const ValueId heads = tensor({2, 5, 3, 4}, {60, 4, 20, 1});  // transposed
  const ValueId one = tensor({1, 3}, {999, 1});
  const ValueId expanded = tensor({2, 3}, {0, 1});
  EXPECT_TRUE(sizes().isContiguous(plain));
  EXPECT_FALSE(sizes().isContiguous(turned));
  EXPECT_TRUE(sizes().isContiguous(one));
  EXPECT_FALSE(sizes().isContiguous(expanded));
  EXPECT_TRUE(sizes().canBeViewedAs(plain, {6, 4}));
  EXPECT_TRUE(sizes().canBeViewedAs(plain, {-1}));
  EXPECT_FALSE(sizes().canBeViewedAs(plain, {5, 4}));
  EXPECT_FALSE(sizes().canBeViewedAs(turned, {8, 3}));
  EXPECT_TRUE(sizes().canBeViewedAs(turned, {2, 2, 2, 3}));
  EXPECT_FALSE(sizes().canBeViewedAs(heads, {10, 3, 4}));
  EXPECT_TRUE(sizes().canBeViewedAs(heads, {2, 5, 3, 2, 2}));
  EXPECT_FALSE(sizes().canBeViewedAs(expanded, {6}));
  EXPECT_TRUE(sizes().canBeViewedAs(one, {3}));
}

}  // namespace
}  // namespace lanelab::test
