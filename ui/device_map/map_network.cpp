// SPDX-License-Identifier: GPL-3.0-only
#include "ui/device_map/map_network.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <cstdint>
#include <set>

#include "base/json_text.h"
#include "base/whole_file.h"
#include "engine/exported/exported_network.h"
#include "engine/exported/exported_tree.h"
#include "engine/networks/built_network.h"
#include "engine/networks/llama_program.h"

namespace lanelab {
namespace {

constexpr std::uint64_t kMostTreeBytes = 64 << 20;  // of a tree with some hundred thousand modules

void addClasses(const ModuleTree& module, std::set<std::string>& classes) {
  if (!module.class_name.empty()) classes.insert(module.class_name);
  for (const ModuleTree& child : module.children) addClasses(child, classes);
}

Result<MapNetwork> networkOf(Result<ModuleTree> tree, const QString& title) {
  if (!tree.ok()) return tree.error();
  MapNetwork network{title, nullptr, {}, std::nullopt, {}};
  const std::vector<std::string> classes = classesOf(*tree);
  for (const char* name :
       {"LlamaDecoderLayer", "Bottleneck", "BasicBlock"})  // as transformers names them, and residual connections
    if (std::binary_search(classes.begin(), classes.end(), name)) network.kept_whole.emplace_back(name);
  network.tree = std::make_shared<const ModuleTree>(std::move(*tree));
  return network;
}

QString weightsBeside(const QString& path) {
  const QDir folder = QFileInfo(path).dir();
  for (const char* name : {"model.safetensors", "model.safetensors.index.json"})
    if (folder.exists(QLatin1String(name))) return folder.filePath(QLatin1String(name));
  return {};
}

Result<MapNetwork> networkIn(const std::string& text, const QString& path, const QString& title) {
  const std::string place = path.toStdString();
  const Result<Json> json = parseJsonText(text, place);
  if (!json.ok()) return json.error();
  if (json->is_object() && json->contains("class")) return networkOf(parseModuleTree(text, place), title);
  const bool llama = json->is_object() &&
                     (json->contains("model_type") || json->contains("architectures") || json->contains("hidden_size"));
  if (!llama)
    return Error::badInput(
        "{} is neither a Llama's config.json, which has \"model_type\", nor a module tree, which has \"class\". Choose "
        "another file.",
        place);
  const Result<LlamaConfig> config = parseLlamaConfig(text, place);
  if (!config.ok()) return config.error();
  Result<MapNetwork> network = networkOf(llamaTree(*config), title);
  network->llama = *config;
  network->weights = weightsBeside(path);
  return network;
}

Result<MapNetwork> networkInArchive(const std::string& path, const QString& title) {
  const auto exported = openExported(path);
  if (!exported.ok()) return exported.error();
  return mapNetworkOf(**exported, title);
}

/// Of a file within the program.
Result<std::string> resourceText(const QString& path) {
  QFile file(path);
  if (file.open(QIODevice::ReadOnly)) return file.readAll().toStdString();
  return Error::failed("{} is not in this program. Install it again.", path.toStdString());
}

}  // namespace

std::vector<std::string> classesOf(const ModuleTree& tree) {
  std::set<std::string> classes;
  addClasses(tree, classes);
  return {classes.begin(), classes.end()};
}

Result<MapNetwork> readMapNetwork(const QString& path, const QString& title) {
  const std::string place = path.toStdString();
  if (path.endsWith(QLatin1String(".pt2"))) return networkInArchive(place, title);
  const Result<std::string> text =
      path.startsWith(QLatin1Char(':')) ? resourceText(path) : readWholeFile(place, kMostTreeBytes);
  if (!text.ok()) return text.error();
  return networkIn(*text, path, title);
}

Result<MapNetwork> mapNetworkOf(const ExportedNetwork& network, const QString& title) {
  return networkOf(treeOfExported(network.program, network.path), title);
}

Result<MapNetwork> mapNetworkOf(const std::string& arch, int classes, const QString& title) {
  return networkOf(treeOfModel(arch, classes), title);
}

}  // namespace lanelab
