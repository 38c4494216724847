// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/self_attention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <utility>

#include "tests/unit/exported/built_program.h"

namespace lanelab::test {
namespace {

using Arguments = std::vector<NamedArgument>;
using Dims = std::vector<std::int64_t>;
using Sizes = std::vector<SizeExpression>;

constexpr std::int64_t kTokens = 5, kHeads = 2, kHead = 4, kAllHeads = kHeads * kHead;

/// A torch.nn.MultiheadAttention as it is exported, in module "b"; what differs is changed before write().
struct AttentionProgram {
  AttentionProgram() {
    sized(built.user, {batch, kTokens, kAllHeads});
    x = call("aten.sin.default", {{"self", built.user}}, {batch, kTokens, kAllHeads}, "a");
  }

  ValueId call(const std::string& target, Arguments arguments, Sizes sizes, const std::string& module = "b") {
    const ValueId result = built.call(target, {}, module);
    built.last().inputs = std::move(arguments);
    return sized(result, std::move(sizes));
  }
  ValueId sized(ValueId id, Sizes sizes) {
    built.program.graph.values[id.index()].sizes = std::move(sizes);
    return id;
  }
  ValueId linear(ValueId input, Sizes sizes) {
    const ValueId weight = built.parameter("w" + std::to_string(built.program.graph.values.size()));
    return call("aten.linear.default", {{"input", input}, {"weight", weight}}, std::move(sizes));
  }
  ValueId turned(ValueId self, std::int64_t a, std::int64_t b, Sizes sizes, const std::string& module = "b") {
    return call("aten.transpose.int", {{"self", self}, {"dim0", a}, {"dim1", b}}, std::move(sizes), module);
  }
  ValueId part(ValueId thirds, std::int64_t index) {
    const ValueId row = call("aten.select.int", {{"self", thirds}, {"dim", std::int64_t{0}}, {"index", index}},
                             {kTokens, batch, kAllHeads});
    const ValueId cut = call("aten.view.default", {{"self", row}}, {kTokens, many, kHead});
    return call("aten.view.default", {{"self", turned(cut, 0, 1, {many, kTokens, kHead})}},
                {batch, kHeads, kTokens, kHead});
  }

  void write() {
    rows = turned(x, 1, 0, {kTokens, batch, kAllHeads}, turned_in);
    packed = linear(rows, {kTokens, batch, 3 * kAllHeads});
    const ValueId cut = call("aten.unflatten.int", {{"self", packed}, {"dim", std::int64_t{-1}}, {"sizes", thirds_of}},
                             {kTokens, batch, 3, kAllHeads});
    const ValueId spread =
        call("aten.unsqueeze.default", {{"self", cut}, {"dim", std::int64_t{0}}}, {1, kTokens, batch, 3, kAllHeads});
    const ValueId first = turned(spread, 0, swapped, {3, kTokens, batch, 1, kAllHeads});
    const ValueId squeezed =
        call("aten.squeeze.dim", {{"self", first}, {"dim", std::int64_t{-2}}}, {3, kTokens, batch, kAllHeads});
    const ValueId thirds = call("aten.contiguous.default", {{"self", squeezed}}, {3, kTokens, batch, kAllHeads});
    Arguments read = {
        {"query", part(thirds, order[0])}, {"key", part(thirds, order[1])}, {"value", part(thirds, order[2])}};
    read.insert(read.end(), options.begin(), options.end());
    const ValueId attention =
        call("aten.scaled_dot_product_attention.default", std::move(read), {batch, kHeads, kTokens, kHead});
    ValueId mixed =
        call("aten.permute.default", {{"self", attention}, {"dims", permuted}}, {kTokens, batch, kHeads, kHead});
    if (copies) mixed = call("aten.contiguous.default", {{"self", mixed}}, {kTokens, batch, kHeads, kHead});
    mixed = call(copies ? "aten.view.default" : "aten.reshape.default", {{"self", mixed}}, {many, kAllHeads});
    const ValueId projected = linear(mixed, {many, kAllHeads});
    made = turned(call("aten.view.default", {{"self", projected}}, {kTokens, batch, kAllHeads}), 1, 0,
                  {batch, kTokens, kAllHeads});
  }

  std::vector<SelfAttention> found() {
    const ValueId end = call("aten.exp.default", {{"self", made}}, {batch, kTokens, kAllHeads}, "c");
    const ExportedProgram& program = built.returning(end);
    return selfAttentionsOf(program.graph, blocksOf(program, {.depth = 1}).value());
  }

  const SizeExpression batch = SizeExpression::parse("Symbol('s0')").value();
  const SizeExpression many = SizeExpression::parse("Mul(Integer(2), Symbol('s0'))").value();
  std::string turned_in = "b";
  Dims thirds_of = {3, kAllHeads}, permuted = {2, 0, 1, 3}, order = {0, 1, 2};
  std::int64_t swapped = -2;
  Arguments options;
  bool copies = false;
  BuiltProgram built;
  ValueId x, rows, packed, made;
};

struct AttentionCase {
  const char* name;
  std::function<void(AttentionProgram&)> change;  ///< before it is written
  std::function<void(AttentionProgram&)> add = [](AttentionProgram&) {};
  bool found = false;
};

const auto kNothing = [](AttentionProgram&) {};

const AttentionCase kAttentionCases[] = {
    {"as it is exported", kNothing, kNothing, true},
    {"copied before it is viewed", [](AttentionProgram& p) { p.copies = true; }, kNothing, true},
    {"causal, with a scale",
     [](AttentionProgram& p) {
       p.options = {{"is_causal", true}, {"scale", 0.5}};
     },
     kNothing, true},
    {"dropout of nothing",
     [](AttentionProgram& p) {
       p.options = {{"dropout_p", 0.0}};
     },
     kNothing, true},
    {"dropout",
     [](AttentionProgram& p) {
       p.options = {{"dropout_p", 0.1}};
     }},
    {"a mask",
     [](AttentionProgram& p) {
       p.options = {{"attn_mask", p.sized(p.built.buffer("mask"), {kTokens, kTokens})}};
     }},
    {"keys first",
     [](AttentionProgram& p) {
       p.order = {1, 0, 2};
     }},
    {"keys that are queries",
     [](AttentionProgram& p) {
       p.order = {0, 0, 2};
     }},
    {"heads first",
     [](AttentionProgram& p) {
       p.thirds_of = {kAllHeads, 3};
     }},
    {"other dimensions swapped", [](AttentionProgram& p) { p.swapped = 1; }},
    {"put back in another order",
     [](AttentionProgram& p) {
       p.permuted = {0, 2, 1, 3};
     }},
    {"turned in the block before", [](AttentionProgram& p) { p.turned_in = "a"; }},
    {"another reader of the turned rows", kNothing,
     [](AttentionProgram& p) {
       p.made = p.call("aten.add.Tensor", {{"self", p.made}, {"other", p.rows}}, {p.batch, kTokens, kAllHeads});
     }},
    {"another reader of what is cut in thirds", kNothing,
     [](AttentionProgram& p) {
       p.made = p.call("aten.add.Tensor", {{"self", p.made}, {"other", p.packed}}, {p.batch, kTokens, kAllHeads});
     }},
    {"a size of the turned rows", kNothing,
     [](AttentionProgram& p) {
       p.built.call("aten.sym_size.int", {p.rows, std::int64_t{0}}, "b");
       p.built.lastIsSize(kTokens);
     }},
    {"rows that are written to", kNothing,
     [](AttentionProgram& p) {
       p.made = p.call("aten.add_.Tensor", {{"self", p.made}, {"other", p.x}}, {p.batch, kTokens, kAllHeads});
     }},
    {"of another type", kNothing,
     [](AttentionProgram& p) { p.built.program.graph.values[p.packed.index()].type = ScalarKind::Float64; }},
    {"dropout elsewhere", kNothing,
     [](AttentionProgram& p) {
       p.made = p.call("aten.dropout.default", {{"input", p.made}, {"p", 0.1}, {"train", true}},
                       {p.batch, kTokens, kAllHeads});
     }},
};

TEST(SelfAttention, IsFoundWhereNobodyElseSeesTheOrderOfRows) {
  for (const AttentionCase& c : kAttentionCases) {
    AttentionProgram program;
    c.change(program);
    program.write();
    c.add(program);
    EXPECT_EQ(program.found().size(), c.found ? 1u : 0u) << c.name;
  }
}

TEST(SelfAttention, SaysWhatIsReadAndMade) {
  AttentionProgram program;
  program.options = {{"is_causal", true}, {"scale", 0.5}};
  program.write();
  const SelfAttention found = program.found().at(0);
  EXPECT_EQ(found.rows, program.rows);
  EXPECT_EQ(found.packed, program.packed);
  EXPECT_EQ(found.made, program.made);
  EXPECT_EQ(std::pair(found.tokens, found.heads), std::pair(kTokens, kHeads));
  EXPECT_TRUE(found.causal);
  EXPECT_EQ(found.scale, 0.5);
  EXPECT_EQ(found.calls.size(), 20u);
  EXPECT_EQ(found.nodes().size(), 22u);
}

/// As in a damaged file.
TEST(SelfAttention, IsNoneWhereCallsLackWhatTheirSchemasHave) {
  AttentionProgram whole;
  whole.write();
  const std::size_t nodes = whole.built.program.graph.nodes.size();
  for (std::size_t i = 1; i < nodes; ++i) {
    for (std::size_t argument = 0; argument < whole.built.program.graph.nodes[i].inputs.size(); ++argument) {
      AttentionProgram damaged;
      damaged.write();
      ExportedNode& node = damaged.built.program.graph.nodes[i];
      const NamedArgument removed = node.inputs[argument];
      if (removed.name == "weight") continue;
      node.inputs.erase(node.inputs.begin() + static_cast<std::ptrdiff_t>(argument));
      EXPECT_THAT(damaged.found(), testing::IsEmpty()) << node.target << " " << removed.name;
    }
  }
}

}  // namespace
}  // namespace lanelab::test
