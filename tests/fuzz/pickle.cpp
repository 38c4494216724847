// SPDX-License-Identifier: GPL-3.0-only
// Fuzz target: the pickles of state dicts.
#include "engine/files/pickle_reader.h"
#include "tests/fuzz/fuzz_result.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanelab;
  requireOutcome(readPickle(textOf(data, size)));
  return 0;
}
