// SPDX-License-Identifier: GPL-3.0-only
// Fuzz target: trace JSON of Chrome, Kineto and other programs.
#include "tests/fuzz/fuzz_import.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanelab;
  requireWhole(importBytes(textOf(data, size)));
  return 0;
}
