// SPDX-License-Identifier: GPL-3.0-only
// Files that are in the program itself, named "shipped:NAME" where a path is expected: networks
// (shipped:gpt2-small.pt2) and texts (shipped:counting.txt). Any thread.
#pragma once

#include <string>

#include "base/result.h"
#include "base/shipped_path.h"
#include "engine/files/readable_bytes.h"

namespace lanelab {

/// Texts are unpacked. The error is the reason alone, with the names that there are.
Result<ReadableBytes> openShipped(const std::string& path);

}  // namespace lanelab
