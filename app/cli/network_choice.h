// SPDX-License-Identifier: GPL-3.0-only
// MODEL, --config or --tree: a network as a tree of modules, for the commands that place modules.
#pragma once

#include <optional>
#include <string>

#include "app/cli/command.h"
#include "engine/model/llama.h"
#include "engine/model/module_tree.h"

namespace lanelab {

struct NetworkChoice {
  std::string arch;            ///< resnet18 ..., toy, llama; "" with `tree`
  std::optional<int> classes;  ///< default: 1000; 5 for toy
  std::string config;          ///< of llama: Hugging Face's config.json
  std::string tree;            ///< a module tree file
};

void addNetworkOptions(const Command& command, NetworkChoice& choice);
/// The same without --tree, for commands that compute: MODEL has to be given.
void addKnownNetworkOptions(const Command& command, NetworkChoice& choice);

/// BadInput names the option and the fix.
Result<ModuleTree> treeOf(const NetworkChoice& choice);
Result<LlamaConfig> readLlamaConfig(const std::string& path);

}  // namespace lanelab
