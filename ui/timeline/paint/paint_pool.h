// SPDX-License-Identifier: GPL-3.0-only
// Work in many equal pieces, shared with a thread or two that wait for it: what painting a picture needs, and no more.
#pragma once

#include <QThreadPool>
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

namespace lanelab {

class PaintPool {
 public:
  /// `helpers`: threads beside the caller's; they start with the first work.
  explicit PaintPool(unsigned helpers = std::min(3U, std::max(1U, std::thread::hardware_concurrency()) - 1))
      : m_helpers(helpers) {
    m_pool.setMaxThreadCount(static_cast<int>(helpers));
    m_pool.setExpiryTimeout(-1);
  }

  /// Calls work(0) to work(pieces - 1), each once, on any of the threads; returns when all have ended. `work` must not
  /// throw. One caller at a time.
  void run(std::size_t pieces, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next{0};
    const auto runPieces = [&] {
      for (std::size_t piece = next++; piece < pieces; piece = next++) work(piece);
    };
    std::vector<std::unique_ptr<QRunnable>> helps(pieces < 2 ? 0 : m_helpers);
    std::latch ended(static_cast<std::ptrdiff_t>(helps.size()));
    for (auto& help : helps) {
      help.reset(QRunnable::create([&] {
        runPieces();
        ended.count_down();
      }));
      help->setAutoDelete(false);
      m_pool.start(help.get());
    }
    runPieces();
    for (const auto& help : helps)  // one that has not begun by now has nothing to do
      if (m_pool.tryTake(help.get())) ended.count_down();
    ended.wait();
  }

 private:
  const unsigned m_helpers;
  QThreadPool m_pool;
};

}  // namespace lanelab
