// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/devices/thread_team.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <thread>

namespace lanelab {
namespace {

/// Threads of this process, by the system's numbers.
std::set<std::string> threads() {
  std::set<std::string> numbers;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task"))
    numbers.insert(thread.path().filename().string());
  return numbers;
}

/// The threads that at::parallel_for uses for four pieces of work.
std::set<std::thread::id> team() {
  std::mutex mutex;
  std::set<std::thread::id> ids;
  at::parallel_for(0, 4, 1, [&](std::int64_t, std::int64_t) {
    const std::lock_guard lock(mutex);
    ids.insert(std::this_thread::get_id());
  });
  return ids;
}

/// Runs `work` on a thread of its own with a team of four, whatever the machine has.
template <class Work>
void withTeamOfFour(const Work& work) {
  std::thread([&] {
    at::set_num_threads(4);
    work();
  }).join();
}

// Without OpenMP at::parallel_for compiles as well, and runs everything on one thread.
TEST(ThreadTeam, LoopsOfOurOwnUseAllThreadsOfALane) {
  withTeamOfFour([] { EXPECT_EQ(team().size(), 4u); });
}

TEST(ThreadTeam, DismissedThreadsEnd) {
  withTeamOfFour([] {
    const std::set<std::string> before = threads();  // some of an earlier team may be about to end
    team();
    std::set<std::string> begun = threads();
    for (const std::string& thread : before) begun.erase(thread);
    EXPECT_EQ(begun.size(), 3u);
    dismissThreadTeam();
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);  // the system removes them later
    const auto isThere = [](const std::string& thread) { return threads().contains(thread); };
    while (std::ranges::any_of(begun, isThere) && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
    EXPECT_TRUE(std::ranges::none_of(begun, isThere));
  });
}

TEST(ThreadTeam, ComesBackWithTheNextWork) {
  withTeamOfFour([] {
    dismissThreadTeam();  // of nobody
    team();
    dismissThreadTeam();
    EXPECT_EQ(team().size(), 4u);
  });
}

}  // namespace
}  // namespace lanelab
