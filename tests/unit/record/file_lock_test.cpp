// SPDX-License-Identifier: GPL-3.0-only
// Lock files: one holder at a time, whatever becomes of the file and of the holder.
#include "engine/record/file_lock.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <thread>

#include "tests/support/temporary_folder.h"

namespace lanelab {
namespace {

class FileLocks : public testing::Test {
 protected:
  const test::TemporaryFolder m_folder;
  const std::string m_path = m_folder.file("lock");
};

TEST_F(FileLocks, AreHeldByOneAtATimeAndLeaveNoFile) {
  EXPECT_FALSE(FileLock::isHeld(m_path));
  {
    const FileLock first = FileLock::take(m_path);
    ASSERT_TRUE(first.ok());
    EXPECT_TRUE(FileLock::isHeld(m_path));
    EXPECT_FALSE(FileLock::take(m_path).ok());
    EXPECT_EQ(errno, EWOULDBLOCK);
  }
  EXPECT_TRUE(std::filesystem::is_empty(m_folder.path()));
  EXPECT_TRUE(FileLock::take(m_path).ok());
}

TEST_F(FileLocks, AreHandedOnToThoseWhoWait) {
  // Of those who have it at once. Atomic, since the thread sanitizer does not know that the lock orders them.
  std::atomic<int> held{0}, most{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        const FileLock lock = FileLock::take(m_path, std::chrono::minutes(1));
        ASSERT_TRUE(lock.ok());
        most = std::max(most.load(), ++held);
        --held;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most.load(), 1);
  EXPECT_EQ(held.load(), 0);
}

TEST_F(FileLocks, OfAKilledProcessHinderNobody) {
  const pid_t child = ::fork();
  if (child == 0) {
    const FileLock lock = FileLock::take(m_path);
    ::_exit(lock.ok() ? 0 : 1);  // nothing is cleaned up
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  EXPECT_TRUE(std::filesystem::exists(m_path));
  EXPECT_FALSE(FileLock::isHeld(m_path));
  EXPECT_TRUE(FileLock::take(m_path).ok());
}

TEST_F(FileLocks, KnowThatTheirFileWasReplacedAndLeaveTheNewOne) {
  {
    const FileLock first = FileLock::take(m_path);
    std::filesystem::remove(m_path);
    EXPECT_FALSE(first.holds());
    const FileLock second = FileLock::take(m_path);
    ASSERT_TRUE(second.ok());
    first.remove();
    EXPECT_TRUE(second.holds());
  }
  EXPECT_TRUE(std::filesystem::is_empty(m_folder.path()));
}

TEST_F(FileLocks, ThatCannotBeMadeNameTheFileAndTheReason) {
  std::filesystem::create_directory(m_folder.file(".labels.lock"));
  const std::pair<std::string, std::string> cases[] = {
      {m_folder.file("absent/labels.json"), "its folder does not exist"},
      {m_folder.file("labels.json"), "it is a folder"}};
  for (const auto& [path, reason] : cases) {
    const Result<FileLock> lock = lockToChange(path);
    ASSERT_FALSE(lock.ok()) << path;
    EXPECT_TRUE(lock.error().message.starts_with(path + " cannot be written: " + reason)) << lock.error().message;
  }
}

TEST_F(FileLocks, ThatAnotherRetainsAreAnErrorAfterALimitedWait) {
  const FileLock other = FileLock::take(m_folder.file(".labels.lock"));
  const std::string file = m_folder.file("labels.json");
  const Result<FileLock> lock = lockToChange(file);
  ASSERT_FALSE(lock.ok());
  EXPECT_EQ(lock.error().kind, Error::Kind::Failed);
  EXPECT_TRUE(lock.error().message.starts_with(file + " was not changed: another process"));
}

}  // namespace
}  // namespace lanelab
