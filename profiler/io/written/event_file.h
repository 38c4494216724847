// SPDX-License-Identifier: GPL-3.0-only
// Writes the events of a trace to a file piece by piece, with progress and a cancel. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/progress.h"
#include "base/result.h"

namespace lanelab {

/// Appends to `text`, and calls `flush` after each event.
using WriteEvents = std::function<void(std::string& text, const std::function<void()>& flush)>;

/// Aside first, then renamed; gzipped with zlib's `level` when the name ends in ".gz". `events` is about how many
/// `write` makes. Errors: Failed names path and reason; Cancelled after a stop. Both leave nothing behind.
Status writeEventFile(const std::string& path, int level, std::int64_t events, const WorkControl& control,
                      const WriteEvents& write);

}  // namespace lanelab
