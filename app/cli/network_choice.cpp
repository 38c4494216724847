#include "app/cli/network_choice.h"

#include "engine/base/text.h"
#include "engine/model/model_spec.h"
#include "engine/model/model_tree.h"
#include "engine/run/run_store.h"

namespace lanelab {
namespace {

constexpr std::uint64_t most_bytes = 256 << 20;  // of a tree with a million modules

CLI::Option* addModel(CLI::App& command, NetworkChoice& choice) {
  CLI::Option* const arch = command.add_option("MODEL", choice.arch, joined(knownArchitectures(), ", ") + " or llama");
  command.add_option("--classes", choice.classes, "Outputs of the last layer of what is no llama (default: 1000; 5 for toy, 2 for linear)");
  command.add_option("--config", choice.config, "Of llama: its config.json, as Hugging Face writes it")->type_name("FILE");
  return arch;
}

}  // namespace

void addNetworkOptions(CLI::App& command, NetworkChoice& choice) {
  CLI::Option* const arch = addModel(command, choice);
  command.add_option("--tree", choice.tree, "A module tree file in place of MODEL")->type_name("FILE")->excludes(arch);
}

void addKnownNetworkOptions(CLI::App& command, NetworkChoice& choice) { addModel(command, choice)->required(); }

Result<LlamaConfig> readLlamaConfig(const std::string& path) {
  const Result<std::string> text = readWholeFile(path, most_bytes);
  if (!text.ok()) return text.error();
  return parseLlamaConfig(*text, path);
}

Result<ModuleTree> treeOf(const NetworkChoice& choice) {
  if (!choice.tree.empty()) {
    const Result<std::string> text = readWholeFile(choice.tree, most_bytes);
    if (!text.ok()) return text.error();
    return parseModuleTree(*text, choice.tree);
  }
  if (choice.arch.empty()) return Error::badInput("No network is named: give MODEL, such as resnet50, or --tree FILE.");
  if (choice.arch != "llama") {
    if (!choice.config.empty()) return Error::badInput("--config is for llama: leave it out, or name llama as MODEL.");
    return treeOfModel(choice.arch, choice.classes.value_or(choice.arch == "toy" ? 5 : choice.arch == "linear" ? 2 : 1000));
  }
  if (choice.config.empty()) return Error::badInput("llama needs --config FILE, its config.json.");
  const Result<LlamaConfig> config = readLlamaConfig(choice.config);
  if (!config.ok()) return config.error();
  return llamaTree(*config);
}

}  // namespace lanelab
