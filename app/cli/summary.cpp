// SPDX-License-Identifier: GPL-3.0-only
// summary: the layer table of a network, computed without running it.
#include <functional>
#include <iostream>
#include <memory>
#include <numeric>

#include "app/cli/cli.h"
#include "app/cli/model_choice.h"
#include "base/json_text.h"
#include "base/text.h"
#include "base/text_table.h"
#include "engine/model/model_spec.h"

namespace lanelab {
namespace {

struct SummaryArguments {
  ModelChoice model;
  bool json = false;
};

std::string toJson(const ModelSpec& model) {
  Json layers = Json::array();
  for (const BlockSpec& block : model.blocks) {
    for (const LayerSpec& layer : block.layers) {
      layers.push_back({{"name", layer.name},
                        {"type", layer.type},
                        {"output", layer.output},
                        {"parameters", layer.parameters},
                        {"macs", layer.macs}});
    }
  }
  const Json object = {{"layers", std::move(layers)},
                       {"totals", {{"parameters", model.parameters()}, {"macs", model.macs()}}}};
  return jsonText(object, 2) + "\n";
}

std::int64_t layerBytes(const LayerSpec& layer) {
  return 4 * (layer.parameters +
              std::accumulate(layer.output.begin(), layer.output.end(), std::int64_t{1}, std::multiplies<>()));
}

std::string toText(const ModelSpec& model) {
  std::vector<TextRow> rows = {{"Layer", "Type", "Output", "Parameters", "MACs", "Memory"}};
  std::int64_t weights = 0, buffers = 0, activations = 0;
  for (const BlockSpec& block : model.blocks) {
    weights += block.parameter_bytes;
    buffers += block.buffer_bytes;
    activations += block.activation_bytes;
    for (const LayerSpec& layer : block.layers) {
      rows.push_back({layer.name, layer.type, formatShape(layer.output), groupedDigits(layer.parameters),
                      groupedDigits(layer.macs), formatBytes(layerBytes(layer))});
    }
  }
  return textTable(rows, 3) + "\n" + model.arch + " with " + std::to_string(model.classes) + " classes on " +
         formatShape(model.input) + ", per sample, fp32:\n" + "  parameters  " + groupedDigits(model.parameters()) +
         " (" + formatBytes(weights) + ", buffers " + formatBytes(buffers) + ")\n" + "  MACs        " +
         groupedDigits(model.macs()) + " (forward; convolutions and linear layers)\n" + "  activations " +
         formatBytes(activations) + " stored for backward\n" +
         "The memory of a layer is its parameters and its output for one sample.\n";
}

Status printSummary(const SummaryArguments& options) {
  const Result<ModelSpec> model = describeChoice(options.model);
  if (!model.ok()) return model.error();
  std::cout << (options.json ? toJson(*model) : toText(*model));
  return {};
}

}  // namespace

void addSummary(const Command& app, CliContext& context) {
  const Command command =
      app.subcommand("summary", "Print the layers of a network: output shapes, parameters, MACs, memory");
  command.help({.examples = {"summary resnet50 --input 3x128x128", "summary resnet18 --classes 10 --json"}});
  const auto options = std::make_shared<SummaryArguments>();
  addModelOptions(command, options->model);
  command.option("--input", options->model.input, "Shape of a sample (default: 3x128x128; 10 for toy, 5 for linear)")
      .typeName("SHAPE");
  command.json(options->json);
  chosen(command, context, [options] { return printSummary(*options); });
}

}  // namespace lanelab
