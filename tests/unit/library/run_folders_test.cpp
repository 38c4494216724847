// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/run_folders.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>

#include "tests/support/temporary_folder.h"

namespace lanelab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RunFoldersTest : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("XDG_DATA_HOME", m_folder.file("data").c_str(), 1);
    ::setenv("XDG_CONFIG_HOME", m_folder.file("config").c_str(), 1);
  }
  void TearDown() override {
    ::unsetenv("XDG_DATA_HOME");
    ::unsetenv("XDG_CONFIG_HOME");
  }
  const test::TemporaryFolder m_folder;
};

TEST_F(RunFoldersTest, AreTheUsersOwnByTheXdgRules) {
  EXPECT_EQ(userRunsFolder(), m_folder.file("data/lanelab/runs"));
  ::setenv("XDG_DATA_HOME", "relative", 1);
  EXPECT_EQ(userRunsFolder(), std::string(::getenv("HOME")) + "/.local/share/lanelab/runs");
  ::setenv("XDG_DATA_HOME", "", 1);
  EXPECT_THAT(userRunsFolder(), testing::EndsWith("/.local/share/lanelab/runs"));
}

TEST_F(RunFoldersTest, AddedFoldersAreRemembered) {
  const std::string folder = m_folder.file("old/runs");
  EXPECT_THAT(addRunFolder(folder).error().message, HasSubstr("is not a folder"));
  std::filesystem::create_directories(folder);
  ASSERT_TRUE(addRunFolder(folder + "/").ok());
  ASSERT_TRUE(addRunFolder(folder).ok());
  EXPECT_THAT(runFolders("").all(), ElementsAre(userRunsFolder(), folder));
  EXPECT_THAT(runFolders("x").added, IsEmpty());
  ASSERT_TRUE(removeRunFolder(folder).ok());
  EXPECT_THAT(runFolders("").added, IsEmpty());
  EXPECT_FALSE(removeRunFolder(folder).ok());
}

TEST_F(RunFoldersTest, ADamagedListIsReportedAndCountsAsEmpty) {
  m_folder.write("config/lanelab/run-folders.json", "[]");
  std::string warning;
  EXPECT_THAT(runFolders("", &warning).added, IsEmpty());
  EXPECT_THAT(warning, HasSubstr("run-folders.json"));
}

}  // namespace
}  // namespace lanelab
