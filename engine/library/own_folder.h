// SPDX-License-Identifier: GPL-3.0-only
// The hidden folder of LaneLab in a folder of runs: .lanelab, with the index and the trash. A watcher of the runs
// folder does not see what changes in it.
#pragma once

#include <string>

#include "base/result.h"

namespace lanelab {

/// root/.lanelab/part, which may be absent.
std::string ownFolder(const std::string& root, const std::string& part);
/// Makes it. Errors name the folder.
Result<std::string> makeOwnFolder(const std::string& root, const std::string& part);

}  // namespace lanelab
