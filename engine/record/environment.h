// SPDX-License-Identifier: GPL-3.0-only
// What a reader of a run must know of the machine and the program to repeat it: host, system, processor, memory,
// versions, variables that matter.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lanelab {

using EnvironmentFacts = std::vector<std::pair<std::string, std::string>>;

/// Facts in a fixed order, none empty: "not set" and "unknown" are said. Reads /proc and /etc; any thread.
EnvironmentFacts environmentFacts();

/// The fact of that name; empty for none.
std::string factOf(const EnvironmentFacts& facts, const std::string& name);

/// Of LaneLab, such as "0.2.0".
std::string lanelabVersion();

/// Whether these facts, of a run say, are of a machine with this one's processor and cores.
bool isThisMachine(const EnvironmentFacts& facts);

}  // namespace lanelab
