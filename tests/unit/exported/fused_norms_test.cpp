// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/fused_norms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/unit/exported/built_program.h"

namespace lanelab::test {
namespace {

/// Images of batch x 3 x 8 x 8; a convolution first.
class NormProgram {
 public:
  NormProgram() {
    image(m_built.user);
    convolved = call("aten.relu.default", {m_built.user}, "a");
    weight = m_built.parameter("weight"), bias = m_built.parameter("bias");
  }

  ValueId call(const std::string& target, std::vector<ExportedArgument> arguments, const std::string& module = "b") {
    return image(m_built.call(target, std::move(arguments), module));
  }
  ValueId norm(bool training = true, const std::string& module = "b") {
    const ValueId made = call("aten.batch_norm.default", {convolved, weight, bias, training}, module);
    const char* const names[] = {"input", "weight", "bias", "training"};
    for (std::size_t i = 0; i < 4; ++i) m_built.last().inputs[i].name = names[i];
    return made;
  }
  std::vector<FusedNorm> found(ValueId output) {
    const ExportedProgram& program = m_built.returning(output);
    return fusedNormsOf(program.graph, blocksOf(program, {.depth = 1}).value());
  }
  ExportedNode& last() { return m_built.last(); }
  ExportedGraph& graph() { return m_built.program.graph; }

  ValueId convolved, weight, bias;

 private:
  ValueId image(ValueId id) {
    m_built.program.graph.values[id.index()].sizes = {2, 3, 8, 8};
    return m_built.batched(id);
  }
  BuiltProgram m_built;
};

struct NormCase {
  const char* name;
  std::function<ValueId(NormProgram&)> rest;  ///< behind the norm; gives the output
  std::vector<FusedNorm> found = {};
};

ValueId relued(NormProgram& p, const char* target) {
  return p.call("aten.mul.Tensor", {p.call(target, {p.norm()})}, "c");
}

ValueId summed(NormProgram& p, const char* sum, bool norm_first, std::optional<double> alpha = {}) {
  const ValueId normed = p.norm();
  const ValueId added = p.call(sum, {norm_first ? normed : p.convolved, norm_first ? p.convolved : normed});
  if (alpha) p.last().inputs.push_back({"alpha", *alpha});
  return p.call("aten.mul.Tensor", {p.call("aten.relu_.default", {added})}, "c");
}

TEST(FusedNorms, AreFoundWhereOnlyTheReluReadsTheNorm) {
  // Nodes: 0 the input of the norm, 1 the norm, 2 and 3 what follows. Value 1 is the addend.
  const ValueId addend(1);
  for (const NormCase& c : {
           NormCase{"relu", [](NormProgram& p) { return relued(p, "aten.relu.default"); }, {{1, {}, {}, 2}}},
           NormCase{"relu in place", [](NormProgram& p) { return relued(p, "aten.relu_.default"); }, {{1, {}, {}, 2}}},
           NormCase{"another activation", [](NormProgram& p) { return relued(p, "aten.silu.default"); }},
           NormCase{"sum", [](NormProgram& p) { return summed(p, "aten.add.Tensor", true); }, {{1, 2, addend, 3}}},
           NormCase{"sum from the right",
                    [](NormProgram& p) { return summed(p, "aten.add.Tensor", false); },
                    {{1, 2, addend, 3}}},
           NormCase{
               "sum in place", [](NormProgram& p) { return summed(p, "aten.add_.Tensor", true); }, {{1, 2, addend, 3}}},
           NormCase{"sum over the addend", [](NormProgram& p) { return summed(p, "aten.add_.Tensor", false); }},
           NormCase{"half of the addend", [](NormProgram& p) { return summed(p, "aten.add.Tensor", true, 0.5); }},
           NormCase{
               "alpha 1", [](NormProgram& p) { return summed(p, "aten.add.Tensor", true, 1.0); }, {{1, 2, addend, 3}}},
           NormCase{"read twice",
                    [](NormProgram& p) {
                      const ValueId normed = p.norm();
                      return p.call("aten.mul.Tensor", {p.call("aten.relu.default", {normed}), normed}, "c");
                    }},
           NormCase{"an output",
                    [](NormProgram& p) {
                      const ValueId normed = p.norm();
                      p.call("aten.relu.default", {normed});
                      return normed;
                    }},
           NormCase{"evaluated",
                    [](NormProgram& p) {
                      return p.call("aten.mul.Tensor", {p.call("aten.relu.default", {p.norm(false)})}, "c");
                    }},
           NormCase{"two blocks", [](NormProgram& p) { return p.call("aten.relu.default", {p.norm()}, "c"); }},
           NormCase{"its input overwritten",
                    [](NormProgram& p) {
                      const ValueId normed = p.norm();
                      p.call("aten.mul_.Tensor", {p.convolved});
                      return p.call("aten.mul.Tensor", {p.call("aten.relu.default", {normed})}, "c");
                    }},
       }) {
    NormProgram program;
    EXPECT_EQ(program.found(c.rest(program)), c.found) << c.name;
  }
}

TEST(FusedNorms, AreOfImagesWithWeightAndBias) {
  struct Change {
    const char* name;
    std::function<void(ExportedGraph& graph, ExportedNode& norm)> make;
  };
  NormProgram program;
  program.norm();
  EXPECT_TRUE(isImageNorm(program.graph(), program.last()));
  const auto input = [](ExportedGraph& graph, ExportedNode& norm) -> ExportedValue& {
    return graph.values[std::get<ValueId>(norm.inputs[0].value).index()];
  };
  for (const Change& change :
       {Change{"no weight", [](ExportedGraph&, ExportedNode&norm) { norm.inputs[1].value = NoArgument{}; }},
        Change{"no bias", [](ExportedGraph&, ExportedNode&norm) { norm.inputs.erase(norm.inputs.begin() + 2); }},
        Change{"sequences", [&](ExportedGraph&graph, ExportedNode&norm) { input(graph, norm).sizes.pop_back(); }},
        Change{"float64",
               [&](ExportedGraph&graph, ExportedNode&norm) { input(graph, norm).type = ScalarKind::Float64; }},
        Change{"another norm", [](ExportedGraph&, ExportedNode&norm) { norm.target = "aten.group_norm.default"; }}}) {
    NormProgram changed;
    changed.norm();
    change.make(changed.graph(), changed.last());
    EXPECT_FALSE(isImageNorm(changed.graph(), changed.last())) << change.name;
  }
}

}  // namespace
}  // namespace lanelab::test
