// SPDX-License-Identifier: GPL-3.0-only
#include "engine/placement/memory_limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/parse_number.h"
#include "base/text.h"
#include "engine/placement/tree_sizes.h"

namespace lanelab {
namespace {

struct Unit {
  std::string_view name;  ///< in small letters
  double bytes;
  bool may_be_bits;
};
constexpr std::array<Unit, 6> kUnits = {{{"gib", 1073741824.0, false},
                                         {"mib", 1048576.0, false},
                                         {"kib", 1024.0, false},
                                         {"gb", 1e9, true},
                                         {"mb", 1e6, true},
                                         {"kb", 1e3, true}}};

Error noSize(std::string_view text) {
  return Error::badInput("\"{}\" is not a size. Write whole bytes (1000000) or a number with a unit (1.5GiB, 200MB).",
                         std::string(text));
}

/// A number from 0 on that fits 64 bits.
std::optional<double> parseAmount(std::string_view text) {
  text = trimmed(text, " ");
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto amount = parseNumber<double>(text);
  return amount && std::isfinite(*amount) && *amount >= 0 ? amount : std::nullopt;
}

/// The largest first-met module of each class that must not be split (get_balanced_memory looks no further than the
/// first of a class).
std::int64_t unsplittableBytes(const TreeSizes& sizes, std::span<const std::string> no_split) {
  std::int64_t largest = 0;
  for (const std::string& name : no_split) {
    const auto met = std::ranges::find_if(
        sizes.tableOrder(), [&](std::size_t place) { return place != 0 && sizes.node(place).class_name == name; });
    if (met != sizes.tableOrder().end()) largest = std::max(largest, sizes.node(*met).bytes);
  }
  return largest;
}

/// Mean bytes of the modules that hold tensors and no module that does.
std::int64_t meanLeafBytes(const TreeSizes& sizes) {
  std::int64_t sum = 0, leaves = 0;
  for (std::size_t place = 1; place < sizes.nodes().size(); ++place) {
    const TreeNode& node = sizes.node(place);
    if (node.kind != TreeNode::Kind::Module || !node.counted) continue;
    if (std::ranges::any_of(node.children, [&](std::size_t child) { return sizes.node(child).counted; })) continue;
    sum += node.bytes;
    ++leaves;
  }
  return leaves == 0 ? 0 : static_cast<std::int64_t>(static_cast<double>(sum) / static_cast<double>(leaves));
}

}  // namespace

std::optional<int> parseGpuNumber(std::string_view text) {
  const auto gpu = parseNumber<int>(text);
  return gpu && *gpu >= 0 ? gpu : std::nullopt;
}

Result<std::int64_t> parseMemorySize(std::string_view text) {
  const std::string_view size = trimmed(text, " ");
  if (const auto bytes = parseNumber<std::int64_t>(size); bytes && *bytes >= 0) return *bytes;
  const std::string small = smallLetters(std::string(size));
  for (const Unit& unit : kUnits) {
    if (!small.ends_with(unit.name)) continue;
    const auto amount = parseAmount(size.substr(0, size.size() - unit.name.size()));
    if (!amount || *amount * unit.bytes >= 9.2e18) return noSize(text);
    const auto cut = static_cast<std::int64_t>(*amount * unit.bytes);
    return unit.may_be_bits && size.back() == 'b' ? cut / 8 : cut;
  }
  return noSize(text);
}

Status addMemoryLimit(MemoryLimits& limits, std::string_view text) {
  const std::string shown = "--max-memory " + std::string(text);
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    return Error::badInput("{}: give a device and its size, such as 0=10GiB, cpu=30GB or disk=100GB.", shown);
  const Result<std::int64_t> bytes = parseMemorySize(text.substr(equals + 1));
  if (!bytes.ok()) return Error::badInput("{}: {}", shown, bytes.error());
  const std::string_view device = trimmed(text.substr(0, equals), " ");
  const Error twice = Error::badInput("{}: the device has a limit already. Keep one of them.", shown);
  if (device == "cpu" || device == "disk") {
    std::optional<std::int64_t>& limit = device == "cpu" ? limits.cpu : limits.disk;
    if (limit) return twice;
    limit = *bytes;
    return {};
  }
  const auto gpu = parseGpuNumber(device);
  if (!gpu)
    return Error::badInput("{}: \"{}\" is not a device. Write a GPU number, cpu or disk.", shown, std::string(device));
  if (!limits.gpus.emplace(*gpu, *bytes).second) return twice;
  return {};
}

Result<MapPolicy> parseMapPolicy(std::string_view text) {
  const std::vector<std::string> names = {"auto", "balanced", "balanced_low_0", "sequential"};
  const auto found = std::ranges::find(names, text);
  if (found != names.end()) return static_cast<MapPolicy>(found - names.begin());
  return Error::badInput("There is no policy \"{}\": {}", std::string(text), nearestHint(text, names));
}

Result<MemoryLimits> balancedMemory(const ModuleTree& tree, const MemoryLimits& limits,
                                    std::span<const std::string> no_split, MapPolicy policy) {
  MemoryLimits balanced = limits;
  std::vector<int> gpus;
  for (const auto& [gpu, limit] : limits.gpus)
    if (limit > 0) gpus.push_back(gpu);
  if (policy == MapPolicy::Sequential || gpus.empty()) return balanced;
  const bool low_zero = policy == MapPolicy::BalancedLowZero && gpus.size() > 1;

  const TreeSizes sizes(tree);
  const std::int64_t buffer = std::max(unsplittableBytes(sizes, no_split), meanLeafBytes(sizes));
  const auto shares = static_cast<std::int64_t>(gpus.size()) - (low_zero ? 1 : 0);
  const std::int64_t share = sizes.total() / shares + static_cast<std::int64_t>(1.25 * static_cast<double>(buffer));
  for (std::size_t i = 0; i + 1 < gpus.size(); ++i) {
    std::int64_t& limit = balanced.gpus[gpus[i]];
    if (!low_zero || gpus[i] != 0) limit = std::min(share, limit);
  }
  if (!low_zero) return balanced;

  std::int64_t rest = sizes.total();
  for (int gpu = 0; gpu < static_cast<int>(gpus.size()); ++gpu) {
    const auto found = balanced.gpus.find(gpu);
    if (found == balanced.gpus.end())
      return Error::failed(
          "balanced_low_0 needs GPUs numbered from 0 on without holes, but GPU {} has no limit: give it one, or choose "
          "another policy.",
          gpu);
    if (gpu > 0) rest -= found->second;
  }
  balanced.gpus[0] = std::min(std::max<std::int64_t>(0, rest), balanced.gpus[0]);
  return balanced;
}

}  // namespace lanelab
