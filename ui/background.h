// Work off the window's thread: a job runs on one worker, and what it returns runs back on the window's thread.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <functional>

namespace lanelab {

/// Jobs run one after another. Destroying it drops what waits and lets the job that runs end; nothing is called back then.
class Background : public QObject {
 public:
  using Then = std::function<void()>;

  explicit Background(QObject* parent = nullptr) : QObject(parent) { m_pool.setMaxThreadCount(1); }
  ~Background() override {
    m_pool.clear();
    m_pool.waitForDone();
  }

  void run(std::function<Then()> job) {
    m_pool.start([this, job = std::move(job)] { QMetaObject::invokeMethod(this, job(), Qt::QueuedConnection); });
  }

 private:
  QThreadPool m_pool;
};

}  // namespace lanelab
