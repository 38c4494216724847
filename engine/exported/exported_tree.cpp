// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/exported_tree.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/exported/weight_ties.h"
#include "engine/files/clipped_name.h"

namespace lanelab {
namespace {

constexpr std::ptrdiff_t kDeepestModule = 64;

std::string_view parentOf(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

std::string lastPart(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return std::string(dot == std::string_view::npos ? path : path.substr(dot + 1));
}

ElementType countedType(ScalarKind kind, std::vector<std::int64_t>& shape) {
  if (const auto type = elementType(kind)) return *type;
  switch (bytesOf(kind)) {
    case 1: return ElementType::UInt8;
    case 2: return ElementType::Int16;
    case 4: return ElementType::Int32;
    case 8: return ElementType::Int64;
    default: shape.push_back(bytesOf(kind) / 8); return ElementType::Int64;
  }
}

class TreeBuilder {
 public:
  TreeBuilder(const ExportedProgram& program, const std::string& uncalled) : m_program(program), m_uncalled(uncalled) {
    for (const std::string& path : program.modules) add(path);
    for (const ExportedInput& input : program.graph.inputs)
      if (isHeld(input)) add(parentOf(input.name));
    for (const ExportedNode& node : program.graph.nodes)
      for (const ModuleCall& call : *node.modules) m_classes.try_emplace(call.path, call.class_name);
    addTensors();
  }

  /// "" if all are within the limit.
  const std::string& tooDeep() const { return m_too_deep; }

  ModuleTree module(const std::string& path) const {
    ModuleTree module;
    module.name = lastPart(path);
    const auto name = m_classes.find(path);
    module.class_name = name == m_classes.end() ? m_uncalled : name->second;
    if (const auto held = m_parameters.find(path); held != m_parameters.end()) module.parameters = held->second;
    if (const auto held = m_buffers.find(path); held != m_buffers.end()) module.buffers = held->second;
    if (const auto children = m_children.find(path); children != m_children.end())
      for (const std::string& child : children->second) module.children.push_back(this->module(child));
    return module;
  }

 private:
  static bool isHeld(const ExportedInput& input) {
    return input.kind == ExportedInput::Kind::Parameter || input.kind == ExportedInput::Kind::Buffer;
  }

  void add(std::string_view path) {
    if (path.empty() || m_known.contains(path)) return;
    if (std::ranges::count(path, '.') >= kDeepestModule) {
      m_too_deep = path;
      return;
    }
    add(parentOf(path));
    m_known.emplace(path);
    m_children[std::string(parentOf(path))].emplace_back(path);
  }

  void addTensors() {
    const std::map<ValueId, int> ties = weightTiesOf(m_program);
    std::map<int, int> names;
    for (const ExportedInput& input : m_program.graph.inputs)
      if (input.kind == ExportedInput::Kind::Parameter) ++names[ties.at(input.value)];
    for (const ExportedInput& input : m_program.graph.inputs) {
      if (!isHeld(input)) continue;
      const ExportedTensor& stored = m_program.tensors.at(input.name);
      TreeTensor tensor{lastPart(input.name), stored.sizes, ElementType::Float32, {}};
      tensor.type = countedType(stored.type, tensor.shape);
      const bool parameter = input.kind == ExportedInput::Kind::Parameter;
      if (parameter && names[ties.at(input.value)] > 1) tensor.tie = std::to_string(ties.at(input.value));
      (parameter ? m_parameters : m_buffers)[std::string(parentOf(input.name))].push_back(std::move(tensor));
    }
  }

  const ExportedProgram& m_program;
  const std::string& m_uncalled;
  std::set<std::string, std::less<>> m_known;
  std::map<std::string, std::vector<std::string>> m_children;  ///< paths, in order
  std::map<std::string, std::string> m_classes;
  std::map<std::string, std::vector<TreeTensor>> m_parameters, m_buffers;  ///< by module
  std::string m_too_deep;
};

}  // namespace

Result<ModuleTree> treeOfExported(const ExportedProgram& program, const std::string& place,
                                  const std::string& uncalled) {
  const TreeBuilder builder(program, uncalled);
  if (builder.tooDeep().empty()) return builder.module("");
  return Error::badInput("{}: its module {} is nested deeper than {} levels. Export a flatter network.", place,
                         clippedName(builder.tooDeep()), kDeepestModule);
}

}  // namespace lanelab
