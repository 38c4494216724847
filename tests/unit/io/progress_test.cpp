// SPDX-License-Identifier: GPL-3.0-only
// Imports and exports of traces: they count what they do up to a total known from the start, and a cancel ends them at
// once and leaves nothing behind.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>

#include "profiler/io/import/import_folder.h"
#include "profiler/io/import/imported_writer.h"
#include "profiler/io/import/trace_import.h"
#include "profiler/io/perfetto/perfetto_writer.h"
#include "profiler/io/tables/csv_tables.h"
#include "tests/support/seen_progress.h"
#include "tests/support/temporary_folder.h"

namespace lanelab {
namespace {

using test::CancelAfter;
using test::TemporaryFolder;

constexpr int kEvents = 60'000;  // some megabytes

/// A trace of another program.
std::string chromeText() {
  std::string text = "[";
  for (int i = 0; i < kEvents; ++i)
    text += (i > 0 ? ",\n" : "") + std::string(R"({"ph":"X","name":"kernel )") + std::to_string(i % 50) +
            R"(","cat":"kernel","pid":0,"tid":7,"dur":3,"ts":)" + std::to_string(4 * i) + "}";
  return text + "]";
}

std::shared_ptr<const ImportedTrace> imported(const std::string& path) {
  const ReadImport read = importTrace(path);
  EXPECT_TRUE(read.ok()) << read.error().message;
  return *read;
}

/// A file of each format, each with the same events.
std::vector<std::string> writeEachFormat(const TemporaryFolder& folder) {
  std::vector<std::string> paths = {folder.write("t.json", chromeText())};
  const auto trace = imported(paths.front());
  paths.push_back(folder.file("t.pftrace"));
  EXPECT_TRUE(writePerfettoTrace(*trace, paths.back()).ok());
  paths.push_back(folder.file("t.json.gz"));
  EXPECT_TRUE(writeChromeTrace(*trace, paths.back()).ok());
  paths.push_back(folder.file("t.sqlite"));
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(paths.back().c_str(), &database), SQLITE_OK);
  const std::string sql =
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,"
      " streamId INTEGER, correlationId INTEGER, globalPid INTEGER, shortName INTEGER);"
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)"
      " INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT 4000 * i, 4000 * i + 3000, 0, 1, 7, i, 16777216, 1 FROM n;";
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
  return paths;
}

TEST(ImportProgress, OfEachFormatRisesToATotalThatIsKnownFromTheStart) {
  const TemporaryFolder folder;
  for (const std::string& path : writeEachFormat(folder)) {
    SCOPED_TRACE(path);
    std::vector<Progress> seen;
    ASSERT_TRUE(importTrace(path, {.report = test::into(seen)}).ok());
    test::expectSteadyProgress(seen);
    EXPECT_EQ(seen.front().phase, "Reading " + std::filesystem::path(path).filename().string());
    EXPECT_GT(seen.front().total, static_cast<std::int64_t>(std::filesystem::file_size(path))) << "bytes and more";
  }
}

TEST(ImportProgress, NothingMoreIsReadAfterACancel) {
  const TemporaryFolder folder;
  for (const std::string& path : writeEachFormat(folder)) {
    SCOPED_TRACE(path);
    CancelAfter cancel(2);
    const ReadImport read = importTrace(path, {.stop = cancel.control().stop, .report = cancel.control().report});
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().kind, Error::Kind::Cancelled);
    EXPECT_EQ(cancel.seen(), 2);
  }
}

/// Each way to write an imported trace into a file.
struct Writer {
  const char* file;
  Status (*write)(const ImportedTrace&, const std::string& path, const WorkControl&);
};
const Writer kWriters[] = {
    {"t.json",
     [](const auto& trace, const auto& path, const auto& control) { return writeChromeTrace(trace, path, control); }},
    {"t.json.gz",
     [](const auto& trace, const auto& path, const auto& control) { return writeChromeTrace(trace, path, control); }},
    {"t.pftrace", writePerfettoTrace},
    {"t.csv", writeSpanTable},
    {"new/folder",
     [](const auto& trace, const auto& path, const auto& control) { return writeImport(trace, "t", path, control); }}};

TEST(ExportProgress, OfEachFormatRisesToATotalThatIsKnownFromTheStart) {
  const TemporaryFolder folder;
  const auto trace = imported(folder.write("from.json", chromeText()));
  for (const Writer& writer : kWriters) {
    SCOPED_TRACE(writer.file);
    std::vector<Progress> seen;
    ASSERT_TRUE(writer.write(*trace, folder.file(writer.file), {test::into(seen)}).ok());
    test::expectSteadyProgress(seen);
    EXPECT_GT(seen.size(), 20u);
  }
}

TEST(ExportProgress, NothingMoreIsWrittenAfterACancelAndNothingIsLeftBehind) {
  const TemporaryFolder folder;
  const auto trace = imported(folder.write("from.json", chromeText()));
  for (const Writer& writer : kWriters) {
    SCOPED_TRACE(writer.file);
    CancelAfter cancel(5);
    const Status written = writer.write(*trace, folder.file(writer.file), cancel.control());
    ASSERT_FALSE(written.ok());
    EXPECT_EQ(written.error().kind, Error::Kind::Cancelled);
    EXPECT_EQ(cancel.seen(), 5);
    EXPECT_FALSE(std::filesystem::exists(folder.file(writer.file)));
  }
  std::filesystem::remove(folder.file("new"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "the file that was read";
}

TEST(ExportProgress, ACancelLeavesAnEarlierFileAsItWas) {
  const TemporaryFolder folder;
  const auto trace = imported(folder.write("from.json", chromeText()));
  const std::string path = folder.write("t.csv", "earlier");
  CancelAfter cancel(2);
  EXPECT_FALSE(writeSpanTable(*trace, path, cancel.control()).ok());
  EXPECT_EQ(test::contentOf(path), "earlier");
}

}  // namespace
}  // namespace lanelab
