// SPDX-License-Identifier: GPL-3.0-only
// A span pulled by the mouse in a timeline of many: how long from a move to its answer on the screen.
#include "tests/bench/gui/pull_bench.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "profiler/trace/trace_builder.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab::bench {

namespace {

constexpr int kPullLanes = 8;
constexpr int kPullMicroBatches = 16;
constexpr int kMoves = 120;
constexpr int kMostMilliseconds = 20'000;
constexpr QSize kPullSize(1600, 900);
constexpr Nanoseconds kForwardTime = 1'000'000;

/// GPipe over eight lanes, step by step.
std::shared_ptr<const Trace> pipelineOf(int spans) {
  std::vector<LaneInfo> lanes;
  for (int lane = 0; lane < kPullLanes; ++lane) lanes.push_back({"", "cpu:" + std::to_string(lane)});
  TraceBuilder builder("Pipeline", lanes);
  std::vector<TrackIndex> tracks;
  for (int lane = 0; lane < kPullLanes; ++lane)
    tracks.push_back(builder.addTrack(lane, Track::Kind::Compute, "compute"));
  Nanoseconds begin = 0;
  for (int step = 0, count = 0; count < spans; ++step) {
    for (int lane = 0; lane < kPullLanes; ++lane) {
      for (int i = 0; i < 2 * kPullMicroBatches; ++i, ++count) {
        const bool forward = i < kPullMicroBatches;
        const int batch = i % kPullMicroBatches;
        Span span;
        span.category = Category::Action;
        span.phase = forward ? Phase::Forward : Phase::Backward;
        span.stage = static_cast<std::int16_t>(lane);
        span.micro_batch = static_cast<std::int16_t>(batch);
        span.step = step;
        span.start =
            begin + kForwardTime *
                        (forward ? lane + batch : 2 * (kPullLanes - 1 - lane + batch) + kPullLanes + kPullMicroBatches);
        span.end = span.start + (forward ? kForwardTime : 2 * kForwardTime);
        span.name = builder.intern(std::to_string(lane) + (forward ? "F" : "B") + std::to_string(batch));
        builder.append(tracks[static_cast<std::size_t>(lane)], span);
      }
    }
    begin += kForwardTime * 4 * (kPullLanes + kPullMicroBatches);
  }
  return builder.snapshot();
}

void send(QWidget& view, QEvent::Type type, QPointF at) {
  const bool moves = type == QEvent::MouseMove;
  QMouseEvent event(type, at, view.mapToGlobal(at), moves ? Qt::NoButton : Qt::LeftButton, Qt::LeftButton,
                    Qt::AltModifier | Qt::ShiftModifier);
  QApplication::sendEvent(&view, &event);
}

double shareAt(std::vector<double> values, double share) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

}  // namespace

nlohmann::json benchPulls(int spans, bool print) {
  TimelineView view;
  view.resize(kPullSize);
  view.setTrace(pipelineOf(spans));
  view.show();
  view.setVisibleRange({0, kForwardTime * 4 * (kPullLanes + kPullMicroBatches)});
  QApplication::processEvents();
  const TimelineLayout placed =
      layOut(TimelineData(view.trace()), QRectF(QPointF(), QSizeF(kPullSize)), view.arrangement(), 0);
  const TimeScale scale = placed.scale(view.visibleRange());
  const QPointF end(scale.x(kForwardTime * 6) - 2, placed.boxOf(1)->rect.center().y());
  send(view, QEvent::MouseButtonPress, end);
  std::vector<double> handled, answered;
  for (int move = 0; move < kMoves; ++move) {
    QElapsedTimer timer;
    timer.start();
    send(view, QEvent::MouseMove, end + QPointF(5 + move % 20, 0));
    QApplication::processEvents();
    handled.push_back(1e-6 * static_cast<double>(timer.nsecsElapsed()));
    while (!view.changes().isAnswered() && timer.elapsed() < kMostMilliseconds)
      QApplication::processEvents(QEventLoop::WaitForMoreEvents, 100);
    QApplication::processEvents();
    if (!view.changes().isAnswered() || !view.changes().shown())
      throw std::runtime_error("a pulled span was not answered");
    answered.push_back(1e-6 * static_cast<double>(timer.nsecsElapsed()));
  }
  send(view, QEvent::MouseButtonRelease, end);
  if (print)
    std::printf(
        "a span pulled among %zu in %d lanes: a move takes the window %.1f ms (p99 %.1f ms); its answer is "
        "painted after %.1f ms (p99 %.1f ms; n = %d)\n",
        view.trace()->spanCount(), kPullLanes, shareAt(handled, 0.5), shareAt(handled, 0.99), shareAt(answered, 0.5),
        shareAt(answered, 0.99), kMoves);
  return {{"spans", view.trace()->spanCount()},
          {"move_p50_ms", shareAt(handled, 0.5)},
          {"move_p99_ms", shareAt(handled, 0.99)},
          {"answer_p50_ms", shareAt(answered, 0.5)},
          {"answer_p99_ms", shareAt(answered, 0.99)}};
}

}  // namespace lanelab::bench
