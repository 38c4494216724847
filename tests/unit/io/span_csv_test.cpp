// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/csv_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "profiler/io/import/trace_import.h"
#include "profiler/io/perfetto/perfetto_writer.h"
#include "tests/support/written_trace.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

TEST(SpanTableCsv, HasALineForEachSpan) {
  EXPECT_EQ(
      spanTableCsv(**importBytes(R"([{"ph":"X","cat":"a,b","name":"say \"hi\"","pid":1,"tid":2,"ts":0.001,"dur":1.5},)"
                                 R"({"ph":"M","name":"process_name","pid":1,"args":{"name":"main"}}])")),
      "process,thread,category,name,start_us,duration_us,step,stage,micro_batch,phase,cpu_us\r\n"
      "main,thread 2,\"a,b\",\"say \"\"hi\"\"\",0.001,1.500,,,,,\r\n");
}

TEST(SpanTableCsv, TellsStageAndMicroBatchOfActions) {
  const std::string table = spanTableCsv(*ownPipeline());
  EXPECT_NE(table.find("right,compute,lanelab,1B0,30.000,25.000,0,1,0,B,\r\n"), std::string::npos) << table;
  EXPECT_EQ(static_cast<std::size_t>(std::count(table.begin(), table.end(), '\n')), 1 + twoLanePipeline().spanCount());
}

/// A file of LaneLab to which another program added an instant of a process that is not a lane.
TEST(SpanTableCsv, AndPerfettoAcceptInstantsOfProcessesThatAreNotLanes) {
  for (const std::string lanes : {"", R"("lanes":[{"name":"left"}],)"}) {
    const auto imported = importBytes(R"({"lanelab":{)" + lanes + R"("version":1},"traceEvents":[)" +
                                      R"({"ph":"M","name":"process_name","pid":7,"args":{"name":"other"}},)" +
                                      R"({"ph":"i","name":"now","pid":7,"tid":2,"ts":5,"s":"t"}]})");
    ASSERT_TRUE(imported.ok());
    const std::string table = spanTableCsv(**imported);
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1) << table;
    const auto again = importBytes(toPerfetto(**imported));
    ASSERT_TRUE(again.ok());
    ASSERT_EQ((*again)->instants.size(), 1U);
    const ImportedInstant& instant = (*again)->instants.front();
    EXPECT_EQ((*again)->trace->names[instant.name], "now");
    EXPECT_EQ((*again)->processes[(*again)->rows[instant.row].process].name, "other");
  }
}

TEST(SpanTableCsv, AndPerfettoAreGzippedWhereTheNameSaysSo) {
  const TemporaryFolder folder;
  EXPECT_TRUE(writePerfettoTrace(*ownPipeline(), folder.file("t.pftrace.gz")).ok());
  EXPECT_EQ(contentOf(folder.file("t.pftrace.gz")).substr(0, 2), "\x1f\x8b");
  EXPECT_TRUE(writeSpanTable(*ownPipeline(), folder.file("t.csv.gz")).ok());
  EXPECT_EQ(contentOf(folder.file("t.csv.gz")).substr(0, 2), "\x1f\x8b");
  EXPECT_FALSE(writeSpanTable(*ownPipeline(), folder.file("none/t.csv")).ok());
}

}  // namespace
}  // namespace lanelab
