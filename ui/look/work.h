// SPDX-License-Identifier: GPL-3.0-only
// Long work that a window starts: it reports progress and can be cancelled. Off the window's thread (LongWork), or in
// steps on it, for what must paint (SteppedWork). Thread: the window's.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <mutex>
#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "ui/look/background.h"

namespace lanelab {

class Work : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;
  virtual bool busy() const = 0;
  virtual void cancel() = 0;

 Q_SIGNALS:
  void begun();
  void progressed(const lanelab::Progress& progress, double seconds_left);  ///< about ten times a second
  void stopping();                                                          ///< cancel() was heard
  void ended();                                                             ///< before what follows from the work
};

/// Jobs off the window's thread, one after another. Destroying it cancels them and waits; nothing is called back then.
class LongWork : public Work {
  Q_OBJECT

 public:
  using Then = Background::Then;
  /// What it returns is called on the window's thread.
  using Job = std::function<Then(const WorkControl& control)>;

  explicit LongWork(QObject* parent = nullptr);
  ~LongWork() override;

  void run(Job job);
  bool busy() const override { return m_pending > 0; }
  /// All jobs, also those that wait, but none that is added later.
  void cancel() override;

 private:
  void begin();
  void poll();
  void end();

  std::mutex m_mutex;
  Progress m_newest;  ///< guarded by m_mutex
  Pace m_pace;
  QTimer m_timer;
  int m_pending = 0;
  std::stop_source m_stop;
  Background m_worker;  ///< last: it ends before what it uses
};

/// A list of steps on the window's thread, which answers between two of them.
class SteppedWork : public Work {
  Q_OBJECT

 public:
  struct Step {
    std::string phase;
    std::function<Status()> run;
  };
  using End = std::function<void(const Status& status)>;

  using Work::Work;
  /// False, and nothing is done, while earlier steps are running. `end` hears of the first failure, or of a cancel.
  bool run(std::vector<Step> steps, End end);
  bool busy() const override { return m_end != nullptr; }
  void cancel() override;

 private:
  void next();
  void finish(const Status& status);

  std::vector<Step> m_steps;
  std::size_t m_next = 0;
  End m_end;
  Pace m_pace;
  bool m_stopping = false;
};

}  // namespace lanelab
