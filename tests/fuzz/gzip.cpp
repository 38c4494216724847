// SPDX-License-Identifier: GPL-3.0-only
// Fuzz target: trace files of any kind behind the two bytes that begin a gzip file, and what tells one kind from
// another.
#include "tests/fuzz/fuzz_import.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanelab;
  static const InputFile file;
  requireWhole(importTrace(file.write(textOf(data, size))));
  return 0;
}
