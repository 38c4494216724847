// SPDX-License-Identifier: GPL-3.0-only
// A made-up step of ddp: two replicas of two stages, each with two micro-batches, and the exchange of gradients while
// the last backward runs.
#pragma once

#include <memory>
#include <string>

#include "profiler/trace/trace_builder.h"
#include "tests/gui/timeline/timeline_world.h"

namespace lanelab::testworld {

class ReplicaWriter {
 public:
  std::shared_ptr<const Trace> write(int steps) {
    const TrackIndex windows = m_builder.addTrack(0, Track::Kind::Step, "steps");
    for (int lane = 0; lane < 4; ++lane) {
      m_compute[lane] = m_builder.addTrack(lane, Track::Kind::Compute, "compute");
      m_exchange[lane] = m_builder.addTrack(lane, Track::Kind::Host, "replicas");
    }
    for (int step = 0; step < steps; ++step) {
      const Nanoseconds begin = step * 120 * kMs;
      for (int replica = 0; replica < 2; ++replica) writeReplica(step, begin, replica);
      add(windows, "step " + std::to_string(step), Category::Step, Phase::None, begin, begin + 114 * kMs, step, -1, -1);
    }
    return m_builder.snapshot();
  }

 private:
  void writeReplica(int step, Nanoseconds begin, int replica) {
    const int lane = 2 * replica;
    const auto at = [&](int ms) { return begin + (ms + 2 * replica) * kMs; };
    for (int k = 0; k < 2; ++k) {
      act(lane, 0, Phase::Forward, 2 * replica + k, at(10 * k), at(10 * k + 10), step);
      act(lane + 1, 1, Phase::Forward, 2 * replica + k, at(10 * k + 10), at(10 * k + 20), step);
      act(lane + 1, 1, Phase::Backward, 2 * replica + k, at(20 * k + 30), at(20 * k + 50), step);
      act(lane, 0, Phase::Backward, 2 * replica + k, at(20 * k + 50), at(20 * k + 70), step);
    }
    for (int stage = 0; stage < 2; ++stage) {
      const int end = stage == 0 ? 90 : 70;
      add(m_exchange[lane + stage], "broadcast buffers", Category::Sync, Phase::Forward, at(stage == 0 ? 0 : 8),
          at(stage == 0 ? 1 : 9), step, -1, -1);
      add(m_exchange[lane + stage], "all-reduce 1.00 MiB", Category::Sync, Phase::Backward, at(end - 8), at(end - 2),
          step, -1, -1);
      add(m_exchange[lane + stage], "all-reduce 25.0 MiB", Category::Sync, Phase::Backward, at(end - 2), at(end + 12),
          step, -1, -1);
      act(lane + stage, stage, Phase::Update, 0, at(end + 12), at(end + 16), step);
    }
  }

  void act(int lane, int stage, Phase phase, int batch, Nanoseconds start, Nanoseconds end, int step) {
    const std::string name =
        std::to_string(stage) + letterOf(phase) + (phase == Phase::Update ? "" : std::to_string(batch));
    add(m_compute[lane], name, Category::Action, phase, start, end, step, stage, batch);
  }

  void add(TrackIndex track, const std::string& name, Category category, Phase phase, Nanoseconds start,
           Nanoseconds end, int step, int stage, int batch) {
    m_builder.append(track, named(m_builder, name, category, phase, {start, end}, step, stage, batch));
  }

  TraceBuilder m_builder{"DDP", {{"", "cpu:0"}, {"", "cpu:1"}, {"", "cpu:2"}, {"", "cpu:3"}}};
  TrackIndex m_compute[4], m_exchange[4];
};

inline std::shared_ptr<const Trace> replicaTrace(int steps = 2) { return ReplicaWriter().write(steps); }

}  // namespace lanelab::testworld
