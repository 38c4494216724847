// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/import/chrome_reader.h"

#include <utility>

#include "profiler/io/import/trace_import.h"

namespace lanelab {

namespace {

ReadTrace traceOf(ReadImport read) {
  if (!read.imported) return {nullptr, std::move(read.error), {}};
  return {read.imported->trace, {}, read.imported->counts.problems};
}

}  // namespace

ReadTrace readChromeTrace(const std::string& path, std::stop_token stop) {
  return traceOf(importTraceByEnvironment(path, std::move(stop)));
}

ReadTrace parseChromeTrace(std::string_view json) { return traceOf(importJson(json)); }

}  // namespace lanelab
