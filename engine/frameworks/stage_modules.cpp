// SPDX-License-Identifier: GPL-3.0-only
#include "engine/frameworks/stage_modules.h"

#include <algorithm>
#include <set>

namespace lanelab {
namespace {

/// Of a block that is not a module itself, such as the stem of a ResNet: the outermost part of each of its layers.
std::vector<std::string> looseModules(const BlockSpec& block) {
  std::vector<std::string> names;
  for (const LayerSpec& layer : block.layers) {
    const std::string name = layer.name.substr(0, layer.name.find('.'));
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

/// Paths of all modules, and of those around them.
std::set<std::string> modulePaths(const ExportedProgram& program) {
  std::set<std::string> paths;
  for (const std::string& path : program.modules) {
    for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1))
      paths.insert(path.substr(0, dot));
    paths.insert(path);
  }
  return paths;
}

}  // namespace

Result<std::vector<std::vector<std::string>>> stageModules(const ExportedNetwork& network, const ModelSpec& model,
                                                           const std::vector<Stage>& stages) {
  const std::set<std::string> known = modulePaths(network.program);
  std::vector<std::vector<std::string>> all;
  for (const Stage& stage : stages) {
    std::vector<std::string> own;
    for (BlockId id = stage.first; id < stage.end; ++id.value) {
      const BlockSpec& block = model.blocks[id.index()];
      const std::string path = block.name.substr(0, block.name.find('@'));
      const bool is_module = known.contains(path) || model.imported;
      for (const std::string& name : is_module ? std::vector{path} : looseModules(block))
        if (std::ranges::find(own, name) == own.end()) own.push_back(name);
    }
    for (const std::vector<std::string>& before : all)
      for (const std::string& name : own)
        if (std::ranges::find(before, name) != before.end())
          return Error::badInput(
              "The cut at {} is within the module {}, and the framework cuts between modules. Move the cut.",
              model.blocks[stage.first.index()].name, name);
    all.push_back(std::move(own));
  }
  return all;
}

}  // namespace lanelab
