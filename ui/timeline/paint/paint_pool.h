// SPDX-License-Identifier: GPL-3.0-only
// Work in many equal pieces, shared with a thread or two that wait for it: what painting a picture needs, and no more.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lanelab {

class PaintPool {
 public:
  /// `helpers`: threads beside the caller's; they start with the first work.
  explicit PaintPool(unsigned helpers = std::min(3U, std::max(1U, std::thread::hardware_concurrency()) - 1));
  ~PaintPool();
  PaintPool(const PaintPool&) = delete;
  PaintPool& operator=(const PaintPool&) = delete;

  /// Calls work(0) to work(pieces - 1), each once, on any of the threads; returns when all have ended. `work` must not
  /// throw. One caller at a time.
  void run(std::size_t pieces, const std::function<void(std::size_t)>& work);

 private:
  void help();
  void runPieces(const std::function<void(std::size_t)>& work, std::size_t pieces);

  const unsigned m_helpers;
  std::vector<std::thread> m_threads;
  std::mutex m_lock;
  std::condition_variable m_wake, m_idle;
  const std::function<void(std::size_t)>* m_work = nullptr;
  std::size_t m_pieces = 0;
  std::atomic<std::size_t> m_next{0};
  std::uint64_t m_round = 0;  ///< counts the calls of run()
  unsigned m_busy = 0;        ///< helpers that have not ended this round
  bool m_end = false;
};

}  // namespace lanelab
