// device-map: which device holds which module of a network, as Hugging Face accelerate maps it.
#include <iostream>
#include <map>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/network_choice.h"
#include "app/cli/text_table.h"
#include "engine/base/text.h"
#include "engine/plan/device_map_json.h"
#include "engine/plan/tree_sizes.h"
#include "engine/torch/torch_executor.h"

namespace lanelab {
namespace {

struct Options {
  NetworkChoice network;
  std::string policy = "auto";
  std::vector<std::string> max_memory;
  std::vector<std::string> no_split;
  bool json = false;
};

/// What is free on this machine, for those who name no limits.
MemoryLimits limitsOfMachine() {
  MemoryLimits limits;
  for (const DeviceInfo& device : makeTorchExecutor()->devices()) {
    if (device.device.starts_with("cpu:")) limits.cpu = device.memory_bytes;
    if (device.device.starts_with("cuda:") && device.device.find('/') == std::string::npos)
      limits.gpus[std::stoi(device.device.substr(5))] = device.memory_bytes;
  }
  return limits;
}

Result<MemoryLimits> limitsOf(const Options& options) {
  if (options.max_memory.empty()) return limitsOfMachine();
  MemoryLimits limits;
  for (const std::string& text : options.max_memory)
    if (const Status added = addMemoryLimit(limits, text); !added.ok()) return added.error();
  return limits;
}

std::string nameOf(MapDevice device) { return device.kind == MapDevice::Kind::Gpu ? "GPU " + toString(device) : toString(device); }

std::string toText(const DeviceMap& map, const MemoryLimits& limits, const ModuleTree& tree) {
  const TreeSizes sizes(tree);
  std::vector<TextRow> modules = {{"Module", "Device", "Memory"}};
  std::map<std::string, std::int64_t> held;
  for (const TreeNode& node : sizes.nodes()) {
    const auto place = map.places.find(node.path);
    if (place == map.places.end()) continue;
    modules.push_back({node.path.empty() ? "(the whole network)" : node.path, nameOf(place->second), formatBytes(node.bytes)});
    held[nameOf(place->second)] += node.bytes;
  }
  std::vector<TextRow> devices = {{"Device", "Holds", "Limit"}};
  for (const auto& [gpu, limit] : limits.gpus) devices.push_back({"GPU " + std::to_string(gpu), formatBytes(held["GPU " + std::to_string(gpu)]), formatBytes(limit)});
  if (limits.cpu) devices.push_back({"cpu", formatBytes(held["cpu"]), formatBytes(*limits.cpu)});
  devices.push_back({"disk", formatBytes(held["disk"]), "none"});
  return textTable(modules, 2) + "\n" + textTable(devices, 1) + "\n" + formatBytes(sizes.total()) + " in all, predicted from shapes and types.\n";
}

Status mapDevices(const Options& options) {
  const Result<ModuleTree> tree = treeOf(options.network);
  if (!tree.ok()) return tree.error();
  const Result<MapPolicy> policy = parseMapPolicy(options.policy);
  if (!policy.ok()) return policy.error();
  const Result<MemoryLimits> limits = limitsOf(options);
  if (!limits.ok()) return limits.error();
  const Result<MemoryLimits> balanced = balancedMemory(*tree, *limits, options.no_split, *policy);
  if (!balanced.ok()) return balanced.error();
  const Result<DeviceMap> map = inferDeviceMap(*tree, *balanced, options.no_split);
  if (!map.ok()) return map.error();
  if (!map->lost_buffers.empty())
    std::cerr << "Warning: " << joined(map->lost_buffers, ", ")
              << " stand in no entry, since their module was split and accelerate leaves its own buffers out. Keep the module together with --no-split.\n";
  std::cout << (options.json ? deviceMapJson(*map, *balanced) + "\n" : toText(*map, *balanced, *tree));
  return {};
}

}  // namespace

void addDeviceMap(CLI::App& app, CliContext& context) {
  CLI::App* command = app.add_subcommand("device-map", "Place a network's modules on devices by memory, as Hugging Face accelerate does");
  const auto options = std::make_shared<Options>();
  addNetworkOptions(*command, options->network);
  command->add_option("--policy", options->policy, "auto, balanced, balanced_low_0 or sequential (default: auto)");
  command->add_option("--max-memory", options->max_memory, "K=SIZE: a GPU's number, cpu or disk, and bytes or a size such as 10GiB; repeatable (default: what is free here)")
      ->allow_extra_args(false);
  command->add_option("--no-split", options->no_split, "A class of modules to keep whole, such as Bottleneck; repeatable")->allow_extra_args(false);
  command->add_flag("--json", options->json, "Print one JSON object");
  chosen(command, context, [options] { return mapDevices(*options); });
}

}  // namespace lanelab
