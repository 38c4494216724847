// SPDX-License-Identifier: GPL-3.0-only
#include "app/window/tasks.h"

#include <time.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QFile>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "profiler/trace/trace_builder.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {

namespace {

constexpr int kBeat = 5;  ///< ms between two looks at the event loop

/// Milliseconds of many observations.
class Times {
 public:
  void add(double milliseconds) { m_all.push_back(milliseconds); }
  void print(const char* what) {
    std::sort(m_all.begin(), m_all.end());
    std::printf("%-52s median %7.2f ms, p99 %7.2f ms, longest %7.2f ms (n = %zu)\n", what, at(0.5), at(0.99), at(1),
                m_all.size());
    std::fflush(stdout);
  }

 private:
  double at(double share) const {
    return m_all.empty() ? 0
                         : m_all[static_cast<std::size_t>(std::lround(share * static_cast<double>(m_all.size() - 1)))];
  }
  std::vector<double> m_all;
};

/// From the end of each action to the end of the first paint of the timeline that holds it.
class PixelWatch : public QObject {
 public:
  explicit PixelWatch(TimelineView& view) : m_view(view) { view.installEventFilter(this); }
  Times& delays() { return m_delays; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    // The paint follows this filter, and the queued call follows the paint.
    if (event->type() == QEvent::Paint)
      QMetaObject::invokeMethod(
          this, [this] { note(); }, Qt::QueuedConnection);
    return QObject::eventFilter(watched, event);
  }

 private:
  void note() {
    const auto trace = m_view.trace();
    if (!trace) return;
    const Nanoseconds now = monotonicNow();
    Nanoseconds newest = m_seen_until;
    for (const Track& track : trace->tracks) {
      if (track.kind != Track::Kind::Compute) continue;
      for (std::size_t i = track.spans.size(); i > 0 && track.spans.endOf(i - 1) > m_seen_until; --i) {
        m_delays.add(1e-6 * static_cast<double>(now - track.spans.endOf(i - 1)));
        newest = std::max(newest, track.spans.endOf(i - 1));
      }
    }
    m_seen_until = newest;
  }

  TimelineView& m_view;
  Nanoseconds m_seen_until = 0;
  Times m_delays;
};

Status timeRun(MainWindow& window) {
  PixelWatch pixels(*window.findChild<TimelineView*>("timeline"));
  Times pauses;
  QElapsedTimer since;
  QTimer beat;
  beat.setTimerType(Qt::PreciseTimer);
  QObject::connect(&beat, &QTimer::timeout,
                   [&] { pauses.add(1e-6 * static_cast<double>(since.nsecsElapsed())), since.start(); });
  since.start();
  beat.start(kBeat);
  const Status ran = runOnce(window);
  beat.stop();
  if (!ran.ok()) return ran;
  pauses.print("event loop, from one beat of 5 ms to the next");
  pixels.delays().print("from an action's end to its pixels");
  return {};
}

/// Seconds since the kernel started this process; negative when it does not say (field 22 of proc(5)'s stat, in ticks
/// since boot).
double secondsSinceStart() {
  QFile file("/proc/self/stat");
  if (!file.open(QIODevice::ReadOnly)) return -1;
  const QByteArray stat = file.readAll();
  const auto fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');  // the name in brackets may hold blanks
  timespec now{};
  if (fields.size() < 20 || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return -1;
  const double ticks = fields[19].toDouble();
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) -
         ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace

Status printStartTime(MainWindow::Setup setup) {
  MainWindow window(std::move(setup));
  window.show();
  QApplication::processEvents();
  window.grab();
  const double seconds = secondsSinceStart();
  if (seconds < 0) return Error::failed("The start of the process is not known: /proc cannot be read.");
  std::printf("window painted %.2f s after the start of the process\n", seconds);
  return {};
}

Status printWindowTimes(MainWindow::Setup setup) {
  MainWindow window(std::move(setup));
  window.resize(1440, 900);
  window.show();
  return timeRun(window);
}

}  // namespace lanelab
