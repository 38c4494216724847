// SPDX-License-Identifier: GPL-3.0-only
// The device of a lane: a core or a GPU, by its number.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "base/words.h"

namespace lanelab {

enum class DeviceKind { Cpu, Cuda };
constexpr std::array<Word<DeviceKind>, 2> wordTable(DeviceKind) {
  return {{{DeviceKind::Cpu, "cpu"}, {DeviceKind::Cuda, "cuda"}}};
}

struct Device {
  DeviceKind kind = DeviceKind::Cpu;
  int index = 0;  ///< from 0

  static constexpr Device cpu(int index) { return {DeviceKind::Cpu, index}; }
  static constexpr Device cuda(int index) { return {DeviceKind::Cuda, index}; }
  constexpr bool isCpu() const { return kind == DeviceKind::Cpu; }
  constexpr bool isCuda() const { return kind == DeviceKind::Cuda; }
  auto operator<=>(const Device&) const = default;
};

/// "cpu:0", "cuda:1".
std::string toString(Device device);
/// None: the text is not cpu:K or cuda:K, K from 0.
std::optional<Device> parseDevice(std::string_view text);

}  // namespace lanelab
