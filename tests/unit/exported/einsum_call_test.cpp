// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/operators/einsum_call.h"

#include <gtest/gtest.h>

#include "engine/exported/operators/operator_macs.h"
#include "engine/exported/saved_tensors.h"
#include "tests/unit/exported/built_program.h"

namespace lanelab::test {
namespace {

/// Shapes of the operands, 's' for the batch.
struct Row {
  const char* equation;
  std::vector<std::vector<int>> shapes;  ///< 0: the batch
  std::int64_t macs, saved;              ///< numbers of a sample
  bool known = true;
};

/// Operands that all need gradients, made by a layer each.
class Einsum : public testing::Test {
 protected:
  ValueId operand(const std::vector<int>& shape) {
    const ValueId id = m_built.call("aten.linear.default", {m_built.user, m_built.parameter("w")}, "a");
    shapeOf(id, shape);
    return id;
  }
  void shapeOf(ValueId id, const std::vector<int>& shape) {
    ExportedValue& value = m_built.program.graph.values[id.index()];
    value.sizes.clear(), value.strides.clear();
    for (const int size : shape)
      value.sizes.push_back(size == 0 ? SizeExpression::parse("Symbol('s0')").value() : SizeExpression(size));
    std::int64_t step = 1;
    for (std::size_t i = shape.size(); i-- > 0;) {
      value.strides.insert(value.strides.begin(), SizeExpression(step));
      step *= shape[i] == 0 ? 2 : shape[i];
    }
  }

  BuiltProgram m_built;
};

TEST_F(Einsum, HasTheProductsAndTensorsOfItsTwoOperands) {
  const Row rows[] = {
      {"btd,bsd->bts", {{0, 5, 4}, {0, 7, 4}}, 5 * 7 * 4, (5 + 7) * 4},
      {"bts, bsd -> btd", {{0, 5, 7}, {0, 7, 4}}, 5 * 7 * 4, 5 * 7 + 7 * 4},
      {"bqhd,bkhd->bhqk", {{0, 5, 2, 3}, {0, 7, 2, 3}}, 2 * 5 * 7 * 3, (5 + 7) * 6},
      {"bhw,bhw->bh", {{0, 3, 4}, {0, 3, 4}}, 12, 24},
      {"...d,de->...e", {{0, 5, 4}, {4, 6}}, 5 * 4 * 6, 20},
      {"bi,bj->bij", {{0, 3}, {0, 4}}, 12, 7},  // a product of elements
      {"bi,bj", {{0, 3}, {0, 3}}, 9, 6},        // the result is implied: "ij", of a sum over the batch
      {"bij->bji", {{0, 3, 4}}, 0, 0},          // a view
      {"bij,bk->bk", {{0, 3, 4}, {0, 5}}, 60, 12 + 5 + 5, false},  // i and j are summed before
      {"bi,ij,jk->bk", {{0, 3}, {3, 4}, {4, 5}}, 60, 3 + 5, false},
  };
  for (const Row& row : rows) {
    std::vector<ValueId> operands;
    for (const std::vector<int>& shape : row.shapes) operands.push_back(operand(shape));
    const ValueId made = m_built.call("aten.einsum.default", {std::string(row.equation), operands}, "b");
    shapeOf(made, std::string(row.equation) == "bi,bj->bij" ? std::vector<int>{0, 3, 4} : std::vector<int>{0, 5});
    const SampleSizes sizes(m_built.program);
    const ExportedGraph& graph = m_built.program.graph;
    EXPECT_EQ(macsOf(graph, m_built.last(), sizes), row.macs) << row.equation;
    TensorMemory memory = tensorMemoryOf(graph, sizes);
    const SavedTensors saved = savedBy(graph, m_built.last(), sizes, memory);
    std::int64_t bytes = saved.made.ofSample();
    for (const ValueId id : saved.values) bytes += sizes.bytes(id);
    EXPECT_EQ(bytes, 4 * row.saved) << row.equation;
    EXPECT_EQ(saved.known, row.known) << row.equation;
  }
}

TEST_F(Einsum, CopiesAnOperandThatIsNoMatrixAsItLies) {
  // Heads lie within positions: those of the result are joined with the batch, which their strides allow, but "hd" of a
  // tensor whose d lies outside is none.
  const ValueId a = operand({0, 5, 2, 3}), b = operand({2, 7, 3});
  const ValueId made =
      m_built.call("aten.einsum.default", {std::string("bqhd,hkd->bqk"), std::vector<ValueId>{a, b}}, "b");
  shapeOf(made, {0, 5, 7});
  const SampleSizes sizes(m_built.program);
  EXPECT_FALSE(sizes.canBeGrouped(a, {{}, {0, 1}, {3, 2}})) << "d before h in the order of the alphabet";
  const TensorMemory memory = tensorMemoryOf(m_built.program.graph, sizes);
  EXPECT_GE(savedBy(m_built.program.graph, m_built.last(), sizes, memory).made.ofSample(), 4 * 5 * 6);
}

TEST_F(Einsum, WithAnEquationThatDoesNotFitIsNotRead) {
  const ValueId a = operand({0, 3});
  for (const char* equation : {"bij->b", "bb->b", "bi->bx", ""}) {
    m_built.call("aten.einsum.default", {std::string(equation), std::vector<ValueId>{a}}, "b");
    EXPECT_FALSE(einsumOf(m_built.program.graph, m_built.last(), SampleSizes(m_built.program))) << equation;
  }
}

}  // namespace
}  // namespace lanelab::test
