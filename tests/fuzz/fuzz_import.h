// SPDX-License-Identifier: GPL-3.0-only
// What holds of every import, whatever the file: a trace or a sentence, and a trace that can be written again.
#pragma once

#include "profiler/io/import/trace_import.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/support/written_trace.h"

namespace lanelab {

inline void requireWhole(const ReadImport& read) {
  require(read.ok() ? *read != nullptr : !read.error().message.empty(), "a trace or a sentence");
  if (!read.ok()) return;
  toChromeJson(**read);
  toPerfetto(**read);
  spanTableCsv(**read);
}

}  // namespace lanelab
