#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "profiler/trace/trace_builder.h"
#include "tests/bench/benches.h"
#include "ui/look/theme.h"
#include "ui/timeline/timeline_view.h"

namespace lanelab::bench {

namespace {

constexpr int kRows = 40;
constexpr QSize kSize(1920, 1080);
constexpr int kFrames = 300;
constexpr Nanoseconds kPeriod = 100'000;  ///< from one action's start to the next of its lane

/// 16 micro-batches forward and backward a step, with a gap after each action and a longer one after each step.
std::shared_ptr<const Trace> longTrace(int events) {
  TraceBuilder builder(std::to_string(events) + " actions", std::vector<LaneInfo>(kRows));
  const std::uint32_t forward = builder.intern("F");
  for (int lane = 0; lane < kRows; ++lane) {
    const TrackIndex track = builder.addTrack(lane, Track::Kind::Compute, "compute");
    const int own = events / kRows + (lane < events % kRows ? 1 : 0);
    for (int i = 0; i < own; ++i) {
      Span span;
      span.name = forward;
      span.category = Category::Action;
      span.phase = i % 32 < 16 ? Phase::Forward : Phase::Backward;
      span.step = i / 32;
      span.stage = static_cast<std::int16_t>(lane);
      span.micro_batch = static_cast<std::int16_t>(i % 16);
      span.start = kPeriod * (i + 4 * (i / 32));
      span.end = span.start + kPeriod * (5 + i % 4) / 10;
      builder.append(track, span);
    }
  }
  return builder.snapshot();
}

/// Back and forth between all of the trace and a few actions, at places all over it.
TimeRange zoomed(TimeRange all, int frame) {
  const auto length = static_cast<Nanoseconds>(static_cast<double>(all.length()) * std::pow(0.9, frame % 100)) + 1000;
  const Nanoseconds start = all.start + (all.length() - length) * (frame % 37) / 37;
  return {start, start + length};
}

double millisecondsOf(const std::function<void()>& work) {
  QElapsedTimer timer;
  timer.start();
  work();
  return 1e-6 * static_cast<double>(timer.nsecsElapsed());
}

double at(std::vector<double> sorted, double share) {
  std::sort(sorted.begin(), sorted.end());
  return sorted[static_cast<std::size_t>(std::lround(share * static_cast<double>(sorted.size() - 1)))];
}

double residentBytes() {
  std::ifstream file("/proc/self/statm");
  double whole = 0, resident = 0;
  file >> whole >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

nlohmann::json benchTimeline(int events, bool print) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  int argc = 1;
  char name[] = "lanelab-bench";
  char* argv[] = {name, nullptr};
  QApplication app(argc, argv);
  look::apply(app, look::Scheme::Light);
  TimelineView view;
  view.resize(kSize);
  view.show();
  QApplication::processEvents();
  const double before = residentBytes();
  auto trace = longTrace(events);
  const double first = millisecondsOf([&] {
    view.setTrace(std::move(trace));
    QApplication::processEvents();
  });
  const double bytes = (residentBytes() - before) / events;
  const TimeRange all = view.visibleRange();
  std::vector<double> frames, hovers;
  for (int frame = 0; frame < kFrames; ++frame)
    frames.push_back(millisecondsOf([&] {
      view.setVisibleRange(zoomed(all, frame));
      view.repaint();
    }));
  view.setVisibleRange(all);
  for (int place = 0; place < kFrames; ++place)
    hovers.push_back(millisecondsOf([&] {
      const QPointF at(300 + 5 * place, 100 + 3 * (place % 250));
      QMouseEvent move(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
      QApplication::sendEvent(&view, &move);
      view.repaint();
    }));
  if (print) {
    std::printf("%d actions in %d rows, %dx%d, offscreen: frame median %.2f ms, p99 %.2f ms, longest %.2f ms; hover p99 %.2f ms (n = %d each)\n",
                events, kRows, kSize.width(), kSize.height(), at(frames, 0.5), at(frames, 0.99), at(frames, 1), at(hovers, 0.99), kFrames);
    std::printf("from the trace to the first picture %.0f ms; %.1f bytes an action, all in\n", first, bytes);
  }
  return {{"events", events},           {"rows", kRows},
          {"width", kSize.width()},     {"height", kSize.height()},
          {"frames", kFrames},          {"p50_ms", at(frames, 0.5)},
          {"p99_ms", at(frames, 0.99)}, {"hover_p99_ms", at(hovers, 0.99)},
          {"first_picture_ms", first},  {"bytes_per_event", bytes}};
}

}  // namespace lanelab::bench
