// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/gaps_csv.h"

#include <gtest/gtest.h>

#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

TEST(IdleTableCsv, HasALineForEachLane) {
  const Trace trace = twoLanePipeline();
  EXPECT_EQ(idleTableCsv(trace, findGaps(trace)),
            "lane,name,window_us,busy_us,idle_us,busy_share\r\n"
            "0,left,100.000,44.507,55.493,0.445070\r\n"
            "1,right,100.000,42.750,57.250,0.427500\r\n");
}

TEST(GapTableCsv, PutsTheLongestFirst) {
  const Trace trace = twoLanePipeline();
  EXPECT_EQ(gapTableCsv(trace, findGaps(trace)),
            "lane,name,step,before,start_us,duration_us\r\n"
            "1,right,0,end,55.000,45.000\r\n"
            "0,left,0,0B0,21.007,38.993\r\n"
            "0,left,0,0U,80.000,15.000\r\n"
            "1,right,0,1F0,0.000,12.250\r\n"
            "0,left,0,0F0,0.000,1.000\r\n"
            "0,left,0,0F1,11.000,0.500\r\n");
}

TEST(CauseTableCsv, HasAColumnForEachCause) {
  const Trace trace = twoLanePipeline();
  const std::string table = causeTableCsv(trace, explainIdle(trace), trace.range().start);
  EXPECT_EQ(table.substr(0, table.find("\r\n")),
            "lane,name,step,before,start_us,duration_us,cause,fill_us,drain_us,imbalance_us,jitter_us,transfer_queued_"
            "us,transfer_us,data_us,sync_us,"
            "allocator_us,host_us,contention_us,profiler_us,unresolved_us");
  EXPECT_NE(table.find("\r\n0,left,0,0F0,0.000,1.000,host,0.000,0.000,0.000,0.000,0.000,0.000,0.000,0.000,0.000,0.900,"
                       "0.000,0.000,0.100\r\n"),
            std::string::npos)
      << table;
}

TEST(Csv, QuotesNamesAndLeavesAShareOfNothingEmpty) {
  SmallWorld world;
  world.lane("a, \"b\"\nc", "cpu:0");
  EXPECT_EQ(idleTableCsv(world.trace, findGaps(world.trace)),
            "lane,name,window_us,busy_us,idle_us,busy_share\r\n"
            "0,\"a, \"\"b\"\"\nc\",0.000,0.000,0.000,\r\n");
}

}  // namespace
}  // namespace lanelab
