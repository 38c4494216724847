// SPDX-License-Identifier: GPL-3.0-only
// One event of a trace file, sought in the file for its arguments: an imported trace retains only those that an
// analysis uses, since all of them take several times the memory of its spans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "profiler/trace/span.h"

namespace lanelab {

/// A span as its file has it.
struct SoughtEvent {
  std::string name;
  std::string pid, tid;  ///< as ImportedId::text
  Nanoseconds ts = 0;    ///< as written in the file, without its base
  Nanoseconds dur = 0;
  Nanoseconds base = 0;       ///< of the imported trace, whose times are ts + base
  std::string category = {};  ///< the file's word; only Nsight needs this and what follows
  int device = -1;            ///< of the GPU whose work it is
  std::int64_t stream = -1;   ///< of that GPU
  bool operator==(const SoughtEvent&) const = default;
};

/// Name and value in the file's order: texts without quotes, objects and arrays as JSON. Long ones are cut.
using EventArguments = std::vector<std::pair<std::string, std::string>>;

inline constexpr std::size_t kMostArguments = 200;
inline constexpr std::size_t kMostArgumentBytes = 4096;

}  // namespace lanelab
