// SPDX-License-Identifier: GPL-3.0-only
#include "ui/look/work.h"

#include <utility>

namespace lanelab {
namespace {

constexpr int kPollMilliseconds = 100;

}  // namespace

LongWork::LongWork(QObject* parent) : Work(parent) {
  m_timer.setInterval(kPollMilliseconds);
  connect(&m_timer, &QTimer::timeout, this, &LongWork::poll);
}

LongWork::~LongWork() { m_stop.request_stop(); }

void LongWork::run(Job job) {
  if (m_pending++ == 0 || m_stop.stop_requested()) begin();
  const ReportProgress report = [this](const Progress& progress) {
    const std::lock_guard lock(m_mutex);
    m_newest = progress;
  };
  m_worker.run([this, job = std::move(job), control = WorkControl{report, m_stop.get_token()}]() -> Then {
    return [this, then = job(control)] {
      end();
      then();
    };
  });
}

void LongWork::cancel() {
  if (!busy() || !m_stop.request_stop()) return;
  Q_EMIT stopping();
}

void LongWork::begin() {
  m_stop = std::stop_source();
  {
    const std::lock_guard lock(m_mutex);  // cancelled jobs may still end
    m_newest = {};
  }
  m_pace = {};
  m_timer.start();
  Q_EMIT begun();
}

void LongWork::poll() {
  Progress newest;
  {
    const std::lock_guard lock(m_mutex);
    newest = m_newest;
  }
  const double left = m_pace.secondsLeft(newest, Pace::Time::clock::now());
  if (!newest.phase.empty()) Q_EMIT progressed(newest, left);
}

void LongWork::end() {
  if (--m_pending > 0) return;
  m_timer.stop();
  Q_EMIT ended();
}

bool SteppedWork::run(std::vector<Step> steps, End end) {
  if (busy()) return false;
  m_steps = std::move(steps);
  m_end = std::move(end);
  m_next = 0;
  m_pace = {};
  m_stopping = false;
  Q_EMIT begun();
  QTimer::singleShot(0, this, &SteppedWork::next);
  return true;
}

void SteppedWork::cancel() {
  if (!busy() || std::exchange(m_stopping, true)) return;
  Q_EMIT stopping();
}

/// Shows a step before it is run, so that a long one is on the screen.
void SteppedWork::next() {
  if (m_stopping) return finish(Error::cancelled());
  if (m_next == m_steps.size()) return finish({});
  const Step& step = m_steps[m_next];
  const Progress progress{step.phase, static_cast<std::int64_t>(m_next), static_cast<std::int64_t>(m_steps.size())};
  Q_EMIT progressed(progress, m_pace.secondsLeft(progress, Pace::Time::clock::now()));
  QTimer::singleShot(0, this, [this] {
    if (m_stopping) return finish(Error::cancelled());
    const Status done = m_steps[m_next++].run();
    if (!done.ok()) return finish(done);
    next();
  });
}

void SteppedWork::finish(const Status& status) {
  m_steps.clear();
  const End end = std::exchange(m_end, nullptr);
  Q_EMIT ended();
  end(status);
}

}  // namespace lanelab
