// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/import/chrome_reader.h"

#include <utility>

#include "profiler/io/import/trace_import.h"

namespace lanelab {

ReadTrace readChromeTrace(const std::string& path, std::stop_token stop) {
  const ReadImport read = importTraceByEnvironment(path, std::move(stop));
  if (!read.ok()) return {nullptr, read.error().message, {}};
  return {(*read)->trace, {}, (*read)->counts.problems};
}

}  // namespace lanelab
