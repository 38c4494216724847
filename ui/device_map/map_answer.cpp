// SPDX-License-Identifier: GPL-3.0-only
#include "ui/device_map/map_answer.h"

#include "engine/placement/map_lookup.h"

namespace lanelab {

Result<MapAnswer> answerTo(const MapQuestion& question, const ModuleTree& tree) {
  if (!question.own && question.limits.gpus.empty() && !question.limits.cpu && !question.limits.disk)
    return Error::badInput(
        "No device has a limit, so there is no device to map to. Give GPU 0 or the CPU a size, such as 10GiB.");
  if (question.type) {
    MapQuestion counted = question;
    counted.type.reset();
    return answerTo(counted, narrowedTo(tree, *question.type));
  }
  if (const auto& own = question.own) {
    if (const Status fits = checkDeviceMap(own->map, tree, own->name); !fits.ok()) return fits.error();
    return MapAnswer{own->map, mapTable(tree, own->map, question.limits), question.limits};
  }
  const Result<MemoryLimits> balanced = balancedMemory(tree, question.limits, question.kept_whole, question.policy);
  if (!balanced.ok()) return balanced.error();
  Result<DeviceMap> map = inferDeviceMap(tree, *balanced, question.kept_whole);
  if (!map.ok()) return map.error();
  MapTable table = mapTable(tree, *map, *balanced);
  return MapAnswer{std::move(*map), std::move(table), question.limits};
}

}  // namespace lanelab
