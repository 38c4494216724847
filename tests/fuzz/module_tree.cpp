// SPDX-License-Identifier: GPL-3.0-only
// Fuzz target: module trees and device maps.
#include "engine/model/module_tree.h"
#include "engine/placement/map_lookup.h"
#include "tests/fuzz/fuzz_result.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanelab;
  requireOutcome(parseModuleTree(textOf(data, size), "file"));
  requireOutcome(parseDeviceMap(textOf(data, size), "file"));
  return 0;
}
