// SPDX-License-Identifier: GPL-3.0-only
// weights: writes the initial values of a network as safetensors.
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>

#include "app/cli/cli.h"
#include "app/cli/model_choice.h"
#include "base/parse_number.h"
#include "engine/exported/exported_network.h"
#include "engine/files/shipped_files.h"
#include "engine/torch/train/torch_executor.h"

namespace lanelab {
namespace {

struct WeightsArguments {
  ModelChoice model;
  std::optional<std::uint64_t> seed;
  std::string out;
};

// CLI11 by itself lets a minus sign wrap round and cuts what is too large.
std::string wholeNumber(const std::string& text) {
  return parseNumber<std::uint64_t>(text) ? ""
                                          : "\"" + text + "\" is not a whole number from 0 to 18446744073709551615";
}

Status writeWeightsOfFile(const WeightsArguments& options) {
  const std::string& file = options.model.arch;
  if (options.model.classes || (options.seed && !isShipped(file)))
    return Error::badInput("{}: its weights are those that it was saved with. Remove {}.", file,
                           options.model.classes ? "--classes" : "--seed");
  const auto network = openExported(file);
  if (!network.ok()) return network.error();
  if (Status written = writeInitialWeights(**network, options.seed.value_or(0), options.out); !written.ok())
    return written;
  std::cerr << "Wrote the weights of " << file << " to " << options.out << ".\n";
  return {};
}

Status writeWeights(const WeightsArguments& options) {
  if (isExportedFile(options.model.arch)) return writeWeightsOfFile(options);
  if (!options.seed)
    return Error::badInput("--seed is missing: the weights of {} are drawn from it. Add --seed 0.", options.model.arch);
  const auto network = builtChoice(options.model);
  if (!network.ok()) return network.error();
  if (Status written = writeInitialWeights(**network, *options.seed, options.out); !written.ok()) return written;
  const ModelSpec& model = (*network)->described.model;
  std::cerr << "Wrote " << model.parameters() << " parameters of " << model.arch << " from seed " << *options.seed
            << " to " << options.out << ".\n";
  return {};
}

}  // namespace

void addWeights(const Command& app, CliContext& context) {
  const Command command =
      app.subcommand("weights", "Write the initial weights of a network, or those of a .pt2 file, as safetensors");
  command.help(
      {.examples = {"weights resnet18 --seed 0 --out w.safetensors",
                    "weights toy --classes 3 --seed 7 --out toy.safetensors", "weights net.pt2 --out net.safetensors"},
       .notes = "The weights are bit-equal to those of torchvision after torch.manual_seed(SEED). Those of a "
                ".pt2 file have the names of state_dict(), tied parameters each of theirs."});
  const auto options = std::make_shared<WeightsArguments>();
  addModelOptions(command, options->model);
  command.option("--seed", options->seed, "Seed of the random numbers, 0 or above; required except for .pt2 files")
      .check(wholeNumber);
  command.option("--out FILE", options->out, "Safetensors file to write; an existing file is replaced").required();
  chosen(command, context, [options] { return writeWeights(*options); });
}

}  // namespace lanelab
