// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "profiler/io/import/trace_import.h"
#include "profiler/io/tables/unknown_work.h"
#include "tests/support/written_trace.h"
#include "tests/unit/io/small_world.h"
#include "tests/unit/io/traced_gpus.h"

namespace lanelab {
namespace {

/// A table of an export; `suffix` stands behind its name.
std::string kernels(const std::string& rows, const std::string& suffix = {}) {
  const std::string table = "CUPTI_ACTIVITY_KIND_KERNEL" + suffix;
  return "CREATE TABLE " + table +
         " (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, "
         "globalPid INTEGER);INSERT INTO " +
         table + " VALUES " + rows + ";";
}
std::string graphs(const std::string& rows) {
  return "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER, deviceId INTEGER, contextId "
         "INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, graphId INTEGER);"
         "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES " +
         rows + ";";
}
std::string calls(const std::string& rows) {
  return "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, correlationId "
         "INTEGER);INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES " +
         rows + ";";
}

std::shared_ptr<const ImportedTrace> nsight(const std::string& sql) {
  const TemporaryFolder folder;
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(folder.file("t.sqlite").c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  sqlite3_close(database);
  const ReadImport read = importTrace(folder.file("t.sqlite"));
  EXPECT_TRUE(read.ok()) << read.error().message;
  return read.ok() ? *read : importedFrom("[]");
}

// Two processes whose ids are the same; 1 << 24 is what globalPid has in front of the thread.
const std::string kTwo =
    kernels(
        "(10000,20000,0,1,7,1,16777216),(50000,60000,0,1,7,2,16777216),"
        "(10000,20000,1,1,7,1,33554432),(50000,60000,1,1,7,2,33554432)") +
    calls("(0,1000,16777217,1),(15000,18000,16777217,2),(5000,6000,33554433,1),(30000,45000,33554433,2)");

TEST(NsightGpus, ALaunchBelongsToTheProcessOfItsKernel) {
  const std::string gaps = "GPU 0: window 50 busy 20 unresolved 30; GPU 1: window 50 busy 20 host 25 unresolved 5";
  const auto imported = nsight(kTwo);
  EXPECT_EQ(gapsOf(*imported), gaps);
  EXPECT_EQ(gapsOf(*importedFrom(toChromeJson(*imported))), gaps) << "also of an import's own file";
  EXPECT_EQ(gapsOf(*importedFrom(toPerfetto(*imported))), gaps) << "and in Perfetto's format";
}

TEST(NsightGpus, AGraphThatStartsOnTheHostIsOfTheDeviceOfItsContext) {
  const std::string two = kernels("(0,10000,0,1,7,1,16777216),(0,10000,1,2,7,2,16777216)");
  EXPECT_EQ(gapsOf(*nsight(two + graphs("(50000,60000,2147483647,2,7,3,16777216,4)"))),
            "GPU 0: window 10 busy 10; GPU 1: window 60 busy 20 unresolved 40");
  const auto unknown = nsight(two + graphs("(50000,60000,2147483647,9,7,3,16777216,4)"));
  EXPECT_EQ(gapsOf(*unknown), "GPU 0: window 10 busy 10; GPU 1: window 10 busy 10");
  EXPECT_EQ(unknown->counts.notes.at("graph_without_device"), 1);
}

TEST(NsightGpus, TablesWithAVersionAreReadAndOthersWithKernelsAreNamed) {
  for (const char* suffix : {"_V2", "_3", "10"})
    EXPECT_EQ(gapsOf(*nsight(kernels("(0,10000,0,1,7,1,16777216),(30000,40000,0,1,7,2,16777216)", suffix))),
              "GPU 0: window 40 busy 20 unresolved 20");
  const auto other =
      nsight(kernels("(0,10000,0,1,7,1,16777216)") + kernels("(0,1,0,1,7,1,1),(2,3,0,1,7,1,1)", "_PARTS"));
  EXPECT_EQ(other->counts.remarks, std::vector<std::string>{"Table CUPTI_ACTIVITY_KIND_KERNEL_PARTS has 2 rows that "
                                                            "are not read, so kernels may be missing."});
}

TEST(NsightGpus, KernelsWithoutTimesAreLeftOut) {
  const auto imported = nsight(kernels("(1000,11000,0,1,7,1,16777216),(0,0,0,1,7,2,16777216)"));
  EXPECT_EQ(gapsOf(*imported), "GPU 0: window 10 busy 10");
  EXPECT_EQ(imported->counts.remarks.at(0),
            "1 of 2 kernels have no time (0: the profiler did not collect it) and are left out. Gaps may be too long "
            "where they ran.");
}

TEST(NsightGpus, WithoutKernelsAskForTheRightRecording) {
  const auto imported = nsight(
      "CREATE TABLE StringIds (id INTEGER, value TEXT); INSERT INTO StringIds VALUES (1,'cudaMalloc');"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER, "
      "correlationId INTEGER);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (10,20,16777217,1,1);");
  EXPECT_TRUE(unknownWorkSentence(*imported).ends_with(
      "Categories: cuda_runtime (1). No kernel was recorded: record again with nsys profile --trace=cuda, while "
      "kernels run."))
      << unknownWorkSentence(*imported);
}

TEST(NsightGpus, WhatTheRecorderReportsIsTold) {
  const auto imported = nsight(
      "CREATE TABLE StringIds (id INTEGER, value TEXT);"
      "CREATE TABLE ENUM_DIAGNOSTIC_SEVERITY_LEVEL (id INTEGER, name TEXT);"
      "INSERT INTO ENUM_DIAGNOSTIC_SEVERITY_LEVEL VALUES (1,'Information'),(2,'Warning');"
      "CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER, severity INTEGER, text TEXT);"
      "INSERT INTO DIAGNOSTIC_EVENT VALUES (1,1,'Started.'),(2,2,'No CUDA events.'),(3,2,'No CUDA events.'),"
      "(4,2,'Not sampled. ' || char(10) || 'Try' || char(13,10) || 'sudo x' || char(10));");
  EXPECT_EQ(imported->counts.remarks, (std::vector<std::string>{"Nsight Systems reports: No CUDA events.",
                                                                "Nsight Systems reports: Not sampled. Try sudo x"}));
  EXPECT_EQ(countsOf(*imported), "");
}

}  // namespace
}  // namespace lanelab
