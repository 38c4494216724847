// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/devices/available_memory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "tests/support/temporary_folder.h"

namespace lanelab {
namespace {

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

/// Control groups as files in a folder.
class Groups : public testing::Test {
 protected:
  void put(const std::string& path, const std::string& content) {
    const std::filesystem::path file = std::filesystem::path(m_folder.file("cgroup")) / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << content;
  }
  std::int64_t available(const std::string& groups) { return availableInGroups(m_folder.file("cgroup"), groups); }

 private:
  test::TemporaryFolder m_folder;
};

TEST_F(Groups, WithoutALimitThereIsNone) {
  EXPECT_EQ(available(""), kNoLimit);
  put("memory.max", "max\n");
  put("memory.current", "100\n");
  EXPECT_EQ(available("0::/\n"), kNoLimit);
}

TEST_F(Groups, PageCacheIsNotCountedAsUsed) {
  put("box/memory.max", "1000\n");
  put("box/memory.current", "900\n");
  put("box/memory.stat", "anon 200\nfile 700\ninactive_file 600\nactive_file 50\n");
  EXPECT_EQ(available("0::/box\n"), 1000 - (900 - 650));
}

TEST_F(Groups, AParentMayHaveLess) {
  put("outer/memory.max", "500\n");
  put("outer/memory.current", "450\n");
  put("outer/inner/memory.max", "max\n");
  put("outer/inner/memory.current", "10\n");
  EXPECT_EQ(available("0::/outer/inner\n"), 50);
}

TEST_F(Groups, VersionOneHasTheMemoryControllerInAFolderOfItsOwn) {
  put("memory/job/7/memory.limit_in_bytes", "2000\n");
  put("memory/job/7/memory.usage_in_bytes", "1500\n");
  put("memory/job/7/memory.stat", "cache 900\ntotal_inactive_file 400\ntotal_active_file 100\n");
  EXPECT_EQ(available("5:cpu,cpuacct:/other\n4:memory:/job/7\n0::/\n"), 1000);
}

TEST(AvailableMemory, IsWhatThisMachineHas) {
  EXPECT_GT(availableMemory(), 0);
  EXPECT_LT(availableMemory(), kNoLimit);
}

}  // namespace
}  // namespace lanelab
