// SPDX-License-Identifier: GPL-3.0-only
// Finding a module's place in a device map, and maps as JSON, which a person or a program writes.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/model/module_tree.h"
#include "engine/placement/device_map.h"

namespace lanelab {

/// Of a module or tensor: that of the longest entry which it lies in. The CPU where there is none.
MapDevice placeOf(const DeviceMap& map, std::string_view path);

/// Whether something of the network lies on such a device.
bool uses(const DeviceMap& map, MapDevice::Kind kind);

/// {"device_map": {"layer1": 0, "fc": "cpu"}, "max_memory": {"0": 52417256}} on one line: GPUs as whole numbers; the
/// limits in bytes that were used.
std::string deviceMapJson(const DeviceMap& map, const MemoryLimits& limits);

/// {"layer1": 0, "fc": "cpu"}, an entry a line: as from_pretrained and dispatch_model take it.
std::string placesJson(const DeviceMap& map);

/// {"model.embed_tokens": 0, "model.layers.1": "cpu", "": "disk"}, alone or as the "device_map" of what device-map
/// --json prints. Errors (BadInput) begin with `place`: no such device.
Result<DeviceMap> parseDeviceMap(std::string_view json, const std::string& place);

/// That every parameter has a place, and every entry names a module or tensor of the network (accelerate:
/// check_device_map). BadInput begins with `place` and names the first that is wrong.
Status checkDeviceMap(const DeviceMap& map, const ModuleTree& tree, const std::string& place);

}  // namespace lanelab
