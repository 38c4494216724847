// SPDX-License-Identifier: GPL-3.0-only
#include "engine/lanes/lane_thread.h"

#include <pthread.h>

namespace lanelab {

LaneThread::LaneThread(const std::string& name) : m_thread([this] { work(); }) {
  pthread_setname_np(m_thread.native_handle(), name.substr(0, 15).c_str());
}

LaneThread::~LaneThread() {
  {
    const std::lock_guard lock(m_mutex);
    m_quit = true;
  }
  m_changed.notify_all();
  m_thread.join();
}

void LaneThread::post(std::function<void()> job) {
  {
    const std::lock_guard lock(m_mutex);
    m_job = std::move(job);
  }
  m_changed.notify_all();
}

void LaneThread::wait() {
  std::unique_lock lock(m_mutex);
  m_changed.wait(lock, [this] { return !m_job; });
}

void LaneThread::work() {
  std::unique_lock lock(m_mutex);
  while (true) {
    m_changed.wait(lock, [this] { return m_job || m_quit; });
    if (!m_job) return;
    const std::function<void()> job = m_job;
    lock.unlock();
    job();
    lock.lock();
    m_job = nullptr;
    m_changed.notify_all();
  }
}

}  // namespace lanelab
