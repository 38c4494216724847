// SPDX-License-Identifier: GPL-3.0-only
// A network that a device map can be made for: from a file, or by name.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "engine/model/llama.h"
#include "engine/model/module_tree.h"

namespace lanelab {

struct ExportedNetwork;

struct MapNetwork {
  QString title;
  std::shared_ptr<const ModuleTree> tree;
  std::vector<std::string> kept_whole;  ///< classes of it that its users keep on one device, such as LlamaDecoderLayer
  std::optional<LlamaConfig> llama;     ///< where it is one, which can be asked
  QString weights;                      ///< beside its file, under Hugging Face's names; empty if there are none
};

/// A configuration that is offered for a map.
struct NetworkOffer {
  QString title;
  QString path;         ///< a file, or one of Qt's resources
  QString prompt = {};  ///< tokens to ask it with, where its weights lie beside it
};

/// An exported network (.pt2), a Llama's config.json, or a module tree file (known by its key "class"). Errors begin
/// with the path. Also reads Qt's resources.
Result<MapNetwork> readMapNetwork(const QString& path, const QString& title);
/// Of an exported network that is open.
Result<MapNetwork> mapNetworkOf(const ExportedNetwork& network, const QString& title);
/// resnet18 to resnet152, toy or linear.
Result<MapNetwork> mapNetworkOf(const std::string& arch, int classes, const QString& title);

/// Of all modules, each once, sorted.
std::vector<std::string> classesOf(const ModuleTree& tree);

}  // namespace lanelab
