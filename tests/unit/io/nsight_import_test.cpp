// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/nsight/nsight_import.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <random>

#include "profiler/analysis/idle_causes.h"
#include "profiler/io/import/import_folder.h"
#include "profiler/io/import/trace_import.h"
#include "tests/support/written_trace.h"
#include "tests/unit/io/import_told.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

void writeDatabase(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  char* problem = nullptr;
  const std::string quick = "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF;";
  EXPECT_EQ(sqlite3_exec(database, (quick + sql).c_str(), nullptr, nullptr, &problem), SQLITE_OK) << problem;
  sqlite3_close(database);
}

constexpr std::int64_t kHostProcess = 0x01000000AB000000;  ///< pid 171; the upper bytes number machines
std::string thread(int tid) { return std::to_string(kHostProcess + tid); }

const std::string kStrings =
    "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);"
    "INSERT INTO StringIds VALUES (1,'cudaLaunchKernel_v7000'),(2,'gemm'),(3,'void gemm<float>(int)'),(4,'train "
    "step'),(5,'loader');";
const std::string kKernels =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, "
    "streamId INTEGER, correlationId "
    "INTEGER,"
    " globalPid INTEGER, demangledName INTEGER, shortName INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000,3001,0,1,7,11," +
    std::to_string(kHostProcess) +
    ",3,2),"
    "(4000,5000,1,1,13,12," +
    std::to_string(kHostProcess) + ",99,2),(6000,7000,0,1,7,13," + std::to_string(kHostProcess) + ",99,98);";
const std::string kCopies =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, "
    "streamId INTEGER, correlationId "
    "INTEGER,"
    " bytes INTEGER, copyKind INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (3500,3600,0,1,7,14,4096,1),(3700,3800,0,1,7,15,4096,77);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (3900,3950,0,7);";
const std::string kCalls =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, "
    "nameId INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (500,600," +
    thread(9) + ",11,1),(700,800," + thread(9) + ",14,55);";
const std::string kRanges =
    "CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER, text TEXT, textId INTEGER, "
    "globalTid INTEGER);"
    "INSERT INTO NVTX_EVENTS VALUES (400,900,59,'forward',NULL," +
    thread(9) + "),(450,2000,60,NULL,4," + thread(9) +
    "),"
    "(460,NULL,34,'mark',NULL," +
    thread(9) + "),(470,NULL,59,'open',NULL," + thread(9) +
    "),(0,NULL,75,'domain',NULL,NULL);"
    "CREATE TABLE ThreadNames (nameId INTEGER, priority INTEGER, globalTid INTEGER);"
    "INSERT INTO ThreadNames VALUES (5,0," +
    thread(9) + ");";

TEST(NsightImport, ReadsWhatTheExportHolds) {
  const TemporaryFolder folder;
  writeDatabase(folder.file("t.sqlite"), kStrings + kKernels + kCopies + kCalls + kRanges);
  const ReadImport read = importTrace(folder.file("t.sqlite"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(
      importSummaryJson(**read),
      R"({"format":"nsight","spans":10,"instants":1,"counters":0,"flows":2,"categories":{"cuda_runtime":2,"gpu_memcpy":2,"gpu_memset":1,)"
      R"("kernel":3,"nvtx":2},"problems":{"overlap_to_further_row":1,"unmatched_begin":1},"notes":{"kernel_without_launch":2}})");
  EXPECT_EQ(told(**read), R"told(base 0
lane process 171
lane GPU 0 on cuda:0
lane GPU 1 on cuda:1
lane 0 kind 3 "loader" on 171/9
  [nvtx] forward 400+500
  [cuda_runtime] cudaLaunchKernel_v7000 500+100 correlation 11
  [cuda_runtime] runtime call 700+100 correlation 14
lane 0 kind 3 "loader (2)" on 171/10 part 1 of 9
  [nvtx] train step 450+1550
lane 1 kind 4 "stream 7" on 'GPU 0'/7 gpu 0 stream 7
  [kernel] void gemm<float>(int) 1000+2001 mark 600 correlation 11
  [gpu_memcpy] Memcpy HtoD 3500+100 mark 800 correlation 14
  [gpu_memcpy] Memcpy 3700+100 correlation 15
  [gpu_memset] Memset 3900+50
  [kernel] kernel 6000+1000 correlation 13
lane 2 kind 4 "stream 13" on 'GPU 1'/13 gpu 1 stream 13
  [kernel] gemm 4000+1000 correlation 12
t instant [nvtx] mark at 460 on 171/9
s [ac2g] ac2g 1 at 500 on 171/9
f [ac2g] ac2g 1 at 1000 on 'GPU 0'/7
s [ac2g] ac2g 2 at 700 on 171/9
f [ac2g] ac2g 2 at 3500 on 'GPU 0'/7
)told");
  const ReadImport again = importBytes(toChromeJson(**read));
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(told(**again), told(**read));
  EXPECT_EQ((*again)->format, "nsight");
}

TEST(NsightImport, MissingTablesColumnsAndStringsAreNormal) {
  const std::tuple<const char*, std::string, std::int64_t> table[] = {
      {"strings only", kStrings, 0},
      {"no strings", kKernels, 3},
      {"no correlation, no stream",
       "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER); INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL "
       "VALUES (1,2);",
       1},
      {"names as texts",
       "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, shortName TEXT); INSERT INTO "
       "CUPTI_ACTIVITY_KIND_KERNEL VALUES "
       "(1,2,'k');",
       1},
      {"unknown tables beside it", kCalls + "CREATE TABLE OSRT_API (start INTEGER); INSERT INTO OSRT_API VALUES (3);",
       2}};
  for (const auto& [what, sql, spans] : table) {
    const TemporaryFolder folder;
    writeDatabase(folder.file("t.sqlite"), sql);
    const ReadImport read = importTrace(folder.file("t.sqlite"));
    ASSERT_TRUE(read.ok()) << what << ": " << read.error().message;
    EXPECT_EQ((*read)->counts.spans, spans) << what;
    EXPECT_TRUE((*read)->counts.problems.empty()) << what;
  }
}

TEST(NsightImport, LeadsAnArrowFromACallToAllThatItStartedInItsProcess) {
  const TemporaryFolder folder;
  const std::string other = std::to_string(kHostProcess + (std::int64_t{1} << 24));
  writeDatabase(folder.file("t.sqlite"),
                kStrings +
                    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, streamId "
                    "INTEGER, correlationId INTEGER, globalPid INTEGER);"
                    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000,1100,0,7,5," +
                    std::to_string(kHostProcess) + "),(1200,1300,0,7,5," + std::to_string(kHostProcess) +
                    "),(1500,1600,1,7,5," + other +
                    ");"
                    "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER, deviceId INTEGER, "
                    "streamId INTEGER, correlationId INTEGER, graphId INTEGER);"
                    "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (2000,2500,0,7,6,42);"
                    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, "
                    "correlationId INTEGER, nameId INTEGER);"
                    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (500,600," +
                    thread(9) + ",5,1),(700,800," + thread(9) + ",6,1),(900,950," + thread(9) + ",7,1);");
  const ReadImport read = importTrace(folder.file("t.sqlite"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->counts.flows, 2);
  EXPECT_EQ((*read)->flow_ends.size(), 5u) << "one call started two kernels, the other a graph; the third nothing";
  EXPECT_TRUE((*read)->counts.problems.empty());
  EXPECT_NE(told(**read).find("[kernel] CUDA graph 42 2000+500 mark 800"), std::string::npos) << told(**read);
}

TEST(NsightImport, ReadsWaitsAndSystemCallsAndCountsWhatItDoesNotUse) {
  const TemporaryFolder folder;
  writeDatabase(folder.file("t.sqlite"),
                kStrings + kKernels +
                    "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER, deviceId INTEGER, "
                    "contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, syncType INTEGER);"
                    "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (1000,9000,0,1,7,9,1,3),(1,2,0,1,7,9,1,99);"
                    "CREATE TABLE OSRT_API (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER);"
                    "INSERT INTO OSRT_API VALUES (10,20," +
                    thread(9) + ",2),(NULL,20," + thread(9) +
                    ",2);"
                    "CREATE TABLE PROFILER_OVERHEAD (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER);"
                    "INSERT INTO PROFILER_OVERHEAD VALUES (30,40," +
                    thread(9) +
                    ",NULL);"
                    "CREATE TABLE GPU_METRICS (timestamp INTEGER, typeId INTEGER, metricId INTEGER, value INTEGER);"
                    "INSERT INTO GPU_METRICS VALUES (1,1,1,50),(2,1,1,60),(3,1,1,70);"
                    "CREATE TABLE SCHED_EVENTS (start INTEGER, cpu INTEGER);"
                    "CREATE TABLE ENUM_CUPTI_SYNC_TYPE (id INTEGER, name TEXT);"
                    "INSERT INTO ENUM_CUPTI_SYNC_TYPE VALUES (1, 'x');");
  const ReadImport read = importTrace(folder.file("t.sqlite"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  const std::map<std::string, std::int64_t>& categories = (*read)->counts.categories;
  EXPECT_EQ(categories.at("cuda_sync"), 2);
  EXPECT_EQ(categories.at("osrt"), 1);
  EXPECT_EQ(categories.at("overhead"), 1);
  EXPECT_TRUE((*read)->counts.problems.empty());
  EXPECT_EQ((*read)->counts.notes,
            (std::map<std::string, std::int64_t>{{"GPU_METRICS", 3}, {"OSRT_API", 1}, {"kernel_without_launch", 3}}));
  EXPECT_EQ(explainIdle(**read).lanes[0].busy, 3001) << "a wait for a stream is no work of it";
}

TEST(NsightImport, CountsRowsThatMakeNoSpan) {
  const TemporaryFolder folder;
  writeDatabase(folder.file("t.sqlite"),
                "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER);"
                "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1,2),(NULL,2),(1,NULL),(5,4),('x',9);");
  const ReadImport read = importTrace(folder.file("t.sqlite"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->counts.spans, 1);
  EXPECT_EQ((*read)->counts.problems, (std::map<std::string, std::int64_t>{{"bad_number", 4}}));
}

TEST(NsightImport, LeavesFileAndFolderAsTheyAre) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("in"));
  const std::string path = folder.file("in/50% of #1?.sqlite");
  writeDatabase(path, kStrings + kKernels);
  const std::string before = contentOf(path);
  ASSERT_TRUE(importTrace(path).ok());
  EXPECT_EQ(contentOf(path), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.file("in")), {}), 1);
}

TEST(NsightImport, SaysWhatToDoWithOtherFiles) {
  const TemporaryFolder folder;
  writeDatabase(folder.file("whole.sqlite"), kStrings + kKernels + kCopies + kCalls + kRanges);
  writeDatabase(folder.file("other.sqlite"), "CREATE TABLE bookmarks (url TEXT);");
  const std::string whole = contentOf(folder.file("whole.sqlite"));
  writeContent(folder.file("cut.sqlite"), whole.substr(0, whole.size() / 2));
  writeContent(folder.file("head.sqlite"), whole.substr(0, 50));
  writeContent(folder.file("report.nsys-rep"), "anything");
  for (const char* name : {"other.sqlite", "cut.sqlite", "head.sqlite", "report.nsys-rep"}) {
    const ReadImport read = importTrace(folder.file(name));
    EXPECT_FALSE(read.ok()) << name;
    EXPECT_NE(read.error().message.find("nsys export"), std::string::npos) << read.error().message;
    EXPECT_NE(read.error().message.find(folder.file(name)), std::string::npos) << read.error().message;
  }
}

TEST(NsightImport, DamageGivesWhatCanBeReadOrAnError) {
  const TemporaryFolder folder;
  writeDatabase(folder.file("whole.sqlite"), kStrings + kKernels + kCopies + kCalls + kRanges);
  const std::string whole = contentOf(folder.file("whole.sqlite"));
  std::mt19937 random(5);
  for (int round = 0; round < 100; ++round) {
    std::string damaged = whole;
    for (int i = 0; i < 20; ++i) damaged[16 + random() % (damaged.size() - 16)] = static_cast<char>(random());
    writeContent(folder.file("t.sqlite"), damaged);
    const ReadImport read = importTrace(folder.file("t.sqlite"));
    ASSERT_TRUE(read.ok() ? *read != nullptr : !read.error().message.empty());
    if (read.ok()) toChromeJson(**read);
  }
}

/// Spans and problems of an import of a database that these statements make.
std::string importOf(const std::string& sql) {
  const TemporaryFolder folder;
  writeDatabase(folder.file("t.sqlite"), sql);
  const ReadImport read = importTrace(folder.file("t.sqlite"));
  if (!read.ok()) return read.error().message;
  std::string told = std::to_string((*read)->counts.spans) + " spans";
  for (const auto& [problem, count] : (*read)->counts.problems) told += ", " + std::to_string(count) + " " + problem;
  return told;
}

TEST(NsightImport, ReadsTablesOnly) {
  const std::string endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) ";
  const std::string one_kernel =
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER); INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL "
      "VALUES (1,2);";
  const std::pair<const char*, std::string> table[] = {
      {"endless recursion",
       kStrings + "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS " + endless + "SELECT i AS start, i AS end FROM n"},
      {"endless recursion without a row", kStrings + "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS " + endless +
                                              "SELECT i AS start, i AS end FROM n WHERE i < 0"},
      {"cross join", kStrings + "CREATE TABLE t (x); INSERT INTO t VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9),(10);"
                                "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT count(*) AS start, 1 AS end FROM t "
                                "a,t b,t c,t d,t e,t f,t g,t h,t i,t j,t k"},
      {"zeroblob",
       "CREATE TABLE NVTX_EVENTS (start, end); CREATE VIEW StringIds AS SELECT 1 AS id, hex(zeroblob(400000000)) AS "
       "value"},
      {"printf",
       "CREATE TABLE NVTX_EVENTS (start, end); CREATE VIEW StringIds AS SELECT 1 AS id, printf('%900000000d', 1) AS "
       "value"},
      {"group_concat",
       "CREATE TABLE NVTX_EVENTS (start, end);"
       "CREATE VIEW StringIds AS " +
           endless + "SELECT 1 AS id, group_concat(printf('%9000000d', i)) AS value FROM n"},
      {"virtual table", kStrings + "CREATE VIRTUAL TABLE CUPTI_ACTIVITY_KIND_KERNEL USING fts5(start, end)"}};
  for (const auto& [what, sql] : table) EXPECT_EQ(importOf(sql), "0 spans") << what;
  EXPECT_EQ(importOf(one_kernel + "CREATE VIEW mine AS SELECT * FROM CUPTI_ACTIVITY_KIND_KERNEL"), "1 spans");
  EXPECT_EQ(importOf("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, shortName TEXT AS "
                     "(printf('%900000000d', start)));"
                     "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1,2)"),
            "1 spans");
}

TEST(NsightImport, EndsTablesThatHoldMoreThanTheFile) {
  // The table's root (an interior page, 5) comes to refer to its first leaf again and again, and with that to the long
  // text of the first row.
  const TemporaryFolder folder;
  writeDatabase(
      folder.file("t.sqlite"),
      "PRAGMA page_size = 512; CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, text TEXT);"
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1500)"
      "INSERT INTO NVTX_EVENTS SELECT i, i + 1, CASE i WHEN 1 THEN printf('%500000d', i) ELSE 'x' END FROM n");
  std::string bytes = contentOf(folder.file("t.sqlite"));
  constexpr std::size_t kRoot = 512, kHeader = 12;
  ASSERT_EQ(bytes[kRoot], 5);
  const auto two = [&](std::size_t at) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at])) << 8U |
           static_cast<unsigned char>(bytes[at + 1]);
  };
  const std::size_t cells = two(kRoot + 3);
  ASSERT_GT(cells, 20u);
  for (std::size_t cell = 0; cell < cells; ++cell)
    bytes.replace(kRoot + two(kRoot + kHeader + 2 * cell), 4, bytes, kRoot + two(kRoot + kHeader), 4);
  writeContent(folder.file("t.sqlite"), bytes);
  const ReadImport read = importTrace(folder.file("t.sqlite"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->counts.problems.at("damaged_table"), 1);
  EXPECT_LE((*read)->counts.spans, 1000);
}

TEST(NsightImport, CutsLongNames) {
  const TemporaryFolder folder;
  writeDatabase(folder.file("t.sqlite"),
                "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT); INSERT INTO StringIds VALUES (1, "
                "replace(hex(zeroblob(40000)), '00', 'é'));"
                "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, shortName INTEGER);"
                "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1,2,1),(3,4,1)");
  const ReadImport read = importTrace(folder.file("t.sqlite"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->counts.problems.at("long_name"), 1);
  const Trace& trace = *(*read)->trace;
  EXPECT_EQ(trace.nameOf(trace.tracks.at(0).spans[0]).size(), 65536u);
}

TEST(NsightImport, ReadsTheLogAndLeavesItThere) {
  const TemporaryFolder folder;
  const TemporaryFolder source;
  sqlite3* writer = nullptr;
  ASSERT_EQ(sqlite3_open(source.file("t.sqlite").c_str(), &writer), SQLITE_OK);
  const std::string sql = "PRAGMA journal_mode = WAL;" + kKernels;
  EXPECT_EQ(sqlite3_exec(writer, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
  for (const char* name : {"t.sqlite", "t.sqlite-wal"})
    std::filesystem::copy_file(source.file(name), folder.file(name));
  sqlite3_close(writer);
  const std::string log = contentOf(folder.file("t.sqlite-wal"));
  const ReadImport read = importTrace(folder.file("t.sqlite"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->counts.spans, 3);
  EXPECT_EQ(contentOf(folder.file("t.sqlite-wal")), log);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);
}

TEST(NsightImport, EndsWhenItIsCancelled) {
  const TemporaryFolder folder;
  writeDatabase(folder.file("t.sqlite"), kStrings + kKernels);
  std::stop_source source;
  source.request_stop();
  ImportLimits limits;
  limits.stop = source.get_token();
  const ReadImport read = importNsight(folder.file("t.sqlite"), limits);
  EXPECT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("cancelled"), std::string::npos) << read.error().message;
}

TEST(NsightImport, TimesAndDevicesOutOfReachAreCounted) {
  EXPECT_EQ(importOf("CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT);"
                     "INSERT INTO NVTX_EVENTS VALUES (9223372036854775807, NULL, 34, 'late'), (-9223372036854775808, "
                     "NULL, 34, 'early');"
                     "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER);"
                     "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 9223372036854775807)"),
            "1 spans, 2 bad_number");
}

TEST(NsightImport, ManyOwnersOfOneStreamShareItsLastRow) {
  const TemporaryFolder folder;
  writeDatabase(
      folder.file("t.sqlite"),
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, contextId INTEGER, globalPid INTEGER);"
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000)"
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i, i + 1, i, i FROM n");
  const ReadImport read = importTrace(folder.file("t.sqlite"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->counts.spans, 1000);
  EXPECT_EQ((*read)->trace->tracks.size(), 256u);
}

}  // namespace
}  // namespace lanelab
