#include "profiler/io/nsight_import.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <random>

#include "profiler/io/import_folder.h"
#include "profiler/io/imported_writer.h"
#include "tests/unit/io/import_told.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

void writeDatabase(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  char* problem = nullptr;
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &problem), SQLITE_OK) << problem;
  sqlite3_close(database);
}

constexpr std::int64_t host_process = 0x01000000AB000000;  ///< pid 171; the upper bytes number machines
std::string thread(int tid) { return std::to_string(host_process + tid); }

const std::string strings =
    "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);"
    "INSERT INTO StringIds VALUES (1,'cudaLaunchKernel_v7000'),(2,'gemm'),(3,'void gemm<float>(int)'),(4,'train step'),(5,'loader');";
const std::string kernels =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId "
    "INTEGER,"
    " globalPid INTEGER, demangledName INTEGER, shortName INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000,3001,0,1,7,11," +
    std::to_string(host_process) +
    ",3,2),"
    "(4000,5000,1,1,13,12," +
    std::to_string(host_process) + ",99,2),(6000,7000,0,1,7,13," + std::to_string(host_process) + ",99,98);";
const std::string copies =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId "
    "INTEGER,"
    " bytes INTEGER, copyKind INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (3500,3600,0,1,7,14,4096,1),(3700,3800,0,1,7,15,4096,77);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (3900,3950,0,7);";
const std::string calls =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (500,600," +
    thread(9) + ",11,1),(700,800," + thread(9) + ",14,55);";
const std::string ranges =
    "CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER, text TEXT, textId INTEGER, globalTid INTEGER);"
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
  writeDatabase(folder.file("t.sqlite"), strings + kernels + copies + calls + ranges);
  const ReadImport read = importTrace(folder.file("t.sqlite"));
  ASSERT_TRUE(read.imported) << read.error;
  EXPECT_EQ(importSummaryJson(*read.imported),
            R"({"format":"nsight","spans":10,"instants":1,"counters":0,"flows":0,"categories":{"cuda_runtime":2,"gpu_memcpy":2,"gpu_memset":1,)"
            R"("kernel":3,"nvtx":2},"problems":{"overlap_to_further_row":1,"unmatched_begin":1}})");
  EXPECT_EQ(told(*read.imported), R"told(base 0
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
)told");
  const ReadImport again = importJson(toChromeJson(*read.imported));
  ASSERT_TRUE(again.imported) << again.error;
  EXPECT_EQ(told(*again.imported), told(*read.imported));
  EXPECT_EQ(again.imported->format, "nsight");
}

TEST(NsightImport, MissingTablesColumnsAndStringsAreNormal) {
  const std::tuple<const char*, std::string, std::int64_t> table[] = {
      {"strings only", strings, 0},
      {"no strings", kernels, 3},
      {"no correlation, no stream",
       "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER); INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1,2);", 1},
      {"names as texts",
       "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, shortName TEXT); INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES "
       "(1,2,'k');",
       1},
      {"unknown tables beside it", calls + "CREATE TABLE OSRT_API (start INTEGER); INSERT INTO OSRT_API VALUES (3);", 2}};
  for (const auto& [what, sql, spans] : table) {
    const TemporaryFolder folder;
    writeDatabase(folder.file("t.sqlite"), sql);
    const ReadImport read = importTrace(folder.file("t.sqlite"));
    ASSERT_TRUE(read.imported) << what << ": " << read.error;
    EXPECT_EQ(read.imported->counts.spans, spans) << what;
    EXPECT_TRUE(read.imported->counts.problems.empty()) << what;
  }
}

TEST(NsightImport, CountsRowsThatMakeNoSpan) {
  const TemporaryFolder folder;
  writeDatabase(folder.file("t.sqlite"),
                "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER);"
                "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1,2),(NULL,2),(1,NULL),(5,4),('x',9);");
  const ReadImport read = importTrace(folder.file("t.sqlite"));
  ASSERT_TRUE(read.imported) << read.error;
  EXPECT_EQ(read.imported->counts.spans, 1);
  EXPECT_EQ(read.imported->counts.problems, (std::map<std::string, std::int64_t>{{"bad_number", 4}}));
}

TEST(NsightImport, LeavesFileAndFolderAsTheyAre) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("in"));
  const std::string path = folder.file("in/50% of #1?.sqlite");
  writeDatabase(path, strings + kernels);
  const std::string before = contentOf(path);
  ASSERT_TRUE(importTrace(path).imported);
  EXPECT_EQ(contentOf(path), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.file("in")), {}), 1);
}

TEST(NsightImport, SaysWhatToDoWithOtherFiles) {
  const TemporaryFolder folder;
  writeDatabase(folder.file("whole.sqlite"), strings + kernels + copies + calls + ranges);
  writeDatabase(folder.file("other.sqlite"), "CREATE TABLE bookmarks (url TEXT);");
  const std::string whole = contentOf(folder.file("whole.sqlite"));
  writeContent(folder.file("cut.sqlite"), whole.substr(0, whole.size() / 2));
  writeContent(folder.file("head.sqlite"), whole.substr(0, 50));
  writeContent(folder.file("report.nsys-rep"), "anything");
  for (const char* name : {"other.sqlite", "cut.sqlite", "head.sqlite", "report.nsys-rep"}) {
    const ReadImport read = importTrace(folder.file(name));
    EXPECT_FALSE(read.imported) << name;
    EXPECT_NE(read.error.find("nsys export"), std::string::npos) << read.error;
    EXPECT_NE(read.error.find(folder.file(name)), std::string::npos) << read.error;
  }
}

TEST(NsightImport, DamageGivesWhatCanBeReadOrAnError) {
  const TemporaryFolder folder;
  writeDatabase(folder.file("whole.sqlite"), strings + kernels + copies + calls + ranges);
  const std::string whole = contentOf(folder.file("whole.sqlite"));
  std::mt19937 random(5);
  for (int round = 0; round < 100; ++round) {
    std::string damaged = whole;
    for (int i = 0; i < 20; ++i) damaged[16 + random() % (damaged.size() - 16)] = static_cast<char>(random());
    writeContent(folder.file("t.sqlite"), damaged);
    const ReadImport read = importTrace(folder.file("t.sqlite"));
    ASSERT_NE(read.imported == nullptr, read.error.empty());
    if (read.imported) toChromeJson(*read.imported);
  }
}

}  // namespace
}  // namespace lanelab
