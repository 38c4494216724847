// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/csv_tables.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

TEST(GapTableCsv, PutsTheLongestFirst) {
  const Trace trace = twoLanePipeline();
  std::istringstream lines(gapTableCsv(trace, explainIdle(trace), trace.range().start));
  std::vector<std::string> fronts;
  for (std::string line; std::getline(lines, line);) {
    std::size_t end = 0;
    for (int cells = 0; cells < 6; ++cells) end = line.find(',', end) + 1;
    fronts.push_back(line.substr(0, end - 1));
  }
  EXPECT_EQ(fronts, (std::vector<std::string>{"lane,name,step,before,start_us,duration_us",
                                              "1,right,0,end,55.000,45.000", "0,left,0,0B0,21.007,38.993",
                                              "0,left,0,0U,80.000,15.000", "1,right,0,1F0,0.000,12.250",
                                              "0,left,0,0F0,0.000,1.000", "0,left,0,0F1,11.000,0.500"}));
}

TEST(GapTableCsv, HasAColumnForEachCause) {
  const Trace trace = twoLanePipeline();
  const std::string table = gapTableCsv(trace, explainIdle(trace), trace.range().start);
  EXPECT_EQ(table.substr(0, table.find("\r\n")),
            "lane,name,step,before,start_us,duration_us,cause,fill_us,drain_us,imbalance_us,jitter_us,transfer_queued_"
            "us,transfer_us,communication_us,data_us,sync_us,"
            "allocator_us,host_us,contention_us,profiler_us,unresolved_us,evaluation_us,windows");
  EXPECT_NE(
      table.find("\r\n0,left,0,0F0,0.000,1.000,host,0.000,0.000,0.000,0.000,0.000,0.000,0.000,0.000,0.000,0.000,0.900,"
                 "0.000,0.000,0.100,0.000,step\r\n"),
      std::string::npos)
      << table;
}

TEST(GapTableCsv, QuotesNames) {
  Trace trace = twoLanePipeline();
  trace.lanes[0].name = "a, \"b\"\nc";
  EXPECT_NE(gapTableCsv(trace, explainIdle(trace), 0).find("\r\n0,\"a, \"\"b\"\"\nc\",0,"), std::string::npos);
}

}  // namespace
}  // namespace lanelab
