// SPDX-License-Identifier: GPL-3.0-only
// Fuzz target: SQLite databases as exports of Nsight Systems.
#include "profiler/io/nsight/nsight_import.h"
#include "tests/fuzz/fuzz_import.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanelab;
  static const InputFile file;
  requireWhole(importNsight(file.write(textOf(data, size))));
  return 0;
}
