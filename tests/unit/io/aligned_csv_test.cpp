// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/csv_tables.h"

#include <gtest/gtest.h>

namespace lanelab {
namespace {

TEST(AlignedCsv, HoldsEachCellInMicroseconds) {
  AlignedRuns runs;
  runs.cells = {{{0, 1, Phase::Forward, 3}, 1'500'000, 1'250'001, -20}, {{2, 0, Phase::Update, 0}, 0, 7, 0}};
  EXPECT_EQ(alignedCsv(runs.cells),
            "step,stage,phase,micro_batch,a_us,b_us,difference_us,b_later_by_us\r\n"
            "0,1,F,3,1500.000,1250.001,-249.999,-0.020\r\n"
            "2,0,U,0,0.000,0.007,0.007,0.000\r\n");
}

}  // namespace
}  // namespace lanelab
