// SPDX-License-Identifier: GPL-3.0-only
// Texts between the members of a group.
#pragma once

#include <torch/csrc/distributed/c10d/Backend.hpp>

#include <string>
#include <vector>

namespace lanelab {

/// Every member's text, by its number. All members call it, and each waits for all.
std::vector<std::string> exchangeTexts(c10d::Backend& group, const std::string& mine);

}  // namespace lanelab
