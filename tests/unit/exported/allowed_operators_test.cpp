// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/operators/allowed_operators.h"

#include <gmock/gmock.h>

#include "tests/unit/exported/built_program.h"
#include "tests/unit/exported/sample_networks.h"

namespace lanelab::test {
namespace {

using testing::HasSubstr;

/// What a graph with this one call is refused for; "" where it is not.
std::string refusal(const std::string& target, const std::string& argument, ExportedArgument value) {
  BuiltProgram built;
  const ValueId made = built.call(target, {built.user}, "a.b");
  built.last().inputs.push_back({argument, std::move(value)});
  built.last().source = "net.py:7";
  const Status allowed = refuseOperators(built.returning(made).graph);
  if (allowed.ok()) return {};
  EXPECT_EQ(allowed.error().kind, Error::Kind::BadInput);
  return allowed.error().message;
}

TEST(AllowedOperators, OfPythonAreRefusedWithTheirModuleAndLine) {
  const Status mixtral = refuseOperators(sampleNetwork("mixtral").graph);
  ASSERT_FALSE(mixtral.ok());
  EXPECT_EQ(mixtral.error().kind, Error::Kind::BadInput);
  EXPECT_THAT(
      mixtral.error().message,
      HasSubstr("transformers.grouped_mm_fallback.default of module inner.model.layers.0.mlp.experts (moe.py:"));
}

TEST(AllowedOperators, AreAllOfTheOtherSamples) {
  for (const std::string& name : sampleNetworkNames()) {
    EXPECT_EQ(refuseOperators(sampleNetwork(name).graph).ok(), name != "mixtral") << name;
  }
}

TEST(AllowedOperators, AreThoseThatComputeAndTheirFormsInPlace) {
  for (const char* name : {"add", "add_", "relu_", "__iand__", "copy_", "detach_", "index_put_", "as_strided", "einsum",
                           "_to_copy", "scaled_dot_product_attention", "randn_like", "normal_", "zeros"})
    EXPECT_TRUE(isAllowedOperator(name)) << name;
}

TEST(AllowedOperators, AreNotThoseThatReachOtherMemory) {
  for (const char* name :
       {"from_file", "set_", "set", "resize_", "resize_as_", "as_strided_", "_reshape_alias", "record_stream",
        "_fused_adam", "_foreach_add_", "segment_reduce", "linalg_lu_solve", "_sparse_coo_tensor_unsafe", "set_data",
        "save", "_print", "to_sparse", "native_group_norm", ""})
    EXPECT_FALSE(isAllowedOperator(name)) << name;
}

TEST(AllowedOperators, AreNamedWhereOneIsNot) {
  EXPECT_THAT(refusal("aten.from_file.default", "filename", std::string("/etc/passwd")),
              HasSubstr("aten.from_file.default of module a.b (net.py:7): LaneLab does not run this operator."));
  EXPECT_THAT(refusal("prims.device_put.default", "device", DeviceArgument{"cuda", 0}),
              HasSubstr("exists in Python only"));
}

TEST(AllowedOperators, TakeTextsOnlyWhereTheyAreExpected) {
  EXPECT_EQ(refusal("aten.einsum.default", "equation", std::string("ij,jk->ik")), "");
  EXPECT_EQ(refusal("aten.div.Tensor_mode", "rounding_mode", std::string("floor")), "");
  EXPECT_THAT(refusal("aten.add.Tensor", "other", std::string("text")), HasSubstr("its argument other is a text"));
  EXPECT_THAT(refusal("aten.add.Tensor", "names", std::vector<std::string>{"text"}), HasSubstr("its argument names"));
}

TEST(AllowedOperators, AreLookedForInNestedGraphs) {
  BuiltProgram inner;
  const ExportedGraph nested = inner.returning(inner.call("aten.set_.source_Tensor", {inner.user}, "a")).graph;
  BuiltProgram built;
  const ValueId made = built.call("higher_order.wrap_with_set_grad_enabled", {built.user}, "a");
  built.last().inputs.push_back({"", std::make_shared<const ExportedGraph>(nested)});
  EXPECT_THAT(refuseOperators(built.returning(made).graph).error().message, HasSubstr("aten.set_.source_Tensor"));
}

}  // namespace
}  // namespace lanelab::test
