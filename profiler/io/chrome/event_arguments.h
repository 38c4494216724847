// SPDX-License-Identifier: GPL-3.0-only
// The arguments of one event of a Chrome trace, read from its file when somebody asks: an imported trace retains only
// those that an analysis uses, since all of them take several times the memory of its spans.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "profiler/io/source/import_limits.h"

namespace lanelab {

/// A span as its file has it.
struct SoughtEvent {
  std::string name;
  std::string pid, tid;  ///< as ImportedId::text
  Nanoseconds ts = 0;    ///< as written in the file, without its base
  Nanoseconds dur = 0;
  bool operator==(const SoughtEvent&) const = default;
};

/// Name and value in the file's order: texts without quotes, objects and arrays as JSON. Long ones are cut.
using EventArguments = std::vector<std::pair<std::string, std::string>>;

/// Of the first event like that one; none if there is none. Reads the file, plain or gzipped, up to that event.
/// Any thread. Errors: the file cannot be read; Cancelled.
Result<EventArguments> readArguments(const std::string& path, const SoughtEvent& event,
                                     const ImportLimits& limits = {});

}  // namespace lanelab
