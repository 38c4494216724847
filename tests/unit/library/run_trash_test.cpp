// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/run_trash.h"

#include <gmock/gmock.h>

#include "tests/unit/library/library_world.h"

namespace lanelab {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class RunTrashTest : public test::LibraryTest {
 protected:
  std::vector<TrashedRun> trashed() const { return trashedRuns(root.string()); }
};

TEST_F(RunTrashTest, ADeletedRunIsGoneFromTheListAndComesBackWhole) {
  const std::string folder = writeRun("one");
  const std::vector<RunEntry> before = indexed().entries();
  const Result<TrashedRun> run = trashRun(folder);
  ASSERT_TRUE(run.ok()) << run.error().message;
  EXPECT_EQ(run->original, folder);
  EXPECT_THAT(indexed().entries(), IsEmpty());
  EXPECT_EQ(trashed(), std::vector<TrashedRun>{*run});
  EXPECT_EQ(*restoreRun(*run), folder);
  EXPECT_EQ(indexed().entries(), before);
  EXPECT_THAT(trashed(), IsEmpty());
}

TEST_F(RunTrashTest, ARestoredRunDoesNotReplaceANewerOneOfItsName) {
  const Result<TrashedRun> run = trashRun(writeRun("one"));
  ASSERT_TRUE(run.ok());
  writeRun("one");
  EXPECT_EQ(*restoreRun(*run), at("one-2"));
}

TEST_F(RunTrashTest, RunsOfOneNameAreDeletedWithinASecond) {
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(trashRun(writeRun("one")).ok());
  EXPECT_THAT(trashed(), SizeIs(3));
}

TEST_F(RunTrashTest, ARunInProgressAndAFolderWithoutARunAreRefused) {
  const Result<RunFolder> folder = RunFolder::create(at("one"));
  ASSERT_TRUE(folder.ok());
  EXPECT_THAT(trashRun(at("one")).error().message, HasSubstr("not a run folder"));
  Result<RunFolder> running = RunFolder::create(at("two"));
  ASSERT_TRUE(running->write(test::doneRecord("two")).ok());
  EXPECT_THAT(trashRun(at("two")).error().message, HasSubstr("in progress"));
  EXPECT_TRUE(fs::exists(at("two")));
}

TEST_F(RunTrashTest, OnlyWhatWasDeletedLongAgoIsRemovedUnlessAllIs) {
  ASSERT_TRUE(trashRun(writeRun("new")).ok());
  const fs::path trash = root / ".lanelab" / "trash";
  fs::create_directories(trash / "20200101T000000Z-old");
  fs::create_directories(trash / "something else");
  EXPECT_EQ(*emptyTrash(root.string()), 1);
  EXPECT_THAT(trashed(), SizeIs(1));
  EXPECT_EQ(*emptyTrash(root.string(), 0), 1);
  EXPECT_THAT(trashed(), IsEmpty());
  EXPECT_TRUE(fs::exists(trash / "something else"));
}

}  // namespace
}  // namespace lanelab
