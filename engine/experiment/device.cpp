// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/device.h"

#include "base/parse_number.h"

namespace lanelab {

std::string toString(Device device) { return toWord(device.kind) + ":" + std::to_string(device.index); }

std::optional<Device> parseDevice(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto kind = fromWord<DeviceKind>(text.substr(0, colon));
  const std::string_view digits = text.substr(colon + 1);
  const auto index = parseNumber<int>(digits);
  if (!kind || !index || digits.front() == '-') return std::nullopt;
  return Device{*kind, *index};
}

}  // namespace lanelab
