// SPDX-License-Identifier: GPL-3.0-only
// Groups that end on threads of their own.
//
// NCCL's communicators on one machine are destroyed by all members together, while lanes let go of theirs one after
// another.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

namespace lanelab {

/// Thread: all functions from any thread.
class RetiredGroups {
 public:
  RetiredGroups() : m_state(std::make_shared<State>()) {}
  ~RetiredGroups();  ///< waits some seconds for those that have not ended
  RetiredGroups(const RetiredGroups&) = delete;
  RetiredGroups& operator=(const RetiredGroups&) = delete;

  /// Calls `end` on a new thread and drops it there with all that it holds; what it throws is ignored.
  void retire(std::function<void()> end);
  /// Whether all have ended within so long.
  bool await(std::chrono::milliseconds limit);

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    int open = 0;
  };
  std::shared_ptr<State> m_state;  ///< shared with threads that may hang
};

}  // namespace lanelab
