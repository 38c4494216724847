// SPDX-License-Identifier: GPL-3.0-only
// The network that a command is about: MODEL [--classes N], and for commands that place modules --config or --tree.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/cli/command.h"
#include "engine/exported/exported_network.h"
#include "engine/model/llama.h"
#include "engine/model/module_tree.h"

namespace lanelab {

struct ModelChoice {
  std::string arch;
  std::optional<int> classes;  ///< default: 1000; 5 for toy, 2 for linear
  std::string input;           ///< default: 3x128x128; 10 for toy, 5 for linear
};

/// The positional MODEL and --classes.
void addModelOptions(const Command& command, ModelChoice& choice);

/// Of a network that is built in. BadInput names the option and the fix.
Result<std::shared_ptr<const ExportedNetwork>> builtChoice(const ModelChoice& choice);

/// Whether MODEL is a file of torch.export.save(), by its extension.
bool isExportedFile(const std::string& model);

/// Also llama, or "" with `tree`.
struct NetworkChoice : ModelChoice {
  std::string config;  ///< of llama: Hugging Face's config.json
  std::string tree;    ///< a module tree file
};

void addNetworkOptions(const Command& command, NetworkChoice& choice);
/// The same without --tree, for commands that compute: MODEL has to be given.
void addKnownNetworkOptions(const Command& command, NetworkChoice& choice);

/// BadInput names the option and the fix.
Result<ModuleTree> treeOf(const NetworkChoice& choice);
Result<LlamaConfig> readLlamaConfig(const std::string& path);

}  // namespace lanelab
