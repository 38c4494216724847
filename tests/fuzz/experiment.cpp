// SPDX-License-Identifier: GPL-3.0-only
// Fuzz target: experiment files.
#include "engine/experiment/experiment.h"
#include "tests/fuzz/fuzz_result.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanelab;
  requireOutcome(parseExperiment(textOf(data, size), "file"));
  return 0;
}
