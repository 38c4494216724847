// SPDX-License-Identifier: GPL-3.0-only
#include "engine/frameworks/written_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <stop_token>

#include "tests/support/temporary_folder.h"

namespace lanelab {
namespace {

TEST(WrittenFiles, AreTextsAndCopiesInANewFolder) {
  const test::TemporaryFolder place;
  const std::string weights = place.write("weights.bin", "0123");
  const std::string folder = place.file("a/plan");
  std::vector<std::string> phases;
  const WorkControl control{[&](const Progress& progress) { phases.push_back(progress.phase); }};
  ASSERT_TRUE(writeFiles({.texts = {{"plan.py", "x = 1\n"}}, .copies = {{"w", weights}}}, folder, control).ok());
  EXPECT_EQ(test::contentOf(folder + "/plan.py"), "x = 1\n");
  EXPECT_EQ(test::contentOf(folder + "/w"), "0123");
  EXPECT_EQ(phases, (std::vector<std::string>{"Writing plan.py", "Writing w"}));
}

TEST(WrittenFiles, ACancelLeavesNothingOfThem) {
  const test::TemporaryFolder place;
  const std::string weights = place.write("weights.bin", "0123");
  const WrittenFiles files{.texts = {{"plan.py", "x = 1\n"}}, .copies = {{"w", weights}}};
  std::stop_source stop;
  const WorkControl control{[&](const Progress& progress) {
                              if (progress.phase == "Writing w") stop.request_stop();
                            },
                            stop.get_token()};
  const Status written = writeFiles(files, place.file("new"), control);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().kind, Error::Kind::Cancelled);
  EXPECT_FALSE(std::filesystem::exists(place.file("new")));
  std::filesystem::create_directory(place.file("own"));
  EXPECT_FALSE(writeFiles(files, place.file("own"), control).ok());
  EXPECT_TRUE(std::filesystem::is_empty(place.file("own"))) << "a folder that was there stays";
}

TEST(WrittenFiles, AFolderThatIsNotEmptyIsRefused) {
  const test::TemporaryFolder place;
  place.write("full/mine.txt", "x");
  const Status refused = writeFiles({.texts = {{"plan.py", ""}}}, place.file("full"));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, Error::Kind::BadInput);
  EXPECT_FALSE(std::filesystem::exists(place.file("full/plan.py")));
}

}  // namespace
}  // namespace lanelab
