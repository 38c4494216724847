// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/graph_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/unit/exported/built_program.h"

namespace lanelab::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

using Argument = NamedArgument;

/// A norm and a ReLU of images, and what reads the ReLU.
class RuledProgram {
 public:
  RuledProgram() {
    image(built.user);
    const ValueId first = call("aten.exp.default", {{"self", built.user}}, "a");
    const ValueId normed = call(
        "aten.batch_norm.default",
        {{"input", first}, {"weight", built.parameter("g")}, {"bias", built.parameter("b")}, {"training", true}}, "b");
    made = call("aten.relu.default", {{"self", normed}}, "b");
  }

  ValueId call(const std::string& target, std::vector<Argument> arguments, const std::string& module) {
    const ValueId id = built.call(target, {}, module);
    built.last().inputs = std::move(arguments);
    return image(id);
  }
  ValueId kernel(std::vector<SizeExpression> sizes) {
    const ValueId id = built.parameter("k" + std::to_string(built.program.graph.values.size()));
    built.program.graph.values[id.index()].sizes = std::move(sizes);
    return id;
  }
  ValueId convolution(ValueId read, const std::string& module = "b") {
    return call("aten.conv2d.default",
                {{"input", read}, {"weight", kernel({3, 3, 3, 3})}, {"padding", std::vector<std::int64_t>{1, 1}}},
                module);
  }

  GraphRules rules(ValueId output) {
    const ExportedProgram& program = built.returning(output);
    const SampleSizes sizes(program);
    blocks = blocksOf(program, {.depth = 1}).value();
    return graphRulesOf(program.graph, blocks, sizes, tensorMemoryOf(program.graph, sizes));
  }

  BuiltProgram built;
  ExportedBlocks blocks;
  ValueId made;

 private:
  ValueId image(ValueId id) {
    built.program.graph.values[id.index()].sizes = {2, 3, 8, 8};
    return built.batched(id);
  }
};

struct RemadeCase {
  const char* name;
  std::function<ValueId(RuledProgram&)> rest;  ///< behind the ReLU; gives the output
  bool remade = false;
};

TEST(GraphRules, MakeAgainWhatConvolutionsAndPoolingsOfTheBlockAloneKeep) {
  for (const RemadeCase& c : {
           RemadeCase{"a convolution", [](RuledProgram& p) { return p.convolution(p.made); }, true},
           RemadeCase{"two of them, and a sum, which keeps nothing",
                      [](RuledProgram& p) {
                        const ValueId one = p.convolution(p.made), other = p.convolution(p.made);
                        const ValueId sum = p.call("aten.add.Tensor", {{"self", one}, {"other", p.made}}, "b");
                        return p.call("aten.add.Tensor", {{"self", sum}, {"other", other}}, "b");
                      },
                      true},
           RemadeCase{"a pooling",
                      [](RuledProgram& p) {
                        return p.call("aten.max_pool2d.default",
                                      {{"self", p.made}, {"kernel_size", std::vector<std::int64_t>{2, 2}}}, "b");
                      },
                      true},
           RemadeCase{"nobody",
                      [](RuledProgram& p) {
                        return p.call("aten.neg.default", {{"self", p.made}}, "b");
                      }},
           RemadeCase{"a product with itself",
                      [](RuledProgram& p) {
                        return p.call("aten.mul.Tensor", {{"self", p.made}, {"other", p.made}}, "b");
                      }},
           RemadeCase{"a convolution of a view",
                      [](RuledProgram& p) {
                        return p.convolution(p.call("aten.alias.default", {{"self", p.made}}, "b"));
                      }},
           RemadeCase{"a convolution behind a cut", [](RuledProgram& p) { return p.convolution(p.made, "c"); }},
           RemadeCase{"a convolution, and the output",
                      [](RuledProgram& p) {
                        p.convolution(p.made);
                        return p.made;
                      }},
           RemadeCase{"a convolution, and who writes to it",
                      [](RuledProgram& p) {
                        const ValueId one = p.convolution(p.made);
                        p.call("aten.mul_.Tensor", {{"self", p.made}, {"other", 2.0}}, "b");
                        return one;
                      }},
       }) {
    RuledProgram program;
    const ValueId output = c.rest(program);
    const GraphRules rules = program.rules(output);
    EXPECT_EQ(rules.remade.contains(program.made), c.remade) << c.name;
    const std::vector<double> shares =
        remadeShares(program.built.program.graph, program.blocks.blocks, rules, SampleSizes(program.built.program));
    EXPECT_EQ(shares[1] > 0, c.remade) << c.name;
    EXPECT_LT(shares[1], 1) << c.name;
  }
}

struct ProductCase {
  const char* name;
  std::vector<SizeExpression> kernel;
  std::vector<Argument> arguments;
  std::optional<ConvGeometry> geometry = {};
};

TEST(GraphRules, DoSquareKernelsOfOneOrThreeAsProducts) {
  using List = std::vector<std::int64_t>;
  for (const ProductCase& c :
       {ProductCase{"3x3", {5, 3, 3, 3}, {{"padding", List{1, 1}}}, ConvGeometry{1, 3, 8, 8, 5, 3, 1}},
        ProductCase{"1x1 of stride 2", {5, 3, 1, 1}, {{"stride", List{2, 2}}}, ConvGeometry{1, 3, 8, 8, 5, 1, 2}},
        ProductCase{
            "one number for both sides", {5, 3, 3, 3}, {{"padding", List{1}}}, ConvGeometry{1, 3, 8, 8, 5, 3, 1}},
        ProductCase{"3x3 without padding", {5, 3, 3, 3}, {}},
        ProductCase{"5x5", {5, 3, 5, 5}, {{"padding", List{2, 2}}}},
        ProductCase{"3x1", {5, 3, 3, 1}, {{"padding", List{1, 0}}}},
        ProductCase{"groups", {3, 1, 3, 3}, {{"padding", List{1, 1}}, {"groups", std::int64_t{3}}}},
        ProductCase{"dilated", {5, 3, 3, 3}, {{"padding", List{1, 1}}, {"dilation", List{2, 2}}}},
        ProductCase{"two strides", {5, 3, 3, 3}, {{"padding", List{1, 1}}, {"stride", List{1, 2}}}}}) {
    RuledProgram program;
    std::vector<Argument> arguments = {{"input", program.made}, {"weight", program.kernel(c.kernel)}};
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    const ValueId output = program.call("aten.conv2d.default", arguments, "b");
    const GraphRules rules = program.rules(output);
    ASSERT_THAT(rules.weighted, SizeIs(1)) << c.name;
    EXPECT_EQ(rules.products.size(), c.geometry ? 1u : 0u) << c.name;
    for (const auto& [node, geometry] : rules.products) EXPECT_EQ(geometry, c.geometry) << c.name << " at " << node;
  }
}

TEST(GraphRules, SplitCallsOfParametersOnly) {
  RuledProgram program;
  const ValueId computed = program.call("aten.exp.default", {{"self", program.kernel({3, 3, 1, 1})}}, "b");
  const ValueId output = program.call("aten.conv2d.default", {{"input", program.made}, {"weight", computed}}, "b");
  EXPECT_THAT(program.rules(output).weighted, IsEmpty());
}

/// The function has no gradients for tables, which may be computed of parameters.
TEST(GraphRules, RotateByTablesThatDoNotLearn) {
  for (const bool learn : {false, true}) {
    RuledProgram program;
    const auto table = [&](const char* name) {
      const ValueId id = learn ? program.built.parameter(name) : program.built.buffer(name);
      program.built.program.graph.values[id.index()].sizes = {1, 1, 1, 8};
      return id;
    };
    const auto call = [&](const char* target, std::vector<Argument> arguments) {
      return program.call(target, std::move(arguments), "b");
    };
    const auto half = [&](std::int64_t begin, std::int64_t end) {
      return call("aten.slice.Tensor",
                  {{"self", program.made}, {"dim", std::int64_t{3}}, {"start", begin}, {"end", end}});
    };
    const ValueId negative = call("aten.neg.default", {{"self", half(4, 8)}});
    const ValueId rotated =
        call("aten.cat.default", {{"tensors", std::vector<ValueId>{negative, half(0, 4)}}, {"dim", std::int64_t{-1}}});
    const ValueId plain = call("aten.mul.Tensor", {{"self", program.made}, {"other", table("cosines")}});
    const ValueId turned = call("aten.mul.Tensor", {{"self", rotated}, {"other", table("sines")}});
    const ValueId sum = call("aten.add.Tensor", {{"self", plain}, {"other", turned}});
    EXPECT_THAT(program.rules(sum).joined, SizeIs(learn ? 0 : 1)) << learn;
  }
}

TEST(GraphRules, AreListedByRuleAndPlace) {
  RuledProgram program;
  const GraphRules rules = program.rules(program.convolution(program.made));
  std::vector<std::string> lines;
  for (const AppliedRule& one : appliedRules(program.built.program.graph, program.blocks, rules))
    lines.push_back(toWord(one.rule) + " " + one.block + ": " + one.calls);
  EXPECT_THAT(lines, ElementsAre("fused_norm b: batch_norm, relu", "convolution_product b: conv2d",
                                 "remade_activation b: batch_norm, relu", "split_backward b: conv2d"));
}

TEST(Rules, AreASet) {
  const Rules two = {Rule::FusedNorm, Rule::FoldedLinear};
  EXPECT_TRUE(two.has(Rule::FoldedLinear));
  EXPECT_FALSE(two.has(Rule::SplitBackward));
  EXPECT_EQ(two.without(Rule::FusedNorm), Rules{Rule::FoldedLinear});
  EXPECT_EQ(Rules::all().without(Rule::SplitBackward).with(Rule::SplitBackward), Rules::all());
  EXPECT_EQ(kRules.size(), words<Rule>().size());
}

}  // namespace
}  // namespace lanelab::test
