// SPDX-License-Identifier: GPL-3.0-only
#include "engine/report/run_notes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/run/small_records.h"

namespace lanelab {
namespace {

using test::kFast;
using test::kSlow;
using test::recordOf;
using test::variantWith;

TEST(RunNotes, SayThatCoresWereTaken) {
  RunRecord record = recordOf({variantWith("P", kFast)});
  LaneRecord lane;
  lane.busy_seconds = 10;
  for (const auto& [cpu, said] :
       {std::pair(2.0, true), std::pair(7.9, true), std::pair(8.1, false), std::pair(0.0, false)}) {
    lane.cpu_seconds = cpu;
    record.variants[0].lanes = {lane};
    const auto notes = test::notesOnFigures(record);
    const bool found = std::ranges::any_of(
        notes, [](const std::string& note) { return note.find("had a core for only") != std::string::npos; });
    EXPECT_EQ(found, said) << cpu;
  }
}

TEST(RunNotes, SayThatAPipelineLosesToSingle) {
  VariantRecord pipeline = variantWith("Pipeline", kSlow), other = variantWith("Other", kSlow);
  pipeline.strategy = other.strategy = Strategy::Pipeline;
  const RunRecord record = recordOf({other, pipeline, variantWith("Single", kFast)});
  EXPECT_EQ(
      slowerThanSingleText(record, "Pipeline"),
      "Pipeline is 2.00x slower than Single of the same run (95 % CI 1.99 to 2.01x; 5 repeats each), so one lane alone "
      "does this work faster.");
  EXPECT_EQ(slowerThanSingleText(record, "Single"), "");
  EXPECT_EQ(slowerThanSingleText(recordOf({pipeline}), "Pipeline"), "") << "nothing to compare with";
  const auto notes = test::notesOnFigures(record);
  EXPECT_EQ(std::ranges::count(notes, slowerThanSingleText(record, "Pipeline")), 1);
}

}  // namespace
}  // namespace lanelab
