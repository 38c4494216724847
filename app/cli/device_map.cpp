// device-map: which device holds which module of a network, as Hugging Face accelerate maps it.
#include <iostream>
#include <map>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/map_choice.h"
#include "app/cli/network_choice.h"
#include "app/cli/text_table.h"
#include "engine/base/text.h"
#include "engine/plan/device_map_json.h"
#include "engine/plan/tree_sizes.h"

namespace lanelab {
namespace {

struct Options {
  NetworkChoice network;
  MapChoice map;
  bool json = false;
};

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
  const Result<ChosenMap> chosen = mapByPolicy(*tree, options.map);
  if (!chosen.ok()) return chosen.error();
  std::cout << (options.json ? deviceMapJson(chosen->map, chosen->limits) + "\n" : toText(chosen->map, chosen->limits, *tree));
  return {};
}

}  // namespace

void addDeviceMap(CLI::App& app, CliContext& context) {
  CLI::App* command = app.add_subcommand("device-map", "Place a network's modules on devices by memory, as Hugging Face accelerate does");
  const auto options = std::make_shared<Options>();
  addNetworkOptions(*command, options->network);
  command->add_option("--policy", options->map.policy, "auto, balanced, balanced_low_0 or sequential (default: auto)");
  addMapOptions(*command, options->map);
  command->add_flag("--json", options->json, "Print one JSON object");
  chosen(command, context, [options] { return mapDevices(*options); });
}

}  // namespace lanelab
