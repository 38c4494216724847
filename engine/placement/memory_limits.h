// SPDX-License-Identifier: GPL-3.0-only
// How much memory a device map may fill on each device, and how the policies of Hugging Face accelerate balance it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/model/module_tree.h"

namespace lanelab {

/// Bytes. GPUs by number; a device that is not named does not exist, except the disk, which always does and has no end.
struct MemoryLimits {
  std::map<int, std::int64_t> gpus;
  std::optional<std::int64_t> cpu;
  std::optional<std::int64_t> disk;  ///< kept for the record; nothing is ever too large for it
  bool operator==(const MemoryLimits&) const = default;
};

/// Digits are bytes; else accelerate's units: GiB MiB KiB, GB MB KB (also in lower case, where a last lower-case b
/// makes GB MB KB count bits); fractions are cut to whole bytes. BadInput names the text.
Result<std::int64_t> parseMemorySize(std::string_view text);
/// A GPU's number, from 0 on; none where the text is anything else.
std::optional<int> parseGpuNumber(std::string_view text);
/// "0=40MiB", "cpu=1GB" or "disk=10GB" into `limits`. BadInput: no such device, no size, a device given twice.
Status addMemoryLimit(MemoryLimits& limits, std::string_view text);

enum class MapPolicy { Auto, Balanced, BalancedLowZero, Sequential };
/// "auto", "balanced", "balanced_low_0", "sequential". BadInput names the nearest.
Result<MapPolicy> parseMapPolicy(std::string_view text);

/// The limits after balancing (accelerate 1.15.0, utils/modeling.py, get_balanced_memory): every GPU but the last is
/// capped near an equal share of the model and a buffer, the larger of a module that must not be split and the mean
/// leaf. Sequential changes nothing. Error (Failed): balanced_low_0 where the GPUs are not numbered from 0 without
/// holes.
Result<MemoryLimits> balancedMemory(const ModuleTree& tree, const MemoryLimits& limits,
                                    std::span<const std::string> no_split, MapPolicy policy);

}  // namespace lanelab
