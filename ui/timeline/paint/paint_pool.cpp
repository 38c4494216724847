// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/paint_pool.h"

namespace lanelab {

PaintPool::PaintPool(unsigned helpers) : m_helpers(helpers) {}

PaintPool::~PaintPool() {
  {
    const std::lock_guard lock(m_lock);
    m_end = true;
  }
  m_wake.notify_all();
  for (std::thread& thread : m_threads) thread.join();
}

void PaintPool::runPieces(const std::function<void(std::size_t)>& work, std::size_t pieces) {
  for (std::size_t piece = m_next++; piece < pieces; piece = m_next++) work(piece);
}

void PaintPool::run(std::size_t pieces, const std::function<void(std::size_t)>& work) {
  if (m_helpers == 0 || pieces < 2) {
    for (std::size_t piece = 0; piece < pieces; ++piece) work(piece);
    return;
  }
  while (m_threads.size() < m_helpers) m_threads.emplace_back([this] { help(); });
  {
    const std::lock_guard lock(m_lock);
    m_work = &work;
    m_pieces = pieces;
    m_next = 0;
    m_busy = 0;
    ++m_round;
  }
  m_wake.notify_all();
  runPieces(work, pieces);
  std::unique_lock lock(m_lock);
  m_work = nullptr;  // a helper that wakes up only now has nothing to do
  m_idle.wait(lock, [this] { return m_busy == 0; });
}

void PaintPool::help() {
  std::uint64_t seen = 0;
  std::unique_lock lock(m_lock);
  for (;;) {
    m_wake.wait(lock, [&] { return m_end || (m_work != nullptr && m_round != seen); });
    if (m_end) return;
    seen = m_round;
    ++m_busy;
    const std::function<void(std::size_t)>& work = *m_work;
    const std::size_t pieces = m_pieces;
    lock.unlock();
    runPieces(work, pieces);
    lock.lock();
    if (--m_busy == 0) m_idle.notify_one();
  }
}

}  // namespace lanelab
