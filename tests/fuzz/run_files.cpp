// SPDX-License-Identifier: GPL-3.0-only
// Fuzz target: the JSON files of a run folder, kept profiles and costs.
#include "engine/advise/profile_store.h"
#include "engine/record/bookmarks.h"
#include "engine/record/run_record.h"
#include "engine/sim/cost_file.h"
#include "tests/fuzz/fuzz_result.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanelab;
  const std::string text(textOf(data, size));
  requireOutcome(parseRunRecord(text, "file"));
  requireOutcome(parseBookmarks(text, "file"));
  requireOutcome(parseBlockProfile(text, "file"));
  requireOutcome(parseCosts(text, "file"));
  return 0;
}
