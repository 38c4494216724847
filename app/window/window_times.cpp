#include "app/window/window_times.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QMouseEvent>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "profiler/trace/trace_builder.h"
#include "ui/look/theme.h"
#include "ui/timeline/timeline_view.h"

namespace lanelab {

namespace {

constexpr int kBeat = 5;            ///< ms between two looks at the event loop
constexpr int kRunLimit = 600'000;  ///< ms
constexpr int kFrames = 300;
constexpr int kSpans = 100'000;
constexpr Nanoseconds kPeriod = 100'000;  ///< from one action's start to the next of its lane

/// Milliseconds of many observations.
class Times {
 public:
  void add(double milliseconds) { m_all.push_back(milliseconds); }
  void print(const char* what) {
    std::sort(m_all.begin(), m_all.end());
    std::printf("%-52s median %7.2f ms, p99 %7.2f ms, longest %7.2f ms (n = %zu)\n", what, at(0.5), at(0.99), at(1), m_all.size());
    std::fflush(stdout);
  }

 private:
  double at(double share) const {
    return m_all.empty() ? 0 : m_all[static_cast<std::size_t>(std::lround(share * static_cast<double>(m_all.size() - 1)))];
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
      for (auto span = track.spans.rbegin(); span != track.spans.rend() && span->end > m_seen_until; ++span) {
        m_delays.add(1e-6 * static_cast<double>(now - span->end));
        newest = std::max(newest, span->end);
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
  QObject::connect(&beat, &QTimer::timeout, [&] { pauses.add(1e-6 * static_cast<double>(since.nsecsElapsed())), since.start(); });
  QEventLoop loop;
  bool shown = false;
  QObject::connect(&window, &MainWindow::runShown, &loop, [&] { shown = true, loop.quit(); });
  QTimer::singleShot(kRunLimit, &loop, &QEventLoop::quit);
  since.start();
  beat.start(kBeat);
  window.action("run")->trigger();
  loop.exec();
  beat.stop();
  if (!shown) return Error::failed("The run did not end: " + window.messages().sentence().toStdString());
  pauses.print("event loop, from one beat of 5 ms to the next");
  pixels.delays().print("from an action's end to its pixels");
  return {};
}

std::shared_ptr<const Trace> longTrace(int lanes) {
  TraceBuilder builder("100,000 actions", std::vector<LaneInfo>(static_cast<std::size_t>(lanes)));
  const std::uint32_t forward = builder.intern("F");
  for (int lane = 0; lane < lanes; ++lane) {
    const TrackIndex track = builder.addTrack(lane, Track::Kind::Compute, "compute");
    for (int i = 0; i < kSpans / lanes; ++i) {
      Span span;
      span.name = forward;
      span.category = Category::Action;
      span.phase = i % 2 == 0 ? Phase::Forward : Phase::Backward;
      span.step = i / 100;
      span.stage = static_cast<std::int16_t>(lane);
      span.micro_batch = static_cast<std::int16_t>(i % 50);
      span.start = kPeriod * i;
      span.end = span.start + kPeriod * (5 + i % 4) / 10;
      builder.append(track, span);
    }
  }
  return builder.snapshot();
}

/// From all of the trace to a few actions, at places all over it.
TimeRange zoomed(TimeRange all, int frame) {
  const auto length = static_cast<Nanoseconds>(static_cast<double>(all.length()) * std::pow(0.95, frame % 200)) + 1000;
  const Nanoseconds start = all.start + (all.length() - length) * (frame % 37) / 37;
  return {start, start + length};
}

double millisecondsOf(const std::function<void()>& work) {
  QElapsedTimer timer;
  timer.start();
  work();
  return 1e-6 * static_cast<double>(timer.nsecsElapsed());
}

void timeFrames(int lanes) {
  TimelineView view;
  view.resize(1920, 1080);
  view.show();
  view.setTrace(longTrace(lanes));
  QApplication::processEvents();
  const TimeRange all = view.visibleRange();
  Times frames;
  Times hovers;
  for (int frame = 0; frame < kFrames; ++frame)
    frames.add(millisecondsOf([&] {
      view.setVisibleRange(zoomed(all, frame));
      view.repaint();
    }));
  for (int place = 0; place < kFrames; ++place)
    hovers.add(millisecondsOf([&] {
      const QPointF at(300 + 5 * place, 100 + place % 50);
      QMouseEvent move(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
      QApplication::sendEvent(&view, &move);
      view.repaint();
    }));
  frames.print(qPrintable(QString("frame of 100,000 actions, %1 lanes, 1920x1080").arg(lanes)));
  hovers.print(qPrintable(QString("hover over them, %1 lanes").arg(lanes)));
}

}  // namespace

Status printWindowTimes(QApplication& app, MainWindow::Setup setup) {
  QTemporaryDir place;
  if (!place.isValid()) return Error::failed("No temporary folder can be made. Make room on the disk.");
  QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, place.path());
  setup.runs_root = place.filePath("runs");
  look::apply(app, look::Scheme::Light);
  for (const int lanes : {4, 40}) timeFrames(lanes);
  MainWindow window(std::move(setup));
  window.resize(1440, 900);
  window.show();
  return timeRun(window);
}

}  // namespace lanelab
