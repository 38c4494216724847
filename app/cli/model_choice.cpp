// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/model_choice.h"

#include "base/text.h"
#include "base/whole_file.h"
#include "engine/exported/exported_tree.h"
#include "engine/model/architectures.h"
#include "engine/networks/built_network.h"
#include "engine/networks/llama_program.h"

namespace lanelab {
namespace {

constexpr std::uint64_t kMostTreeBytes = 256 << 20;  // of a tree with a million modules

int classesOf(const std::string& arch, std::optional<int> given) { return given.value_or(usualClasses(arch)); }

Option addModel(const Command& command, NetworkChoice& choice) {
  const Option arch = command.option(
      "MODEL", choice.arch,
      "Network: " + joined(knownArchitectures(), ", ") + ", llama, or a .pt2 file of torch.export.save()");
  command.option("--classes", choice.classes,
                 "Number of classes, not for llama and files (default: 1000; 5 for toy, 2 for linear)");
  command.option("--config FILE", choice.config, "llama only: its config.json, as Hugging Face writes it");
  return arch;
}

Result<ModuleTree> treeOfFile(const NetworkChoice& choice) {
  if (choice.classes || !choice.config.empty())
    return Error::badInput("{}: an exported network has its own classes and configuration. Remove {}.", choice.arch,
                           choice.classes ? "--classes" : "--config");
  const auto network = openExported(choice.arch);
  if (!network.ok()) return network.error();
  return treeOfExported((*network)->program, choice.arch);
}

}  // namespace

void addModelOptions(const Command& command, ModelChoice& choice) {
  command
      .option("MODEL", choice.arch,
              "Network: " + joined(knownArchitectures(), ", ") + ", or a .pt2 file of torch.export.save()")
      .required();
  command.option("--classes", choice.classes, "Number of classes (default: 1000; 5 for toy, 2 for linear)");
}

Result<std::shared_ptr<const ExportedNetwork>> builtChoice(const ModelChoice& choice) {
  const Shape shape = choice.input.empty() ? usualInput(choice.arch) : parseShape(choice.input);
  if (shape.empty())
    return Error::badInput("--input: \"{}\" is not a shape. Write sizes joined by x, such as 3x128x128.", choice.input);
  return builtNetwork(choice.arch, classesOf(choice.arch, choice.classes), shape);
}

void addNetworkOptions(const Command& command, NetworkChoice& choice) {
  const Option arch = addModel(command, choice);
  command.option("--tree FILE", choice.tree, "JSON file with a tree of modules instead of MODEL").excludes(arch);
}

void addKnownNetworkOptions(const Command& command, NetworkChoice& choice) { addModel(command, choice).required(); }

Result<LlamaConfig> readLlamaConfig(const std::string& path) {
  const Result<std::string> text = readWholeFile(path, kMostTreeBytes);
  if (!text.ok()) return text.error();
  return parseLlamaConfig(*text, path);
}

bool isExportedFile(const std::string& model) { return model.ends_with(".pt2"); }

Result<ModuleTree> treeOf(const NetworkChoice& choice) {
  if (!choice.tree.empty()) {
    const Result<std::string> text = readWholeFile(choice.tree, kMostTreeBytes);
    if (!text.ok()) return text.error();
    return parseModuleTree(*text, choice.tree);
  }
  if (choice.arch.empty()) return Error::badInput("No network is given. Name MODEL, such as resnet50, or --tree FILE.");
  if (isExportedFile(choice.arch)) return treeOfFile(choice);
  if (choice.arch != "llama") {
    if (!choice.config.empty())
      return Error::badInput("--config is for llama only. Remove it, or name llama as MODEL.");
    return treeOfModel(choice.arch, classesOf(choice.arch, choice.classes));
  }
  if (choice.config.empty())
    return Error::badInput("--config is missing: llama needs its config.json. Add --config FILE.");
  const Result<LlamaConfig> config = readLlamaConfig(choice.config);
  if (!config.ok()) return config.error();
  return llamaTree(*config);
}

}  // namespace lanelab
