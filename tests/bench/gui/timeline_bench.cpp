// SPDX-License-Identifier: GPL-3.0-only
#include <malloc.h>
#include <unistd.h>
#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "profiler/trace/trace_builder.h"
#include "tests/bench/benches.h"
#include "tests/bench/gui/pull_bench.h"
#include "ui/look/theme.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab::bench {

namespace {

constexpr int kRows = 40;
constexpr QSize kSize(1920, 1080);
constexpr int kFrames = 300;
constexpr int kTimelinePolls = 30;
constexpr int kPulledSpans = 10'000;      ///< beside the one that is pulled
constexpr int kNewEvents = 100;           ///< of a run, from one poll to the next
constexpr Nanoseconds kPeriod = 100'000;  ///< from one action's start to the next of its lane

/// 16 micro-batches forward and backward a step, with a gap after each action and a longer one after each step; all of
/// it, and then what comes next.
class LongRun {
 public:
  explicit LongRun(int events)
      : m_builder(std::to_string(events) + " actions", std::vector<LaneInfo>(kRows)), m_forward(m_builder.intern("F")) {
    for (int lane = 0; lane < kRows; ++lane)
      m_tracks.push_back(m_builder.addTrack(lane, Track::Kind::Compute, "compute"));
    record(events);
  }

  void record(int events) {
    for (int event = 0; event < events; ++event, ++m_recorded)
      append(static_cast<int>(m_recorded % kRows), static_cast<int>(m_recorded / kRows));
  }

  std::shared_ptr<const Trace> snapshot() const { return m_builder.snapshot(); }

 private:
  void append(int lane, int i) {
    Span span;
    span.name = m_forward;
    span.category = Category::Action;
    span.phase = i % 32 < 16 ? Phase::Forward : Phase::Backward;
    span.step = i / 32;
    span.stage = static_cast<std::int16_t>(lane);
    span.micro_batch = static_cast<std::int16_t>(i % 16);
    span.start = kPeriod * (i + 4 * (i / 32));
    span.end = span.start + kPeriod * (5 + i % 4) / 10;
    m_builder.append(m_tracks[static_cast<std::size_t>(lane)], span);
  }

  TraceBuilder m_builder;
  std::uint32_t m_forward;
  std::vector<TrackIndex> m_tracks;
  std::int64_t m_recorded = 0;
};

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

/// How often a widget paints itself.
class PaintCounter : public QObject {
 public:
  explicit PaintCounter(QWidget& widget) { widget.installEventFilter(this); }
  int count() const { return m_count; }
  bool eventFilter(QObject*, QEvent* event) override {
    m_count += event->type() == QEvent::Paint ? 1 : 0;
    return false;
  }

 private:
  int m_count = 0;
};

constexpr int kFrameRounds = 3;    ///< of the same frames
constexpr int kSlowestFrames = 6;  ///< frames that are printed

/// What the slowest frames have in common: a frame's time is the least of a few, so that other processes do not count.
void printSlowest(const TimeRange& all, int events, const std::vector<double>& least) {
  std::vector<std::size_t> order(least.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return least[a] > least[b]; });
  std::printf("slowest frames, least of %d, with the actions in sight of each row:", kFrameRounds);
  for (int i = 0; i < kSlowestFrames; ++i) {
    const std::size_t frame = order[static_cast<std::size_t>(i)];
    const TimeRange seen = zoomed(all, static_cast<int>(frame));
    const double share = static_cast<double>(seen.length()) / static_cast<double>(all.length());
    std::printf(" %.2f ms with %.0f%s", least[frame], share * events / kRows, i + 1 < kSlowestFrames ? "," : "\n");
  }
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
  auto run = std::make_unique<LongRun>(events);
  auto trace = run->snapshot();
  run.reset();
  ::malloc_trim(0);  // what the run's recorder held is not the timeline's
  const double first = millisecondsOf([&] {
    view.setTrace(std::move(trace));
    QApplication::processEvents();
  });
  const double bytes = (residentBytes() - before) / events;
  const TimeRange all = view.visibleRange();
  PaintCounter paints(view);
  std::vector<double> frames, hovers, lives;
  for (int frame = 0; frame < kFrames; ++frame)
    frames.push_back(millisecondsOf([&] {
      view.setVisibleRange(zoomed(all, frame));
      QApplication::processEvents();
    }));
  if (paints.count() < kFrames) throw std::runtime_error("the timeline did not paint every frame");
  std::vector<double> least = frames;
  for (int round = 1; print && round < kFrameRounds; ++round) {
    for (std::size_t frame = 0; frame < least.size(); ++frame)
      least[frame] = std::min(least[frame], millisecondsOf([&] {
                                view.setVisibleRange(zoomed(all, static_cast<int>(frame)));
                                QApplication::processEvents();
                              }));
  }
  view.setVisibleRange(all);
  QApplication::processEvents();
  for (int place = 0; place < kFrames; ++place)
    hovers.push_back(millisecondsOf([&] {
      const QPointF at(300 + 5 * place, 100 + 3 * (place % 250));
      QMouseEvent move(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
      QApplication::sendEvent(&view, &move);
      QApplication::processEvents();
    }));
  run = std::make_unique<LongRun>(events);
  view.setTrace(run->snapshot());
  for (int poll = 0; poll < kTimelinePolls; ++poll) {
    run->record(kNewEvents);
    auto grown = run->snapshot();
    lives.push_back(millisecondsOf([&] { view.setTrace(std::move(grown)); }));
  }
  if (print) {
    printSlowest(all, events, least);
    std::printf(
        "%d actions in %d rows, %dx%d, offscreen: frame median %.2f ms, p99 %.2f ms, longest %.2f ms; hover p99 %.2f "
        "ms (n = %d each)\n",
        events, kRows, kSize.width(), kSize.height(), at(frames, 0.5), at(frames, 0.99), at(frames, 1),
        at(hovers, 0.99), kFrames);
    std::printf(
        "from the trace to the first picture %.0f ms; %.1f bytes an action, all in; a poll that brings %d more %.2f ms "
        "(median of %d)\n",
        first, bytes, kNewEvents, at(lives, 0.5), kTimelinePolls);
  }
  return {{"events", events},           {"rows", kRows},
          {"width", kSize.width()},     {"height", kSize.height()},
          {"frames", kFrames},          {"p50_ms", at(frames, 0.5)},
          {"p99_ms", at(frames, 0.99)}, {"hover_p99_ms", at(hovers, 0.99)},
          {"first_picture_ms", first},  {"bytes_per_event", bytes},
          {"live_ms", at(lives, 0.5)},  {"pull", benchPulls(kPulledSpans, print)}};
}

}  // namespace lanelab::bench
