// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/import/chrome_reader.h"

#include <utility>

#include "profiler/io/import/trace_import.h"

namespace lanelab {

namespace {

ReadTrace traceOf(const ReadImport& read) {
  if (!read.ok()) return {nullptr, read.error().message, {}};
  return {(*read)->trace, {}, (*read)->counts.problems};
}

}  // namespace

ReadTrace readChromeTrace(const std::string& path, std::stop_token stop) {
  return traceOf(importTraceByEnvironment(path, std::move(stop)));
}

ReadTrace parseChromeTrace(std::string_view json) { return traceOf(importJson(json)); }

}  // namespace lanelab
