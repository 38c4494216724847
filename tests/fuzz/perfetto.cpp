// SPDX-License-Identifier: GPL-3.0-only
// Fuzz target: traces in the format of Perfetto, those of running runs too.
#include "profiler/io/perfetto/perfetto_import.h"
#include "tests/fuzz/fuzz_import.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanelab;
  ImportBuilder builder;
  const std::string_view bytes = textOf(data, size);
  seemsPerfetto(bytes);
  PerfettoImport read = importPerfetto(*memorySource(bytes), builder);
  require(!read.stopped && !read.too_large, "an import that nobody stops");
  requireWhole(std::make_shared<const ImportedTrace>(builder.finish("perfetto", read.base, std::move(read.declared))));
  return 0;
}
