// SPDX-License-Identifier: GPL-3.0-only
// Fuzz target: traces in the format of Perfetto.
#include "profiler/io/perfetto/perfetto_import.h"
#include "tests/fuzz/fuzz_import.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanelab;
  ImportBuilder builder;
  const std::string_view bytes = textOf(data, size);
  seemsPerfetto(bytes);
  require(importPerfetto(*memorySource(bytes), builder), "an import that nobody stops");
  requireWhole({std::make_shared<const ImportedTrace>(builder.finish("perfetto", 0, std::nullopt)), {}});
  return 0;
}
