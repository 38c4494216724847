// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/norm_chains.h"

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
  std::vector<NormChain> found(ValueId output) {
    const ExportedProgram& program = m_built.returning(output);
    return normChainsOf(program.graph, blocksOf(program, {.depth = 1}).value());
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
  NormChain found;
};

ValueId activated(NormProgram& p, const char* target) {
  return p.call("aten.mul.Tensor", {p.call(target, {p.norm()})}, "c");
}

ValueId clamped(NormProgram& p, ExportedArgument low, ExportedArgument high) {
  const ValueId made = p.call("aten.hardtanh_.default", {p.norm()});
  p.last().inputs.push_back({"min_val", std::move(low)});
  p.last().inputs.push_back({"max_val", std::move(high)});
  return p.call("aten.mul.Tensor", {made}, "c");
}

ValueId summed(NormProgram& p, const char* sum, bool norm_first, const char* activation, std::optional<double> alpha) {
  const ValueId normed = p.norm();
  const ValueId added = p.call(sum, {norm_first ? normed : p.convolved, norm_first ? p.convolved : normed});
  if (alpha) p.last().inputs.push_back({"alpha", *alpha});
  return p.call("aten.mul.Tensor", {activation ? p.call(activation, {added}) : added}, "c");
}

/// Nodes: 0 the input of the norm, 1 the norm, 2 and 3 what follows. Value 1 is the addend.
NormChain chain(NormActivation kind) { return {1, {}, {}, 2, kind}; }
const NormChain kAlone{1}, kSum{1, 2, ValueId(1)}, kSumRelu{1, 2, ValueId(1), 3, NormActivation::Relu};

const NormCase kCases[] = {
    {"relu", [](NormProgram& p) { return activated(p, "aten.relu.default"); }, chain(NormActivation::Relu)},
    {"relu in place", [](NormProgram& p) { return activated(p, "aten.relu_.default"); }, chain(NormActivation::Relu)},
    {"silu", [](NormProgram& p) { return activated(p, "aten.silu_.default"); }, chain(NormActivation::Silu)},
    {"hardswish", [](NormProgram& p) { return activated(p, "aten.hardswish.default"); },
     chain(NormActivation::Hardswish)},
    {"relu6", [](NormProgram& p) { return activated(p, "aten.relu6.default"); }, chain(NormActivation::Relu6)},
    {"relu6 as hardtanh", [](NormProgram& p) { return clamped(p, std::int64_t{0}, 6.0); },
     chain(NormActivation::Relu6)},
    {"another hardtanh", [](NormProgram& p) { return clamped(p, -1.0, 1.0); }, kAlone},
    {"another activation", [](NormProgram& p) { return activated(p, "aten.gelu.default"); }, kAlone},
    {"sum", [](NormProgram& p) { return summed(p, "aten.add.Tensor", true, nullptr, {}); }, kSum},
    {"sum, relu", [](NormProgram& p) { return summed(p, "aten.add.Tensor", true, "aten.relu_.default", {}); },
     kSumRelu},
    {"sum from the right", [](NormProgram& p) { return summed(p, "aten.add.Tensor", false, "aten.relu.default", {}); },
     kSumRelu},
    {"sum in place", [](NormProgram& p) { return summed(p, "aten.add_.Tensor", true, "aten.relu.default", {}); },
     kSumRelu},
    {"sum, silu", [](NormProgram& p) { return summed(p, "aten.add.Tensor", true, "aten.silu.default", {}); }, kSum},
    {"sum over the addend", [](NormProgram& p) { return summed(p, "aten.add_.Tensor", false, nullptr, {}); }, kAlone},
    {"half of the addend", [](NormProgram& p) { return summed(p, "aten.add.Tensor", true, nullptr, 0.5); }, kAlone},
    {"alpha 1", [](NormProgram& p) { return summed(p, "aten.add.Tensor", true, nullptr, 1.0); }, kSum},
    {"read twice",
     [](NormProgram& p) {
       const ValueId normed = p.norm();
       return p.call("aten.mul.Tensor", {p.call("aten.relu.default", {normed}), normed}, "c");
     },
     kAlone},
    {"an output",
     [](NormProgram& p) {
       const ValueId normed = p.norm();
       p.call("aten.relu.default", {normed});
       return normed;
     },
     kAlone},
    {"two blocks", [](NormProgram& p) { return p.call("aten.relu.default", {p.norm()}, "c"); }, kAlone},
    {"its input overwritten",
     [](NormProgram& p) {
       const ValueId normed = p.norm();
       p.call("aten.mul_.Tensor", {p.convolved});
       return p.call("aten.mul.Tensor", {p.call("aten.relu.default", {normed})}, "c");
     },
     kAlone},
    {"its input overwritten behind the sum",
     [](NormProgram& p) {
       const ValueId added = p.call("aten.add.Tensor", {p.norm(), p.convolved});
       p.call("aten.mul_.Tensor", {p.convolved});
       return p.call("aten.mul.Tensor", {p.call("aten.relu.default", {added})}, "c");
     },
     kSum},
};

TEST(NormChains, GoOnAsLongAsTheNextCallAloneReads) {
  for (const NormCase& c : kCases) {
    NormProgram program;
    EXPECT_THAT(program.found(c.rest(program)), testing::ElementsAre(c.found)) << c.name;
  }
}

TEST(NormChains, AreOfImagesInTrainingWithWeightAndBias) {
  struct Change {
    const char* name;
    std::function<void(ExportedGraph& graph, ExportedNode& norm)> make;
  };
  const auto input = [](ExportedGraph& graph, ExportedNode& norm) -> ExportedValue& {
    return graph.values[std::get<ValueId>(norm.inputs[0].value).index()];
  };
  for (const Change& change :
       {Change{"no weight", [](ExportedGraph&, ExportedNode&norm) { norm.inputs[1].value = NoArgument{}; }},
        Change{"no bias", [](ExportedGraph&, ExportedNode&norm) { norm.inputs.erase(norm.inputs.begin() + 2); }},
        Change{"evaluated", [](ExportedGraph&, ExportedNode&norm) { norm.inputs[3].value = false; }},
        Change{"sequences", [&](ExportedGraph&graph, ExportedNode&norm) { input(graph, norm).sizes.pop_back(); }},
        Change{"float64",
               [&](ExportedGraph&graph, ExportedNode&norm) { input(graph, norm).type = ScalarKind::Float64; }},
        Change{"another norm", [](ExportedGraph&, ExportedNode&norm) { norm.target = "aten.group_norm.default"; }}}) {
    NormProgram changed;
    const ValueId normed = changed.norm();
    change.make(changed.graph(), changed.last());
    EXPECT_THAT(changed.found(normed), testing::IsEmpty()) << change.name;
  }
}

}  // namespace
}  // namespace lanelab::test
