// SPDX-License-Identifier: GPL-3.0-only
// Exported graphs that tests build call by call, without a file.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/exported/graph/exported_graph.h"

namespace lanelab::test {

class BuiltProgram {
 public:
  ExportedProgram program;

  BuiltProgram() {
    program.batch_symbol = "s0";
    user = input(ExportedInput::Kind::User, "x");
  }

  ValueId user;

  ValueId input(ExportedInput::Kind kind, const std::string& name) {
    const ValueId id = value(name);
    program.graph.inputs.push_back({kind, name, id});
    if (kind != ExportedInput::Kind::User)
      program.tensors[name] = {"data/" + name, ScalarKind::Float32, {2, 3}, {3, 1}, 0};
    return id;
  }
  ValueId parameter(const std::string& name) { return input(ExportedInput::Kind::Parameter, name); }
  ValueId buffer(const std::string& name) { return input(ExportedInput::Kind::Buffer, name); }

  /// A call of module "a.b": its stack is the root, "a" and "a.b", and so on.
  ValueId call(const std::string& target, std::vector<ExportedArgument> arguments, const std::string& module) {
    ExportedNode node;
    const ValueId made = value(target.substr(target.find('.') + 1) + std::to_string(program.graph.nodes.size()));
    node.name = program.graph.value(made).name;
    node.target = target;
    for (ExportedArgument& argument : arguments)
      node.inputs.push_back({std::string(node.inputs.empty() ? "self" : "other"), std::move(argument)});
    node.outputs = {made};
    node.modules = std::make_shared<const ModuleStack>(stackOf(module));
    program.graph.nodes.push_back(std::move(node));
    return made;
  }

  /// Its first size is the batch.
  ValueId batched(ValueId id) {
    program.graph.values[id.index()].sizes.front() = SizeExpression::parse("Symbol('s0')").value();
    return id;
  }

  const ExportedProgram& returning(ValueId id) {
    program.graph.outputs = {id};
    return program;
  }

  ExportedNode& last() { return program.graph.nodes.back(); }
  /// Makes what the last call makes an integer.
  void lastIsSize(SizeExpression size) {
    ExportedValue& made = program.graph.values[last().outputs.front()->index()];
    made.kind = ExportedValue::Kind::Int;
    made.size = std::move(size);
  }

 private:
  ValueId value(const std::string& name) {
    const ValueId id(program.graph.values.size());
    program.graph.values.push_back({name, ExportedValue::Kind::Tensor, ScalarKind::Float32, {2, 3}, {3, 1}, {}});
    return id;
  }

  static ModuleStack stackOf(const std::string& module) {
    ModuleStack stack = {{"", "Net"}};
    for (std::size_t dot = 0; !module.empty() && dot != std::string::npos;) {
      dot = module.find('.', dot + 1);
      const std::string path = module.substr(0, dot);
      const bool number = path.back() >= '0' && path.back() <= '9';
      stack.push_back({path, number ? "Layer" : "Class" + path.substr(path.rfind('.') + 1)});
    }
    return stack;
  }
};

}  // namespace lanelab::test
