// SPDX-License-Identifier: GPL-3.0-only
// What a reader of a run must know of the machine and the program to repeat it: host, system, processor, memory,
// versions, variables that matter.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lanelab {

/// Facts in a fixed order, none empty: "not set" and "unknown" are said. Reads /proc and /etc; any thread.
std::vector<std::pair<std::string, std::string>> environmentFacts();

/// Of LaneLab, such as "0.2.0".
std::string lanelabVersion();

/// Whether these facts, of a run say, are of a machine with this one's processor and cores.
bool isThisMachine(const std::vector<std::pair<std::string, std::string>>& facts);

}  // namespace lanelab
