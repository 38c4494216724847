// SPDX-License-Identifier: GPL-3.0-only
// infer: runs a network over the inputs of a file in eval mode, on the devices of a device map.
#include <iostream>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/map_choice.h"
#include "app/cli/model_choice.h"
#include "app/cli/progress_lines.h"
#include "base/json_text.h"
#include "base/text.h"
#include "engine/exported/exported_network.h"
#include "engine/placement/map_lookup.h"
#include "engine/torch/inference/inference.h"

namespace lanelab {
namespace {

struct InferArguments {
  NetworkChoice network;
  InferenceFiles files;
  MapChoice map;
  std::int64_t generate = 0;
  bool int8 = false;
  bool json = false;
};

bool isLlama(const InferArguments& options) { return options.network.arch == "llama"; }

/// Everything in memory, unless the user limits memory or names places.
Result<ChosenMap> mapFor(const ModuleTree& tree, const InferArguments& options) {
  const bool limited = !options.map.policy.empty() || !options.map.max_memory.empty() || !options.map.no_split.empty();
  if (limited) return mapByPolicyOrFile(tree, options.map);
  ChosenMap chosen;
  chosen.map.places[""] = {MapDevice::Kind::Cpu, 0};
  return chosen;
}

Result<InferenceReport> inferOther(const InferArguments& options, const DeviceMap& map) {
  if (options.generate > 0) return Error::badInput("--generate is for llama only. Remove it.");
  const std::string& arch = options.network.arch;
  const auto network = isExportedFile(arch) ? openExported(arch) : builtChoice({arch, options.network.classes, ""});
  if (!network.ok()) return network.error();
  return inferNetwork(*network, options.files, map, options.int8);
}

Result<InferenceReport> inferLlamaBy(const InferArguments& options, const DeviceMap& map, const std::stop_token& stop) {
  const Result<LlamaConfig> config = readLlamaConfig(options.network.config);
  if (!config.ok()) return config.error();
  if (options.generate < 0) return Error::badInput("--generate is {}. Choose 0 or more tokens.", options.generate);
  ProgressLines lines(ProgressLines::Length::MostlyShort);
  return inferLlama({*config, options.files.weights, {}, map, options.generate, options.int8}, options.files.input,
                    options.files.out, {lines.report(), stop});
}

/// A missing GPU is no error: maps are made for other machines, too.
void noteMissingGpus(const std::vector<int>& missing) {
  if (missing.empty()) return;
  std::vector<std::string> names;
  for (const int gpu : missing) names.push_back(std::to_string(gpu));
  std::cerr << "Note: no GPU " << joined(names, ", ")
            << " on this machine; its modules ran on the other devices. The map is unchanged.\n";
}

std::string reportJson(const InferenceReport& report, const ChosenMap& chosen) {
  Json json = Json::parse(deviceMapJson(chosen.map, chosen.limits));
  json["resident_bytes"] = report.resident_bytes;
  json["offloaded_bytes"] = report.offloaded_bytes;
  json["seconds"] = report.seconds;
  json["waited_seconds"] = report.waited_seconds;
  if (report.generated > 0) json["generated"] = report.generated;
  if (report.int8)
    json["int8"] = {{"max_error", report.int8->largest},
                    {"mean_error", report.int8->mean},
                    {"saved_bytes", report.int8->saved_bytes}};
  return jsonText(json);
}

void printReport(const InferenceReport& report, const InferArguments& options) {
  std::cerr << "Wrote " << options.files.out << " after " << formatSeconds(report.seconds) << "; "
            << formatBytes(report.resident_bytes) << " of weights were in memory";
  if (report.offloaded_bytes > 0)
    std::cerr << ", " << formatBytes(report.offloaded_bytes) << " were read from disk in each pass ("
              << formatSeconds(report.waited_seconds) << " waiting)";
  std::cerr << ".\n";
  if (report.int8)
    std::cerr << "8-bit weights change the logits of this input by " << formatNumber(report.int8->mean)
              << " on average and " << formatNumber(report.int8->largest) << " at most, and save "
              << formatBytes(report.int8->saved_bytes) << " of memory.\n";
}

Status infer(const InferArguments& options, const std::stop_token& stop) {
  if (options.files.weights.empty() && !isExportedFile(options.network.arch))
    return Error::badInput("--weights is missing: {} has no weights of its own. Add --weights FILE.",
                           options.network.arch);
  const Result<ModuleTree> tree = treeOf(options.network);
  if (!tree.ok()) return tree.error();
  const Result<ChosenMap> chosen = mapFor(*tree, options);
  if (!chosen.ok()) return chosen.error();
  const Result<InferenceReport> report =
      isLlama(options) ? inferLlamaBy(options, chosen->map, stop) : inferOther(options, chosen->map);
  if (!report.ok()) return report.error();
  noteMissingGpus(report->missing_gpus);
  printReport(*report, options);
  if (options.json) std::cout << reportJson(*report, *chosen) << '\n';
  return {};
}

}  // namespace

void addInfer(const Command& app, CliContext& context) {
  const Command command =
      app.subcommand("infer", "Compute logits in eval mode, with weights in memory, on GPUs or on disk");
  command.help(
      {.examples = {"infer resnet18 --weights w.safetensors --input images.safetensors --out logits.safetensors",
                    "infer llama --config config.json --weights model.safetensors --input prompt.safetensors --out "
                    "answer.safetensors --generate 8",
                    "infer net.pt2 --input images.safetensors --out logits.safetensors --max-memory cpu=100MiB"},
       .failure = "the computation failed"});
  const auto options = std::make_shared<InferArguments>();
  addKnownNetworkOptions(command, options->network);
  command.option(
      "--weights FILE", options->files.weights,
      "Safetensors file, or a state dict as a zip .pth file; for llama also a folder of shards or their index "
      "(default: the weights of a .pt2 file; required for other networks)");
  command
      .option("--input FILE", options->files.input,
              "Safetensors file with the tensor inputs, N x sample shape, of the type that the network has as its "
              "input; for "
              "llama input_ids, int64 [rows, tokens]")
      .required();
  command
      .option("--out FILE", options->files.out,
              "Safetensors file to write, with the tensor logits (float32; of a .pt2 file as it returns them); an "
              "existing file "
              "is replaced")
      .required();
  command.option(
      "--device-map POLICY|FILE", options->map.policy,
      "auto, balanced, balanced_low_0 or sequential, as in device-map, or a JSON file with a map; weights on "
      "disk are read when they are used (default: all in memory; auto with --max-memory)");
  addMapOptions(command, options->map);
  command.option("--generate", options->generate,
                 "llama only: number of tokens to add to each row, always the likeliest; written as the tensor tokens, "
                 "int64");
  command.flag("--int8", options->int8,
               "Store weights of convolutions and linear layers in memory with 8 bits; prints the error and the memory "
               "that this saves");
  command.json(options->json, "one JSON object, with the device map that was used");
  chosen(command, context, [options, &context] { return infer(*options, context.stop); });
}

}  // namespace lanelab
