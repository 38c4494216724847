// SPDX-License-Identifier: GPL-3.0-only
// summary: the layer table of a network, computed without running it.
#include <functional>
#include <iostream>
#include <memory>
#include <numeric>

#include "app/cli/cli.h"
#include "app/cli/model_choice.h"
#include "base/json_text.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "base/text_table.h"
#include "engine/exported/archive/exported_archive.h"
#include "engine/exported/exported_model.h"
#include "engine/model/model_spec.h"

namespace lanelab {
namespace {

struct SummaryArguments {
  ModelChoice model;
  bool rules = false;
  bool json = false;
};

/// A network as the command prints it.
struct Summarised {
  DescribedModel described;
  std::vector<AppliedRule> rules;
};

Json rulesJson(const std::vector<AppliedRule>& rules) {
  Json list = Json::array();
  for (const AppliedRule& one : rules)
    list.push_back({{"rule", toWord(one.rule)}, {"block", one.block}, {"modules", one.modules}, {"calls", one.calls}});
  return list;
}

std::string rulesText(const std::vector<AppliedRule>& rules) {
  std::string text;
  for (const RuleText& rule : kRules) {
    std::vector<TextRow> rows;
    for (const AppliedRule& one : rules)
      if (one.rule == rule.rule) rows.push_back({one.block, one.calls, joined(one.modules, ", ")});
    text += toWord(rule.rule) + ": " + counted(static_cast<std::int64_t>(rows.size()), "place") + "\n  looks for  " +
            std::string(rule.looks_for) + "\n  where      " + std::string(rule.condition) + "\n  does       " +
            std::string(rule.does) + "\n";
    if (rows.empty()) continue;
    rows.insert(rows.begin(), {"Block", "Calls", "Modules"});
    text += textTable(rows, 3);
  }
  return text + "Each can be switched off: training.rules_off of an experiment names it.\n";
}

std::string toJson(const Summarised& network, bool with_rules) {
  const DescribedModel& described = network.described;
  const ModelSpec& model = described.model;
  Json layers = Json::array(), blocks = Json::array();
  for (const BlockSpec& block : model.blocks) {
    blocks.push_back(block.name);
    for (const LayerSpec& layer : block.layers) {
      layers.push_back({{"name", layer.name},
                        {"type", layer.type},
                        {"output", layer.output},
                        {"parameters", layer.parameters},
                        {"macs", layer.macs}});
    }
  }
  Json object = {
      {"blocks", std::move(blocks)},
      {"layers", std::move(layers)},
      {"notes", described.notes},
      {"totals",
       {{"parameters", model.parameters()}, {"frozen_parameters", model.frozenParameters()}, {"macs", model.macs()}}}};
  if (with_rules) object["rules"] = rulesJson(network.rules);
  return jsonText(object, 2) + "\n";
}

std::int64_t layerBytes(const LayerSpec& layer) {
  return 4 * (layer.parameters +
              std::accumulate(layer.output.begin(), layer.output.end(), std::int64_t{1}, std::multiplies<>()));
}

std::string toText(const DescribedModel& described) {
  const ModelSpec& model = described.model;
  std::vector<TextRow> rows = {{"Layer", "Type", "Output", "Parameters", "MACs", "Memory"}};
  std::int64_t weights = 0, frozen_weights = 0, buffers = 0, activations = 0;
  for (const BlockSpec& block : model.blocks) {
    weights += block.parameter_bytes;
    frozen_weights += block.frozen_bytes;
    buffers += block.buffer_bytes;
    activations += block.activation_bytes;
    for (const LayerSpec& layer : block.layers) {
      rows.push_back({layer.name, layer.type, formatShape(layer.output), groupedDigits(layer.parameters),
                      groupedDigits(layer.macs), formatBytes(layerBytes(layer))});
    }
  }
  std::string frozen;
  if (model.frozenParameters() > 0)
    frozen = "  frozen      " + groupedDigits(model.frozenParameters()) + " of them (" + formatBytes(frozen_weights) +
             ": no gradients, no optimizer state)\n";
  std::string notes;
  for (const std::string& note : described.notes) notes += onOneTerminalLine(note) + "\n";
  return textTable(rows, 3) + "\n" + model.arch + " with " + std::to_string(model.classes) + " classes on " +
         formatShape(model.input) + ", per sample, fp32:\n" + "  parameters  " + groupedDigits(model.parameters()) +
         " (" + formatBytes(weights) + ", buffers " + formatBytes(buffers) + ")\n" + frozen + "  MACs        " +
         groupedDigits(model.macs()) + " (forward; convolutions, linear layers and attention)\n" + "  activations " +
         formatBytes(activations) + " stored for backward\n" +
         "The memory of a layer is its parameters and its output for one sample.\n" + notes;
}

Result<Summarised> describeFile(const ModelChoice& choice) {
  if (choice.classes || !choice.input.empty())
    return Error::badInput("{}: an exported network has its own classes and shapes. Remove {}.", choice.arch,
                           choice.classes ? "--classes" : "--input");
  const Result<ExportedProgram> program = readExportedProgram(choice.arch);
  if (!program.ok()) return program.error();
  const Result<ExportedBlocks> blocks = blocksOf(*program);
  if (!blocks.ok()) return Error::badInput("{}: {}", choice.arch, blocks.error());
  DescribedModel described = describeExported(*program, *blocks);
  described.model.arch = choice.arch;
  std::vector<AppliedRule> rules = appliedRules(program->graph, *blocks, described.rules);
  return Summarised{std::move(described), std::move(rules)};
}

Result<Summarised> describeModelOrFile(const ModelChoice& choice) {
  if (isExportedFile(choice.arch)) return describeFile(choice);
  const auto network = builtChoice(choice);
  if (!network.ok()) return network.error();
  const DescribedModel& described = (*network)->described;
  return Summarised{described, appliedRules((*network)->program.graph, (*network)->blocks, described.rules)};
}

Status printSummary(const SummaryArguments& options) {
  const Result<Summarised> network = describeModelOrFile(options.model);
  if (!network.ok()) return network.error();
  std::cout << (options.json    ? toJson(*network, options.rules)
                : options.rules ? rulesText(network->rules)
                                : toText(network->described));
  return {};
}

}  // namespace

void addSummary(const Command& app, CliContext& context) {
  const Command command =
      app.subcommand("summary", "Print the layers of a network: output shapes, parameters, MACs, memory");
  command.help(
      {.examples = {"summary resnet50 --input 3x128x128", "summary resnet18 --classes 10 --json",
                    "summary net.pt2 --rules"},
       .notes = "MODEL may be a .pt2 file that torch.export.save() wrote; nothing in it is run. Its blocks are modules "
                "at which few tensors cross."});
  const auto options = std::make_shared<SummaryArguments>();
  addModelOptions(command, options->model);
  command.option("--input SHAPE", options->model.input,
                 "Shape of a sample (default: 3x128x128; 10 for toy, 5 for linear)");
  command.flag("--rules", options->rules, "Where the rules apply by which lanes compute otherwise than call by call");
  command.json(options->json);
  chosen(command, context, [options] { return printSummary(*options); });
}

}  // namespace lanelab
