// SPDX-License-Identifier: GPL-3.0-only
// Every operator of the dispatcher as a call of a graph: what is run touches its own memory only.
#include "engine/torch/graph/boxed_call.h"

#include <ATen/core/jit_type.h>
#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/exported/operators/allowed_operators.h"
#include "tests/support/temporary_folder.h"

namespace lanelab {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::vector<c10::OperatorHandle> operatorsOfPyTorch() {
  std::vector<c10::OperatorHandle> operators;
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    const auto found = c10::Dispatcher::singleton().findSchema(name);
    if (found && name.name.starts_with("aten::")) operators.push_back(*found);
  }
  return operators;
}

/// "aten::add.Tensor" -> "aten.add.Tensor"; without an overload "aten.add.default".
std::string targetOf(const c10::FunctionSchema& schema) {
  const std::string& overload = schema.overload_name();
  return "aten." + schema.name().substr(6) + "." + (overload.empty() ? "default" : overload);
}

/// An argument such as a file may have it, for each type of a schema.
ExportedArgument argumentFor(const c10::Argument& formal, const std::string& file) {
  c10::TypePtr type = formal.type();
  if (const auto optional = type->cast<c10::OptionalType>()) type = optional->getElementType();
  if (const auto list = type->cast<c10::ListType>()) {
    switch (list->getElementType()->kind()) {
      case c10::TypeKind::TensorType: return std::vector<ValueId>{ValueId(0), ValueId(1)};
      case c10::TypeKind::FloatType: return std::vector<double>{0.5, 2};
      case c10::TypeKind::BoolType: return std::vector<bool>{true, false};
      case c10::TypeKind::StringType: return std::vector<std::string>{file};
      default: return std::vector<std::int64_t>{2, 3};
    }
  }
  switch (type->kind()) {
    case c10::TypeKind::TensorType: return ValueId(0);
    case c10::TypeKind::FloatType:
    case c10::TypeKind::NumberType: return 0.5;
    case c10::TypeKind::BoolType: return true;
    case c10::TypeKind::StringType: return file;
    case c10::TypeKind::DeviceObjType: return DeviceArgument{"cpu", std::nullopt};
    case c10::TypeKind::GeneratorType: return NoArgument{};
    default: return std::int64_t{1};
  }
}

ExportedNode callOf(const c10::FunctionSchema& schema, const std::string& file) {
  ExportedNode node;
  node.target = targetOf(schema);
  node.modules = std::make_shared<const ModuleStack>();
  for (const c10::Argument& formal : schema.arguments())
    node.inputs.push_back({formal.name(), argumentFor(formal, file)});
  return node;
}

/// Why the call is not run; "" where it is built.
std::string refusal(const ExportedNode& node) {
  ExportedGraph graph;
  graph.nodes.push_back(node);
  if (const Status allowed = refuseOperators(graph); !allowed.ok()) return allowed.error().message;
  try {
    const BoxedCall call(node, {});
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

bool isWritten(const c10::Argument& formal) { return formal.alias_info() && formal.alias_info()->isWrite(); }

TEST(BoxedCall, IsBuiltOnlyForOperatorsThatWriteToTheirFirstArgumentInPlace) {
  std::size_t built = 0;
  for (const c10::OperatorHandle& each : operatorsOfPyTorch()) {
    const c10::FunctionSchema& schema = each.schema();
    if (!refusal(callOf(schema, "x")).empty()) continue;
    ++built;
    for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
      const c10::Argument& formal = schema.arguments()[i];
      const bool statistics = formal.name().starts_with("running_") || formal.name() == "noise";
      EXPECT_TRUE(!isWritten(formal) || statistics || (i == 0 && schema.name().ends_with('_'))) << schema;
      EXPECT_NE(formal.name(), "filename") << schema;
      EXPECT_NE(formal.type()->kind(), c10::TypeKind::StorageType) << schema;
      EXPECT_NE(formal.type()->kind(), c10::TypeKind::StreamObjType) << schema;
    }
  }
  EXPECT_GT(built, 800U);
}

TEST(BoxedCall, OfAnyOperatorLeavesFilesAlone) {
  const test::TemporaryFolder folder;
  const std::string content(4096, 'A');
  const std::string victim = folder.write("victim", content);
  for (const c10::OperatorHandle& each : operatorsOfPyTorch()) {
    const ExportedNode node = callOf(each.schema(), victim);
    if (!refusal(node).empty()) continue;
    GraphFrame frame(2);
    for (c10::IValue& value : frame.values) value = at::ones({2, 3});
    try {
      BoxedCall(node, {}).run(frame);
    } catch (const std::exception&) {  // most calls do not fit their arguments
    }
  }
  EXPECT_EQ(test::contentOf(victim), content);
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) files.push_back(entry.path().filename());
  EXPECT_THAT(files, testing::ElementsAre("victim"));
}

TEST(BoxedCall, OfAFileIsRefused) {
  ExportedNode node;
  node.target = "aten.from_file.default";
  node.modules = std::make_shared<const ModuleStack>();
  EXPECT_THAT(refusal(node), HasSubstr("LaneLab does not run this operator"));
}

TEST(BoxedCall, OfAnOutVariantIsRefused) {
  for (const char* target : {"aten.add.out", "aten.sort.values", "aten.max.dim_max"}) {
    ExportedNode node;
    node.target = target;
    node.modules = std::make_shared<const ModuleStack>();
    EXPECT_THAT(refusal(node), HasSubstr("it writes to its argument")) << target;
  }
}

}  // namespace
}  // namespace lanelab
