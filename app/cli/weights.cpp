// weights: writes the initial values of a network as safetensors.
#include <cstdint>
#include <iostream>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/model_choice.h"
#include "engine/torch/torch_executor.h"

namespace lanelab {
namespace {

struct Options {
  ModelChoice model;
  std::uint64_t seed = 0;
  std::string out;
};

Status writeWeights(const Options& options) {
  const Result<ModelSpec> model = describeChoice(options.model);
  if (!model.ok()) return model.error();
  if (const Status written = writeInitialWeights(*model, options.seed, options.out); !written.ok()) return written;
  std::cerr << "Wrote " << model->parameters() << " parameters of " << model->arch << " from seed " << options.seed << " to " << options.out << ".\n";
  return {};
}

}  // namespace

void addWeights(CLI::App& app, CliContext& context) {
  CLI::App* command = app.add_subcommand("weights", "Write initial weights as safetensors, bit-equal to torchvision's after torch.manual_seed(SEED)");
  const auto options = std::make_shared<Options>();
  addModelOptions(*command, options->model);
  command->add_option("--seed", options->seed, "Seed of the random numbers, 0 or above")->required()->check(CLI::NonNegativeNumber);
  command->add_option("--out", options->out, "File to write, .safetensors; replaced when it exists")->required();
  chosen(command, context, [options] { return writeWeights(*options); });
}

}  // namespace lanelab
