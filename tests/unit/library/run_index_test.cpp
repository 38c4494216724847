// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/run_index.h"
#include "tests/support/written_labels.h"

#include <gmock/gmock.h>
#include <sqlite3.h>

#include <fstream>

#include "tests/unit/library/library_world.h"

namespace lanelab {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::SizeIs;

class RunIndexTest : public test::LibraryTest {
 protected:
  fs::path indexPath() const { return root / ".lanelab" / "index" / "runs.sqlite"; }

  /// Changes run.json so that its time and size remain: only one who reads it again sees it.
  static void changeUnseen(const std::string& folder) {
    const fs::path path = fs::path(folder) / "run.json";
    const auto time = fs::last_write_time(path);
    std::ifstream in(path);
    std::string text(std::istreambuf_iterator<char>(in), {});
    const std::size_t place = text.find("2026-01-02");
    ASSERT_NE(place, std::string::npos);
    text.replace(place, 4, "2027");
    std::ofstream(path) << text;
    fs::last_write_time(path, time);
  }

  std::string startOf(const RunIndex& index) const { return index.entries().at(0).started; }
};

std::vector<std::string> idsOf(const RunIndex& index) {
  std::vector<std::string> ids;
  for (const RunEntry& run : index.entries()) ids.push_back(run.id);
  return ids;
}

TEST_F(RunIndexTest, ListsTheRunsNewestFirst) {
  writeRun("old", test::doneRecord("old", "2026-01-01T00:00:00Z"));
  writeRun("new", test::doneRecord("new", "2026-01-03T00:00:00Z"));
  EXPECT_THAT(idsOf(indexed()), ElementsAre("new", "old"));
}

TEST_F(RunIndexTest, ShowsThePipelineAndItsSpeedUpVsTheBaseline) {
  writeRun("one");
  const RunIndex index = indexed();
  const RunEntry& run = index.entries().at(0);
  ASSERT_NE(run.shownVariant(), nullptr);
  EXPECT_EQ(run.shownVariant()->name, "Pipeline");
  EXPECT_EQ(run.baseline, "Single");
  EXPECT_EQ(run.shownVariant()->micro_batch_size, 2);
  EXPECT_DOUBLE_EQ(*run.shownVariant()->samples_per_second, 32);
  EXPECT_DOUBLE_EQ(*run.shownVariant()->step_seconds, 0.25);
  EXPECT_NEAR(*run.shownVariant()->speed_up, 2, 1e-9);
  EXPECT_EQ(run.shownVariant()->speed_up_text.rfind("2.00x", 0), 0U) << "with its interval, or why it has none";
  EXPECT_NEAR(*run.shownVariant()->step_forecast_error, 0.1, 1e-9);
  EXPECT_NEAR(*run.shownVariant()->memory_forecast_error, 0.1, 1e-9);
}

TEST_F(RunIndexTest, ShowsThePipelineWhateverIsMeasured) {
  struct Case {
    double pipeline_seconds;  ///< per repeat, of 1 s for Single; 0: not measured yet
    std::string text;
  };
  for (const Case& c :
       {Case{0, ""}, Case{1.25, "1.25x slower ("}, Case{0.5, "2.00x ("}, Case{1, "no clear difference ("}}) {
    RunRecord record = test::doneRecord("run");
    RepeatRecord repeat{c.pipeline_seconds, {c.pipeline_seconds / 2, c.pipeline_seconds / 2}, {1, 1}};
    record.variants[1].repeats.assign(c.pipeline_seconds > 0 ? 6 : 0, repeat);
    ASSERT_TRUE(refreshStatistics(record).ok());
    const RunEntry entry = entryOf("/runs/run", record, {});
    EXPECT_EQ(entry.shownVariant()->name, "Pipeline");
    EXPECT_EQ(entry.shownVariant()->speed_up_text.substr(0, c.text.size()), c.text);
    EXPECT_EQ(entry.shownVariant()->speed_up_text.empty(), c.text.empty());
  }
  RunRecord record = test::doneRecord("run");
  record.variants[1].strategy = Strategy::ModelParallel;
  EXPECT_EQ(entryOf("/runs/run", record, {}).shown, 1) << "the first after the baseline";
  ASSERT_TRUE(refreshStatistics(record, "Pipeline").ok());
  EXPECT_EQ(entryOf("/runs/run", record, {}).shown, 0);
  record.variants.clear();
  ASSERT_TRUE(refreshStatistics(record).ok());
  EXPECT_EQ(entryOf("/runs/run", record, {}).shown, -1);
}

TEST_F(RunIndexTest, ASecondIndexHasTheSameEntriesWithoutReadingARun) {
  const std::string folder = writeRun("one");
  ASSERT_TRUE(test::writeLabels(folder, {"First try", {"night", "cpu"}, "Two\nlines", true}).ok());
  age(folder);
  const std::vector<RunEntry> first = indexed().entries();
  changeUnseen(folder);
  RunIndex second({root.string()});
  EXPECT_EQ(second.entries(), first);
  EXPECT_FALSE(second.refresh());
  EXPECT_EQ(second.entries(), first);
  second.rebuild();
  EXPECT_EQ(startOf(second), "2027-01-02T03:04:05Z");
}

TEST_F(RunIndexTest, ARefreshFindsNewChangedAndRemovedRuns) {
  const std::string one = writeRun("one");
  const std::string two = writeRun("two");
  age(one);
  age(two);
  RunIndex index = indexed();
  EXPECT_FALSE(index.refresh());
  ASSERT_TRUE(test::writeLabels(one, {"Renamed", {}, "", false}).ok());
  fs::remove_all(two);
  writeRun("three");
  EXPECT_TRUE(index.refresh());
  EXPECT_THAT(idsOf(index), ElementsAre("one", "three"));
  EXPECT_EQ(index.entries().at(0).name(), "Renamed");
  EXPECT_EQ(RunIndex({root.string()}).entries(), index.entries());
}

TEST_F(RunIndexTest, ADamagedRunIsListedWithItsError) {
  const std::string folder = writeRun("one");
  std::ofstream(fs::path(folder) / "run.json") << "{ \"schema\": ";
  const RunIndex index = indexed();
  ASSERT_THAT(index.entries(), SizeIs(1));
  EXPECT_TRUE(index.entries()[0].damaged);
  EXPECT_THAT(index.entries()[0].error, testing::HasSubstr("not valid JSON"));
  EXPECT_EQ(index.entries()[0].name(), "one");
}

TEST_F(RunIndexTest, ARunInProgressIsInterruptedOnceItsProcessIsGone) {
  RunRecord record = test::doneRecord("one");
  record.status = RunStatus::Running;
  RunIndex index({root.string()});
  {
    Result<RunFolder> folder = RunFolder::create(at("one"));
    ASSERT_TRUE(folder.ok());
    ASSERT_TRUE(folder->write(record).ok());
    age(folder->path());
    index.refresh();
    EXPECT_EQ(index.entries().at(0).status, RunStatus::Running);
  }
  EXPECT_TRUE(index.refresh());
  EXPECT_EQ(index.entries().at(0).status, RunStatus::Interrupted);
}

TEST_F(RunIndexTest, ADamagedIndexIsMadeAgain) {
  age(writeRun("one"));
  const std::vector<RunEntry> runs = indexed().entries();
  fs::resize_file(indexPath(), 100);
  EXPECT_EQ(indexed().entries(), runs);
  std::ofstream(indexPath()) << "this is not a database, whatever its name says, and it is longer than a header";
  EXPECT_EQ(indexed().entries(), runs);
  EXPECT_EQ(RunIndex({root.string()}).entries(), runs);
}

TEST_F(RunIndexTest, AnIndexOfAnotherVersionOrWithForeignTablesIsMadeAgain) {
  age(writeRun("one"));
  const std::vector<RunEntry> runs = indexed().entries();
  for (const char* change :
       {"PRAGMA user_version = 99", "ALTER TABLE runs DROP COLUMN note", "CREATE VIEW other AS SELECT * FROM runs",
        "UPDATE runs SET shown = 7", "UPDATE runs SET folder = '../elsewhere'"}) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(indexPath().c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, change, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
    EXPECT_TRUE(RunIndex({root.string()}).entries().empty()) << change;
    EXPECT_EQ(indexed().entries(), runs) << change;
    EXPECT_EQ(RunIndex({root.string()}).entries(), runs) << change;
  }
}

TEST_F(RunIndexTest, RunsAreListedWhereNoIndexCanBeWritten) {
  writeRun("one");
  std::ofstream(root / ".lanelab") << "in the way";
  EXPECT_THAT(idsOf(indexed()), ElementsAre("one"));
}

TEST_F(RunIndexTest, AFolderBehindALinkHasAnIndex) {
  age(writeRun("one"));
  const std::string link = m_folder.file("link");
  fs::create_directory_symlink(root, link);
  RunIndex({link}).refresh();
  EXPECT_TRUE(fs::exists(indexPath()));
  EXPECT_THAT(RunIndex({link}).entries(), SizeIs(1));
}

TEST_F(RunIndexTest, AFolderThatIsGoneIsNotMadeAgain) {
  writeRun("one");
  RunIndex index = indexed();
  fs::remove_all(root);
  EXPECT_TRUE(index.refresh());
  EXPECT_TRUE(index.entries().empty());
  EXPECT_FALSE(fs::exists(root));
}

TEST_F(RunIndexTest, SeveralFoldersAndSingleRunsMakeOneList) {
  writeRun("a/one");
  writeRun("b/two");
  RunIndex index({at("a"), at("b/two"), at("absent")});
  index.refresh();
  EXPECT_THAT(idsOf(index), testing::UnorderedElementsAre("one", "two"));
  EXPECT_FALSE(fs::exists(root / "b" / "two" / ".lanelab"));
}

}  // namespace
}  // namespace lanelab
