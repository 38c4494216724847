// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/joined_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "tests/unit/exported/built_program.h"

namespace lanelab::test {
namespace {

using Arguments = std::vector<NamedArgument>;
using Sizes = std::vector<SizeExpression>;

constexpr std::int64_t kWidth = 8, kEnd = std::numeric_limits<std::int64_t>::max();

/// Calls of module "b" on what module "a" makes, batch x 2 x 4 x 8, and another such tensor.
class JoinProgram {
 public:
  JoinProgram() {
    m_built.program.graph.values[m_built.user.index()].sizes = kSizes;
    m_built.batched(m_built.user);
    x = call("aten.sin.default", {{"self", m_built.user}}, "a");
    other = call("aten.cos.default", {{"self", m_built.user}}, "a");
    weight = sized(m_built.parameter("weight"), {kWidth});
    cosines = sized(m_built.buffer("cosines"), {1, 1, 4, kWidth});
    sines = sized(m_built.buffer("sines"), {1, 1, 4, kWidth});
  }

  ValueId call(const std::string& target, Arguments arguments, const std::string& module = "b") {
    const ValueId made = m_built.call(target, {}, module);
    m_built.last().inputs = std::move(arguments);
    return m_built.batched(sized(made, kSizes));
  }
  ValueId mul(ExportedArgument a, ExportedArgument b) { return binary("aten.mul.Tensor", a, b); }
  ValueId add(ExportedArgument a, ExportedArgument b) { return binary("aten.add.Tensor", a, b); }
  ValueId on(const char* target, ValueId self) { return call(target, {{"self", self}}); }
  ValueId power(ValueId self, double exponent) {
    return call("aten.pow.Tensor_Scalar", {{"self", self}, {"exponent", exponent}});
  }
  ValueId slice(ValueId self, std::int64_t begin, std::int64_t end, std::int64_t dim = 3) {
    return call("aten.slice.Tensor", {{"self", self}, {"dim", dim}, {"start", begin}, {"end", end}});
  }
  ValueId select(ValueId self, std::int64_t dim, std::int64_t index) {
    return call("aten.select.int", {{"self", self}, {"dim", dim}, {"index", index}});
  }
  ValueId sized(ValueId id, Sizes sizes) {
    value(id).sizes = std::move(sizes);
    return id;
  }
  ExportedNode& last() { return m_built.last(); }
  ExportedValue& value(ValueId id) { return m_built.program.graph.values[id.index()]; }

  /// 1 / root of the mean square.
  ValueId inverseRoot(ValueId of, std::int64_t dim = -1, bool keeps = true, double exponent = 2) {
    const ValueId mean = call(
        "aten.mean.dim", {{"self", power(of, exponent)}, {"dim", std::vector<std::int64_t>{dim}}, {"keepdim", keeps}});
    return on("aten.rsqrt.default", add(mean, 1e-6));
  }
  ValueId rotatedHalves(ValueId of, std::int64_t middle = kWidth / 2) {
    const ValueId low = slice(of, 0, middle), high = slice(of, middle, kEnd);
    return call("aten.cat.default",
                {{"tensors", std::vector<ValueId>{on("aten.neg.default", high), low}}, {"dim", std::int64_t{-1}}});
  }
  ValueId gelu(double factor = 0.044715) {
    const ValueId half = mul(x, 0.5);
    const ValueId bent = on("aten.tanh.default", mul(add(x, mul(power(x, 3), factor)), 0.7978845608028654));
    return mul(half, add(bent, 1.0));
  }

  std::vector<JoinedCalls> found(ValueId output) {
    const ValueId end = call("aten.exp.default", {{"self", output}}, "c");
    const ExportedProgram& program = m_built.returning(end);
    return joinedCallsOf(program.graph, blocksOf(program, {.depth = 1}).value());
  }

  ValueId x, other, weight, cosines, sines;

 private:
  static inline const Sizes kSizes = {2, 2, 4, kWidth};

  ValueId binary(const char* target, ExportedArgument a, ExportedArgument b) {
    return call(target, {{"self", std::move(a)}, {"other", std::move(b)}});
  }
  BuiltProgram m_built;
};

struct JoinCase {
  const char* name;
  std::function<ValueId(JoinProgram&)> write;
  std::optional<Rule> found;  ///< of one place
};

ValueId catOf(JoinProgram& p, std::vector<ValueId> parts) {
  return p.call("aten.stack.default", {{"tensors", std::move(parts)}});
}

const JoinCase kJoinCases[] = {
    {"rms norm", [](JoinProgram& p) { return p.mul(p.weight, p.mul(p.x, p.inverseRoot(p.x))); }, Rule::FusedRmsNorm},
    {"rms norm, weight last", [](JoinProgram& p) { return p.mul(p.mul(p.inverseRoot(p.x), p.x), p.weight); },
     Rule::FusedRmsNorm},
    {"rms norm with a cast to the same type",
     [](JoinProgram& p) { return p.mul(p.weight, p.on("aten.to.dtype", p.mul(p.x, p.inverseRoot(p.x)))); },
     Rule::FusedRmsNorm},
    {"rms norm with a cast to another type",
     [](JoinProgram& p) {
       const ValueId cast = p.on("aten.to.dtype", p.mul(p.x, p.inverseRoot(p.x)));
       p.value(cast).type = ScalarKind::Float64;
       return p.mul(p.weight, cast);
     },
     {}},
    {"rms norm as one call",
     [](JoinProgram& p) {
       return p.call("aten.rms_norm.default", {{"input", p.x}, {"weight", p.weight}});
     },
     Rule::FusedRmsNorm},
    {"rms norm without a weight",
     [](JoinProgram& p) {
       return p.call("aten.rms_norm.default", {{"input", p.x}});
     },
     {}},
    {"rms norm over two dimensions",
     [](JoinProgram& p) {
       return p.call("aten.rms_norm.default", {{"input", p.x}, {"weight", p.sized(p.weight, {4, kWidth})}});
     },
     {}},
    {"root of another tensor", [](JoinProgram& p) { return p.mul(p.weight, p.mul(p.x, p.inverseRoot(p.other))); }, {}},
    {"mean over another dimension",
     [](JoinProgram& p) { return p.mul(p.weight, p.mul(p.x, p.inverseRoot(p.x, 1))); },
     {}},
    {"mean without its dimension",
     [](JoinProgram& p) { return p.mul(p.weight, p.mul(p.x, p.inverseRoot(p.x, -1, false))); },
     {}},
    {"mean of cubes", [](JoinProgram& p) { return p.mul(p.weight, p.mul(p.x, p.inverseRoot(p.x, -1, true, 3))); }, {}},
    {"rms norm times a tensor", [](JoinProgram& p) { return p.mul(p.other, p.mul(p.x, p.inverseRoot(p.x))); }, {}},
    {"root read by another",
     [](JoinProgram& p) {
       const ValueId root = p.inverseRoot(p.x);
       return p.add(root, p.mul(p.weight, p.mul(p.x, root)));
     },
     {}},
    {"rms norm whose input is overwritten",
     [](JoinProgram& p) {
       const ValueId root = p.inverseRoot(p.x);
       const ValueId changed = p.on("aten.relu_.default", p.x);
       return p.add(changed, p.mul(p.weight, p.mul(p.x, root)));
     },
     {}},
    {"rms norm of another type",
     [](JoinProgram& p) {
       p.value(p.x).type = ScalarKind::Float64;
       return p.mul(p.weight, p.mul(p.x, p.inverseRoot(p.x)));
     },
     {}},
    {"gate", [](JoinProgram& p) { return p.mul(p.on("aten.silu.default", p.x), p.other); }, Rule::GatedProduct},
    {"gate from the right", [](JoinProgram& p) { return p.mul(p.other, p.on("aten.silu.default", p.x)); },
     Rule::GatedProduct},
    {"gate of itself", [](JoinProgram& p) { return p.mul(p.on("aten.silu.default", p.x), p.x); }, Rule::GatedProduct},
    {"gate times a row",
     [](JoinProgram& p) {
       return p.mul(p.on("aten.silu.default", p.x), p.sized(p.other, {1, 1, 1, kWidth}));
     },
     {}},
    {"gate times a number", [](JoinProgram& p) { return p.mul(p.on("aten.silu.default", p.x), 2.0); }, {}},
    {"another activation", [](JoinProgram& p) { return p.mul(p.on("aten.sigmoid.default", p.x), p.other); }, {}},
    {"gate in two blocks",
     [](JoinProgram& p) {
       return p.mul(p.call("aten.silu.default", {{"self", p.x}}, "a"), p.other);
     },
     {}},
    {"rotary", [](JoinProgram& p) { return p.add(p.mul(p.x, p.cosines), p.mul(p.rotatedHalves(p.x), p.sines)); },
     Rule::RotaryEmbedding},
    {"rotary the other way round",
     [](JoinProgram& p) { return p.add(p.mul(p.sines, p.rotatedHalves(p.x)), p.mul(p.cosines, p.x)); },
     Rule::RotaryEmbedding},
    {"rotary with other halves",
     [](JoinProgram& p) { return p.add(p.mul(p.x, p.cosines), p.mul(p.rotatedHalves(p.other), p.sines)); },
     Rule::JoinedParts},
    {"rotary of a quarter",
     [](JoinProgram& p) { return p.add(p.mul(p.x, p.cosines), p.mul(p.rotatedHalves(p.x, 2), p.sines)); },
     Rule::JoinedParts},
    {"rotary by a number", [](JoinProgram& p) { return p.add(p.mul(p.x, 0.5), p.mul(p.rotatedHalves(p.x), p.sines)); },
     Rule::JoinedParts},
    {"rotary with half of the rotated",
     [](JoinProgram& p) {
       const ValueId sum = p.add(p.mul(p.x, p.cosines), p.mul(p.rotatedHalves(p.x), p.sines));
       p.last().inputs.push_back({"alpha", 0.5});
       return sum;
     },
     Rule::JoinedParts},
    {"gelu", [](JoinProgram& p) { return p.gelu(); }, Rule::TanhGelu},
    {"gelu with another number", [](JoinProgram& p) { return p.gelu(0.05); }, {}},
    {"all rows",
     [](JoinProgram& p) {
       return catOf(p, {p.select(p.x, 1, 0), p.select(p.x, 1, 1)});
     },
     Rule::JoinedParts},
    {"all rows, from the end",
     [](JoinProgram& p) {
       return catOf(p, {p.select(p.x, 1, -1), p.select(p.x, 1, 0)});
     },
     Rule::JoinedParts},
    {"a row twice",
     [](JoinProgram& p) {
       return catOf(p, {p.select(p.x, 1, 0), p.select(p.x, 1, 0)});
     },
     {}},
    {"some rows",
     [](JoinProgram& p) {
       return catOf(p, {p.select(p.x, 2, 0), p.select(p.x, 2, 1)});
     },
     {}},
    {"rows of the batch",
     [](JoinProgram& p) {
       return catOf(p, {p.select(p.x, 0, 0), p.select(p.x, 0, 1)});
     },
     {}},
    {"slices",
     [](JoinProgram& p) {
       return catOf(p, {p.slice(p.x, 0, 3), p.slice(p.x, 3, kEnd)});
     },
     Rule::JoinedParts},
    {"slices with a gap",
     [](JoinProgram& p) {
       return catOf(p, {p.slice(p.x, 0, 3), p.slice(p.x, 4, kEnd)});
     },
     {}},
    {"slices that overlap",
     [](JoinProgram& p) {
       return catOf(p, {p.slice(p.x, 0, 5), p.slice(p.x, 3, kEnd)});
     },
     {}},
    {"a slice that is written to",
     [](JoinProgram& p) {
       const ValueId low = p.slice(p.x, 0, 3), high = p.slice(p.x, 3, kEnd);
       return catOf(p, {p.on("aten.relu_.default", low), high});
     },
     {}}};

TEST(JoinedCalls, AreFoundWhereNothingElseDependsOnWhatIsBetween) {
  for (const JoinCase& c : kJoinCases) {
    JoinProgram program;
    const std::vector<JoinedCalls> found = program.found(c.write(program));
    ASSERT_EQ(found.size(), c.found.has_value()) << c.name;
    if (c.found) {
      EXPECT_EQ(found.front().rule, *c.found) << c.name;
    }
  }
}

/// As in a damaged file.
TEST(JoinedCalls, AreNoneWhereCallsLackWhatTheirSchemasHave) {
  const auto without = [](JoinProgram& program, const char* argument) {
    std::erase_if(program.last().inputs, [&](const NamedArgument& given) { return given.name == argument; });
  };
  JoinProgram blind, silent, other;
  const ValueId product = blind.mul(blind.on("aten.silu.default", blind.x), blind.other);
  without(blind, "self");
  EXPECT_THAT(blind.found(product), testing::IsEmpty());

  silent.mul(silent.on("aten.silu.default", silent.x), silent.other);
  silent.last().outputs.clear();
  EXPECT_THAT(silent.found(silent.x), testing::IsEmpty());

  const ValueId first = other.select(other.x, 1, 0), second = other.select(other.x, 1, 1);
  without(other, "self");
  other.last().inputs.push_back({"index", other.x});
  EXPECT_THAT(other.found(catOf(other, {first, second})), testing::IsEmpty());
}

TEST(JoinedCalls, SayWhatIsReadAndMade) {
  JoinProgram norm, rotary, parts;
  const ValueId normed = norm.mul(norm.weight, norm.mul(norm.x, norm.inverseRoot(norm.x)));
  const JoinedCalls of_norm = norm.found(normed).front();
  EXPECT_THAT(of_norm.reads, testing::ElementsAre(norm.x, norm.weight));
  EXPECT_THAT(of_norm.makes, testing::ElementsAre(normed));
  EXPECT_EQ(of_norm.epsilon, 1e-6);
  EXPECT_EQ(of_norm.nodes.size(), 6u);
  EXPECT_EQ(of_norm.place(), of_norm.nodes.back());

  const ValueId turned =
      rotary.add(rotary.mul(rotary.x, rotary.cosines), rotary.mul(rotary.rotatedHalves(rotary.x), rotary.sines));
  const JoinedCalls of_rotary = rotary.found(turned).front();
  EXPECT_THAT(of_rotary.reads, testing::ElementsAre(rotary.x, rotary.cosines, rotary.sines));
  EXPECT_EQ(of_rotary.nodes.size(), 7u);

  const ValueId high = parts.slice(parts.x, 3, kEnd), low = parts.slice(parts.x, 0, 3);
  const JoinedCalls of_parts = parts.found(catOf(parts, {low, high})).front();
  EXPECT_THAT(of_parts.makes, testing::ElementsAre(low, high)) << "in their order in the tensor";
  EXPECT_THAT(of_parts.sizes, testing::ElementsAre(3, kWidth - 3));
  EXPECT_EQ(of_parts.dimension, 3u);
  EXPECT_EQ(of_parts.place(), of_parts.nodes.front());
}

}  // namespace
}  // namespace lanelab::test
