// infer: runs a network over the inputs of a file in eval mode.
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/model_choice.h"
#include "engine/torch/torch_executor.h"

namespace lanelab {
namespace {

struct Options {
  ModelChoice model;
  std::string weights;
  std::string input;
  std::string out;
};

Status infer(const Options& options) {
  const Result<ModelSpec> model = describeChoice(options.model);
  if (!model.ok()) return model.error();
  return inferFile(*model, options.weights, options.input, options.out);
}

}  // namespace

void addInfer(CLI::App& app, CliContext& context) {
  CLI::App* command = app.add_subcommand("infer", "Compute logits of a file's inputs in eval mode");
  const auto options = std::make_shared<Options>();
  addModelOptions(*command, options->model);
  command->add_option("--weights", options->weights, "Weights: safetensors, or a state dict as zip .pth")->required();
  command->add_option("--input", options->input, "Safetensors file with the tensor inputs, N x sample shape")->required();
  command->add_option("--out", options->out, "Safetensors file to write, with the tensor logits; replaced when it exists")->required();
  chosen(command, context, [options] { return infer(*options); });
}

}  // namespace lanelab
