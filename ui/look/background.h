// SPDX-License-Identifier: GPL-3.0-only
// Work off the window's thread: a job runs on one worker, and what it returns runs back on the window's thread.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <functional>
#include <stop_token>

namespace lanelab {

/// Jobs run one after another. Destroying it drops what waits and lets the job that runs end, which stop() asks for;
/// nothing is called back then.
class Background : public QObject {
 public:
  using Then = std::function<void()>;

  explicit Background(QObject* parent = nullptr) : QObject(parent) { m_pool.setMaxThreadCount(1); }
  ~Background() override {
    m_stop.request_stop();
    m_pool.clear();
    m_pool.waitForDone();
  }

  /// Requested when this goes; for jobs that may take long.
  std::stop_token stop() const { return m_stop.get_token(); }

  void run(std::function<Then()> job) {
    m_pool.start([this, job = std::move(job)] { QMetaObject::invokeMethod(this, job(), Qt::QueuedConnection); });
  }

 private:
  std::stop_source m_stop;
  QThreadPool m_pool;
};

}  // namespace lanelab
