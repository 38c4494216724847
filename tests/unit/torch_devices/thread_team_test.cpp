// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/devices/thread_team.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>

namespace lanelab {
namespace {

/// Threads of this process.
std::ptrdiff_t threads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
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
    const std::ptrdiff_t alone = threads();
    team();
    EXPECT_EQ(threads(), alone + 3);
    dismissThreadTeam();
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);  // the system removes them later
    while (threads() > alone && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
    EXPECT_EQ(threads(), alone);
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
