// SPDX-License-Identifier: GPL-3.0-only
// Fuzz target: schedules as tables, of LaneLab and PyTorch.
#include "engine/schedule/schedule.h"
#include "tests/fuzz/fuzz_result.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanelab;
  const auto schedule = parseScheduleCsv(textOf(data, size));
  requireOutcome(schedule);
  if (!schedule.ok()) return 0;
  const std::string csv = toCsv(*schedule);
  const auto again = parseScheduleCsv(csv);
  require(again.ok() && toCsv(*again) == csv, "a schedule that reads as it was written");
  return 0;
}
