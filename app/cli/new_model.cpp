// SPDX-License-Identifier: GPL-3.0-only
// new-model: a .pt2 file of the user's own network, made by Python with PyTorch, and its blocks.
#include <iostream>
#include <memory>

#include "app/cli/cli.h"
#include "base/json_text.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "engine/experiment/training_targets.h"
#include "engine/exported/exported_network.h"
#include "engine/exporter/network_export.h"
#include "engine/torch/train/torch_executor.h"

namespace lanelab {
namespace {

struct NewModelArguments {
  NetworkExport network;
  bool json = false;
};

using Network = std::shared_ptr<const ExportedNetwork>;

/// If each block can be trained.
Result<Network> trainableNetwork(const std::string& file, const Executor& executor) {
  Result<Network> network = openExported(file);
  if (!network.ok()) return network.error();
  if (const Status fit = executor.checkNetwork(*network); !fit.ok()) return fit.error();
  return network;
}

std::vector<std::string> namesOf(const ExportedBlocks& blocks) {
  std::vector<std::string> names;
  for (const ExportedBlock& block : blocks.blocks) names.push_back(block.name);
  return names;
}

/// "11 blocks: conv1, bn1, ..., fc": all of a small network, else the first ones and the last.
std::string blocksText(std::vector<std::string> names) {
  constexpr std::size_t kMost = 24;
  const std::string count = counted(static_cast<std::int64_t>(names.size()), "block");
  if (names.size() > kMost) {
    names.erase(names.begin() + (kMost - 1), names.end() - 1);
    names.insert(names.end() - 1, "...");
  }
  return count + ": " + onOneTerminalLine(joined(names, ", ")) + "\n";
}

std::string toJson(const std::string& file, const ExportedBlocks& blocks, const std::string& note) {
  std::vector<std::string> notes = blocks.notes;
  if (!note.empty()) notes.push_back(note);
  const Json object = {{"file", file}, {"blocks", namesOf(blocks)}, {"notes", notes}};
  return jsonText(object, 2) + "\n";
}

Status makeModel(const NewModelArguments& options, const std::stop_token& stop) {
  const std::unique_ptr<Executor> executor = makeTorchExecutor();  // before anything is printed: see main.cpp
  std::ostream& results = options.json ? std::cerr : std::cout;
  const ChildLines lines{[&results](const std::string& line) { results << line << std::endl; },
                         [](const std::string& line) { std::cerr << line << std::endl; }};
  if (Status done = exportNetwork(options.network, lines, stop); !done.ok()) return done;
  const std::string& file = options.network.out;
  const Result<Network> network = trainableNetwork(file, *executor);
  if (!network.ok()) return notTrainable(file, network.error());
  const ExportedBlocks& blocks = (*network)->blocks;
  const std::string note = lossNote((*network)->described.model);
  std::cout << (options.json ? toJson(file, blocks, note)
                             : blocksText(namesOf(blocks)) + (note.empty() ? "" : note + "\n"));
  return {};
}

}  // namespace

void addNewModel(const Command& app, CliContext& context) {
  const Command command = app.subcommand("new-model", "Export a network of PyTorch as a .pt2 file and list its blocks");
  command.help(
      {.examples = {"new-model torchvision.models:resnet18 --input 3x224x224 --out resnet18.pt2",
                    "new-model transformers:GPT2LMHeadModel --config config.json --input 128:int64:50257 --out "
                    "gpt2.pt2",
                    "new-model net.py:make --set width=64 --input 3x32x32 --out net.pt2"},
       .notes = "Python with PyTorch 2.9 or later builds the network, exports it for any batch size (for the "
                "size of --batch if PyTorch refuses that), and verifies that the file has the same loss and "
                "gradients. Modules that the factory left in eval mode stay so; a network all in eval mode is "
                "switched to train mode, which is printed. The Python is that of --python, else of the variable "
                "LANELAB_PYTHON, else the one that PyTorch was set up in, else python3. A file that LaneLab cannot "
                "train is reported with the reason and exit code 1, and is not removed.",
       .failure = "it failed, or LaneLab cannot train it"});
  const auto options = std::make_shared<NewModelArguments>();
  NetworkExport& network = options->network;
  command
      .option("FACTORY", network.factory,
              "MODULE:FACTORY: an importable module or a .py file, and its function or class that returns a "
              "torch.nn.Module")
      .required();
  command
      .option("--input SHAPE", network.input,
              "A sample: SHAPE[:DTYPE[:ROWS]], such as 3x224x224 (float32), or 128:int64:50257 for 128 tokens below "
              "50257")
      .required();
  command.option("--out FILE", network.out, "File to write, with the file extension .pt2").required();
  command
      .option("--set KEY=VALUE", network.settings,
              "Argument of the factory, JSON or text, such as num_classes=10; repeatable")
      .repeatable()
      .check([](const std::string& word) {
        return word.find('=') == std::string::npos ? "\"" + word + "\" is not KEY=VALUE" : std::string();
      });
  command.option(
      "--config FILE", network.config,
      "config.json for a class of transformers, whose weights are drawn from the seed; --set changes its values");
  command.option("--batch", network.batch, "Batch size of the example with which the network is exported")
      .positive()
      .showDefault();
  command.option("--seed", network.seed, "Seed of the initial weights").showDefault();
  command.option("--python PROGRAM", network.python, "Python that has PyTorch");
  command.json(options->json, "one JSON object: the file, its blocks and notes; all else goes to standard error");
  chosen(command, context, [options, &context] { return makeModel(*options, context.stop); });
}

}  // namespace lanelab
