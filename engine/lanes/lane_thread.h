// SPDX-License-Identifier: GPL-3.0-only
// One lane's own host thread: does one job after the other, given to it by the thread that owns it.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace lanelab {

class LaneThread {
 public:
  /// `name` shows in debuggers and top (15 letters).
  explicit LaneThread(const std::string& name);
  ~LaneThread();  ///< after the current job
  LaneThread(const LaneThread&) = delete;
  LaneThread& operator=(const LaneThread&) = delete;

  /// Gives the thread a job, which must not throw. Only when the last one is done.
  void post(std::function<void()> job);
  /// Blocks until the job is done; its writes are visible then.
  void wait();

 private:
  void work();

  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::function<void()> m_job;  ///< empty while idle
  bool m_quit = false;
  std::thread m_thread;  ///< last, so that it finds the rest made
};

}  // namespace lanelab
