// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/exported_tree.h"

#include <gtest/gtest.h>

#include "engine/exported/archive/exported_archive.h"
#include "tests/unit/exported/built_program.h"
#include "tests/unit/exported/sample_networks.h"

namespace lanelab::test {
namespace {

std::vector<std::string> namesOf(const std::vector<ModuleTree>& modules) {
  std::vector<std::string> names;
  for (const ModuleTree& module : modules) names.push_back(module.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(ExportedTree, HasModulesInTheOrderOfRegistrationThatAreNeverCalledToo) {
  BuiltProgram built;
  built.parameter("layers.1.weight");
  built.parameter("layers.0.weight");
  built.parameter("head.bias");
  built.call("aten.relu.default", {built.user}, "layers.0");
  built.program.modules = {"", "layers", "layers.0", "layers.1", "unused", "head"};
  const ModuleTree tree = treeOfExported(built.program, "net.pt2").value();
  EXPECT_EQ(namesOf(tree.children), (Names{"layers", "unused", "head"}));
  EXPECT_EQ(namesOf(tree.children[0].children), (Names{"0", "1"}));
  ASSERT_EQ(tree.children[0].children[0].parameters.size(), 1);
  EXPECT_EQ(tree.children[0].children[0].parameters[0].name, "weight");
  EXPECT_EQ(tree.children[0].children[0].parameters[0].shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(tree.children[1].class_name, "");
}

TEST(ExportedTree, MakesModulesOfTheNamesOfWeightsInAFileWithoutAList) {
  BuiltProgram built;
  built.buffer("b.deep.mean");
  built.parameter("a.weight");
  const ModuleTree tree = treeOfExported(built.program, "net.pt2").value();
  EXPECT_EQ(namesOf(tree.children), (Names{"b", "a"}));
  EXPECT_EQ(tree.children[0].children[0].buffers[0].name, "mean");
  EXPECT_TRUE(tree.children[0].children[0].parameters.empty());
}

TEST(ExportedTree, TiesParametersThatAreOneTensor) {
  BuiltProgram built;
  built.parameter("a.weight");
  built.parameter("b.weight");
  built.parameter("c.weight");
  built.program.tensors["b.weight"] = built.program.tensors["a.weight"];
  const ModuleTree tree = treeOfExported(built.program, "net.pt2").value();
  const std::string tie = tree.children[0].parameters[0].tie;
  EXPECT_NE(tie, "");
  EXPECT_EQ(tree.children[1].parameters[0].tie, tie);
  EXPECT_EQ(tree.children[2].parameters[0].tie, "");
}

TEST(ExportedTree, CountsTypesThatItLacksByTheirBytes) {
  const std::map<ScalarKind, std::int64_t> bytes = {
      {ScalarKind::Bool, 6},        {ScalarKind::UInt16, 12},  {ScalarKind::Complex32, 24}, {ScalarKind::Complex64, 48},
      {ScalarKind::Complex128, 96}, {ScalarKind::Float16, 12}, {ScalarKind::Float8E5M2, 6}};
  for (const auto& [kind, expected] : bytes) {
    BuiltProgram built;
    built.buffer("mask");
    built.program.tensors["mask"].type = kind;
    EXPECT_EQ(treeOfExported(built.program, "net.pt2").value().buffers[0].bytes(), expected) << toWord(kind);
  }
}

TEST(ExportedTree, RefusesModulesThatAreNestedWithoutEnd) {
  BuiltProgram built;
  std::string path = "a";
  for (int i = 0; i < 100'000; ++i) path += ".a";
  built.program.modules = {path};
  const Result<ModuleTree> tree = treeOfExported(built.program, "net.pt2");
  ASSERT_FALSE(tree.ok());
  EXPECT_NE(tree.error().message.find("net.pt2: its module a.a"), std::string::npos) << tree.error().message;
}

}  // namespace
}  // namespace lanelab::test
