// SPDX-License-Identifier: GPL-3.0-only
// device-map: which device holds which module of a network, as Hugging Face accelerate maps it.
#include <iostream>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/map_choice.h"
#include "app/cli/model_choice.h"
#include "base/text.h"
#include "base/text_table.h"
#include "engine/placement/map_lookup.h"
#include "engine/placement/map_table.h"

namespace lanelab {
namespace {

struct DeviceMapArguments {
  NetworkChoice network;
  MapChoice map;
  std::string type;
  bool json = false;
};

std::string nameOf(MapDevice device) {
  return device.kind == MapDevice::Kind::Gpu ? "GPU " + toString(device) : toString(device);
}

std::string toText(const MapTable& table) {
  std::vector<TextRow> modules = {{"Module", "Device", "Memory"}};
  for (const MapEntry& entry : table.entries)
    modules.push_back(
        {entry.path.empty() ? "(whole network)" : entry.path, nameOf(entry.device), formatBytes(entry.bytes)});
  std::vector<TextRow> devices = {{"Device", "Used", "Limit"}};
  for (const MapShare& share : table.devices) {
    const bool disk = share.device.kind == MapDevice::Kind::Disk;  // nothing is too large for it, whatever its limit
    devices.push_back(
        {nameOf(share.device), formatBytes(share.held), disk || !share.limit ? "none" : formatBytes(*share.limit)});
  }
  return textTable(modules, 2) + "\n" + textTable(devices, 1) + "\n" + formatBytes(table.total) +
         " in total, predicted from shapes and dtypes.\n";
}

Result<ModuleTree> countedTree(const DeviceMapArguments& options) {
  Result<ModuleTree> tree = treeOf(options.network);
  if (!tree.ok() || options.type.empty()) return tree;
  const Result<ElementType> type = parseElementType(options.type);
  if (!type.ok()) return Error::badInput("--dtype {}: {}", options.type, type.error());
  return narrowedTo(std::move(*tree), *type);
}

Status mapDevices(const DeviceMapArguments& options) {
  const Result<ModuleTree> tree = countedTree(options);
  if (!tree.ok()) return tree.error();
  const Result<ChosenMap> chosen = mapByPolicy(*tree, options.map);
  if (!chosen.ok()) return chosen.error();
  std::cout << (options.json ? deviceMapJson(chosen->map, chosen->limits) + "\n"
                             : toText(mapTable(*tree, chosen->map, chosen->limits)));
  return {};
}

}  // namespace

void addDeviceMap(const Command& app, CliContext& context) {
  const Command command =
      app.subcommand("device-map", "Assign the modules of a network to devices by memory, as accelerate does");
  command.help({.examples = {"device-map resnet50 --policy balanced --max-memory 0=200MiB --max-memory 1=200MiB "
                             "--no-split Bottleneck",
                             "device-map net.pt2 --policy balanced --max-memory 0=2MiB --max-memory 1=2MiB",
                             "device-map --tree resources/models/tied-tree.json --max-memory 0=330KB --json"},
                .notes = "The map equals that of Hugging Face accelerate. Nothing is allocated."});
  const auto options = std::make_shared<DeviceMapArguments>();
  addNetworkOptions(command, options->network);
  command.option("--policy POLICY", options->map.policy,
                 "auto, balanced, balanced_low_0 or sequential (default: auto)");
  addMapOptions(command, options->map);
  command.option("--dtype DTYPE", options->type,
                 "Count wider floating-point tensors in this dtype, such as float16 or int8, as accelerate's dtype");
  command.json(options->json);
  chosen(command, context, [options] { return mapDevices(*options); });
}

}  // namespace lanelab
