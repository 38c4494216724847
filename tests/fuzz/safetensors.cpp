// SPDX-License-Identifier: GPL-3.0-only
// Fuzz target: headers of safetensors files. The first two bytes say how many bytes would follow the header.
#include "engine/files/safetensors_header.h"
#include "tests/fuzz/fuzz_result.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanelab;
  if (size < 2) return 0;
  requireOutcome(parseSafetensorsHeader(textOf(data + 2, size - 2), data[0] + 256U * data[1]));
  return 0;
}
