// SPDX-License-Identifier: GPL-3.0-only
// Writes a whole file aside and renames it over its place, so that nobody ever reads half a file. Any thread.
#pragma once

#include <string>

#include "base/result.h"

namespace lanelab {

/// Whether a write waits until the disk has it, which may take seconds while others use the disk.
enum class Durable { No, Yes };

/// Errors name the path, the reason and what to do.
Status writeFileAtomically(const std::string& path, const std::string& content, Durable durable = Durable::Yes);

/// What errno means for someone who writes, and what to do: "the disk is full. Free some space, or choose a folder on
/// another disk".
std::string reasonNotWritten(int error);
/// BadInput for a name that no file system takes, which is a mistake of whoever chose it; else Failed.
Error writeError(int error, std::string message);

}  // namespace lanelab
