// SPDX-License-Identifier: GPL-3.0-only
// Text as the bytes that c10d's stores keep, and back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanelab {

inline std::vector<std::uint8_t> storeBytes(const std::string& text) { return {text.begin(), text.end()}; }
inline std::string storeText(const std::vector<std::uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace lanelab
