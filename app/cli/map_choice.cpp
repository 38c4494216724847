// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/map_choice.h"

#include <filesystem>
#include <iostream>

#include "base/text.h"
#include "base/whole_file.h"
#include "engine/placement/map_lookup.h"
#include "engine/torch/train/torch_executor.h"

namespace lanelab {
namespace {

constexpr std::uint64_t kMostBytes = 16 << 20;  // of a map with a hundred thousand entries

MemoryLimits limitsOfMachine() {
  MemoryLimits limits;
  for (const DeviceInfo& device : makeTorchExecutor()->devices()) {
    if (device.device.isCpu()) limits.cpu = device.memory_bytes;
    if (device.device.isCuda()) limits.gpus[device.device.index] = device.memory_bytes;
  }
  return limits;
}

Result<MemoryLimits> limitsOf(const MapChoice& choice) {
  if (choice.max_memory.empty()) return limitsOfMachine();
  MemoryLimits limits;
  for (const std::string& text : choice.max_memory)
    if (const Status added = addMemoryLimit(limits, text); !added.ok()) return added.error();
  return limits;
}

Result<ChosenMap> mapInFile(const ModuleTree& tree, const MapChoice& choice) {
  if (!choice.max_memory.empty() || !choice.no_split.empty())
    return Error::badInput("--max-memory and --no-split are for policies only. Remove them, since the map is in {}.",
                           choice.policy);
  const Result<std::string> text = readWholeFile(choice.policy, kMostBytes);
  if (!text.ok()) return text.error();
  Result<DeviceMap> map = parseDeviceMap(*text, choice.policy);
  if (!map.ok()) return map.error();
  if (const Status fits = checkDeviceMap(*map, tree, choice.policy); !fits.ok()) return fits.error();
  return ChosenMap{std::move(*map), {}};
}

}  // namespace

void addMapOptions(const Command& command, MapChoice& choice) {
  command
      .option(
          "--max-memory DEVICE=SIZE", choice.max_memory,
          "Memory limit of a device: a GPU number, cpu or disk, and a size such as 10GiB; repeatable (default: what is "
          "free on this machine)")
      .repeatable();
  command
      .option("--no-split CLASS", choice.no_split,
              "Class of modules that is not split, such as Bottleneck or LlamaDecoderLayer; repeatable")
      .repeatable();
}

Result<ChosenMap> mapByPolicy(const ModuleTree& tree, const MapChoice& choice) {
  const Result<MapPolicy> policy = parseMapPolicy(choice.policy.empty() ? "auto" : choice.policy);
  if (!policy.ok()) return policy.error();
  const Result<MemoryLimits> limits = limitsOf(choice);
  if (!limits.ok()) return limits.error();
  const Result<MemoryLimits> balanced = balancedMemory(tree, *limits, choice.no_split, *policy);
  if (!balanced.ok()) return balanced.error();
  Result<DeviceMap> map = inferDeviceMap(tree, *balanced, choice.no_split);
  if (!map.ok()) return map.error();
  if (!map->lost_buffers.empty())
    std::cerr
        << "Warning: " << joined(map->lost_buffers, ", ")
        << " are in no entry: accelerate drops the buffers of a module that it splits. Name the class of the module "
           "with --no-split.\n";
  return ChosenMap{std::move(*map), *balanced};
}

Result<ChosenMap> mapByPolicyOrFile(const ModuleTree& tree, const MapChoice& choice) {
  if (choice.policy.empty() || parseMapPolicy(choice.policy).ok()) return mapByPolicy(tree, choice);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(choice.policy, ignored)) return mapInFile(tree, choice);
  return Error::badInput(
      "--device-map {} is neither a policy nor a file. Choose auto, balanced, balanced_low_0, sequential or a JSON "
      "file with a map.",
      choice.policy);
}

}  // namespace lanelab
