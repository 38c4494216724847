// SPDX-License-Identifier: GPL-3.0-only
// What tests of importers begin with: a trace that is there, and a file as gzip packs it.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <memory>
#include <string>

#include "profiler/io/import/trace_import.h"
#include "tests/support/file_content.h"
#include "tests/support/temporary_folder.h"

namespace lanelab {

/// Where nothing was read the test fails, and goes on with an empty trace.
inline std::shared_ptr<const ImportedTrace> wholeImport(ReadImport read) {
  EXPECT_TRUE(read.ok()) << read.error().message;
  if (read.ok()) return *read;
  auto none = std::make_shared<ImportedTrace>();
  none->trace = std::make_shared<Trace>();
  return none;
}

inline std::string gzipped(const std::string& text) {
  const test::TemporaryFolder folder;
  const gzFile file = gzopen(folder.file("t").c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return test::contentOf(folder.file("t"));
}

}  // namespace lanelab
