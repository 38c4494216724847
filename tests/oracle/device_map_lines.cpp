// SPDX-License-Identifier: GPL-3.0-only
// For device_map_test.py: reads lines {"tree": {...}, "policy": "auto", "max_memory": ["0=100"], "no_split":
// ["Block"]}, with a "dtype" if wanted, and prints each map, or an error, on a line with the microseconds that it took.
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/placement/map_lookup.h"

namespace {

using Json = nlohmann::ordered_json;

lanelab::Result<std::string> mapOf(const lanelab::ModuleTree& tree, const Json& request) {
  lanelab::MemoryLimits limits;
  for (const std::string limit : request["max_memory"])
    if (const auto added = addMemoryLimit(limits, limit); !added.ok()) return added.error();
  const auto policy = lanelab::parseMapPolicy(request["policy"].get<std::string>());
  if (!policy.ok()) return policy.error();
  const auto no_split = request["no_split"].get<std::vector<std::string>>();
  const auto balanced = lanelab::balancedMemory(tree, limits, no_split, *policy);
  if (!balanced.ok()) return balanced.error();
  const auto map = lanelab::inferDeviceMap(tree, *balanced, no_split);
  if (!map.ok()) return map.error();
  return lanelab::deviceMapJson(*map, *balanced);
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const auto request = Json::parse(line);
    auto tree = lanelab::parseModuleTree(request["tree"].dump(), "tree");
    if (!tree.ok()) {
      std::cout << Json{{"microseconds", 0}, {"error", tree.error().message}}.dump() << '\n';
      continue;
    }
    if (request.contains("dtype"))
      tree = narrowedTo(std::move(*tree), *lanelab::parseElementType(request["dtype"].get<std::string>()));
    const auto begin = std::chrono::steady_clock::now();
    const auto map = mapOf(*tree, request);
    const auto took =
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin).count();
    Json answer{{"microseconds", took}};
    answer[map.ok() ? "map" : "error"] = map.ok() ? Json::parse(*map) : Json(map.error().message);
    std::cout << answer.dump() << '\n';
  }
}
