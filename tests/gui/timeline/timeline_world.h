// SPDX-License-Identifier: GPL-3.0-only
// Small made-up traces: a pipeline that runs stage by stage with transfers and updates, and a dense row of many short
// spans.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "profiler/trace/trace_builder.h"

namespace lanelab::testworld {

inline constexpr Nanoseconds kMs = 1'000'000;

/// A span of that name, which the builder learns.
inline Span named(TraceBuilder& builder, const std::string& name, Category category, Phase phase, TimeRange range,
                  int step, int stage, int batch) {
  Span span;
  span.name = builder.intern(name);
  span.category = category;
  span.phase = phase;
  span.start = range.start;
  span.end = range.end;
  span.step = step;
  span.stage = static_cast<std::int16_t>(stage);
  span.micro_batch = static_cast<std::int16_t>(batch);
  return span;
}

struct PipelineShape {
  int lanes = 2;
  int steps = 3;
  int micro_batches = 6;
  bool blocks = true;
  Nanoseconds start = 1000 * kMs;
};

/// A fill-drain pipeline: all forwards, then all backwards, one stage a lane; forward 10 ms, backward 20 ms, a little
/// uneven, as real runs are.
class PipelineWriter {
 public:
  explicit PipelineWriter(const PipelineShape& shape)
      : m_shape(shape),
        m_builder("Pipeline", lanesOf(shape)),
        m_free(static_cast<std::size_t>(shape.lanes), shape.start) {
    m_step_track = m_builder.addTrack(0, Track::Kind::Step, "steps");
    for (int lane = 0; lane < shape.lanes; ++lane) {
      m_compute.push_back(m_builder.addTrack(lane, Track::Kind::Compute, "compute"));
      m_transfer.push_back(m_builder.addTrack(lane, Track::Kind::Transfer, "transfers"));
      m_detail.push_back(m_builder.addTrack(lane, Track::Kind::Detail, "blocks"));
    }
  }

  std::shared_ptr<const Trace> write() {
    Nanoseconds now = m_shape.start;
    for (int step = 0; step < m_shape.steps; ++step) now = writeStep(step, now) + 6 * kMs;
    return m_builder.snapshot();
  }

 private:
  static std::vector<LaneInfo> lanesOf(const PipelineShape& shape) {
    std::vector<LaneInfo> lanes;
    for (int lane = 0; lane < shape.lanes; ++lane)
      lanes.push_back({"lane " + std::to_string(lane), "cpu:" + std::to_string(lane)});
    return lanes;
  }

  Nanoseconds writeStep(int step, Nanoseconds begin) {
    std::fill(m_free.begin(), m_free.end(), begin);
    m_ready.clear();
    for (int batch = 0; batch < m_shape.micro_batches; ++batch) {
      for (int stage = 0; stage < m_shape.lanes; ++stage) act(step, stage, Phase::Forward, batch, begin);
    }
    for (int batch = 0; batch < m_shape.micro_batches; ++batch) {
      for (int stage = m_shape.lanes; stage-- > 0;) act(step, stage, Phase::Backward, batch, begin);
    }
    for (int stage = 0; stage < m_shape.lanes; ++stage) act(step, stage, Phase::Update, 0, begin);
    const Nanoseconds end = *std::max_element(m_free.begin(), m_free.end());
    m_builder.append(m_step_track, named(m_builder, "step " + std::to_string(step), Category::Step, Phase::None,
                                         {begin, end}, step, -1, -1));
    return end;
  }

  void act(int step, int stage, Phase phase, int batch, Nanoseconds begin) {
    const bool forward = phase == Phase::Forward;
    const int giver = forward ? stage - 1 : stage + 1;
    const auto lane = static_cast<std::size_t>(stage);
    Nanoseconds start = m_free[lane];
    const auto ready = m_ready.find({giver, forward, batch});
    if (phase != Phase::Update && ready != m_ready.end()) start = std::max(start, ready->second);
    const Nanoseconds uneven = kMs / 10 * ((batch * 7 + stage * 3 + step * 5) % 11);
    const Nanoseconds length = (phase == Phase::Update ? 4 : forward ? 10 : 20) * kMs + uneven;
    const Nanoseconds end = start + length;
    const std::string name =
        std::to_string(stage) + letterOf(phase) + (phase == Phase::Update ? "" : std::to_string(batch));
    Span span = named(m_builder, name, Category::Action, phase, {start, end}, step, stage, batch);
    span.mark = std::max(begin, start - kMs / 5);
    m_builder.append(m_compute[lane], span);
    if (m_shape.blocks) writeBlocks(lane, phase, start, end, step, stage, batch);
    m_free[lane] = end;
    const int taker = forward ? stage + 1 : stage - 1;
    if (phase == Phase::Update || taker < 0 || taker >= m_shape.lanes) return;
    Span transfer = named(m_builder, name + " to " + std::to_string(taker), Category::Transfer, phase, {end, end + kMs},
                          step, stage, batch);
    transfer.mark = end - kMs / 20;
    m_builder.append(m_transfer[lane], transfer);
    m_ready[{stage, forward, batch}] = end + kMs;
  }

  void writeBlocks(std::size_t lane, Phase phase, Nanoseconds start, Nanoseconds end, int step, int stage, int batch) {
    constexpr int kBlocks = 4;
    for (int block = 0; block < kBlocks; ++block) {
      const Nanoseconds length = (end - start) / kBlocks;
      const TimeRange range{start + block * length, start + (block + 1) * length - kMs / 50};
      m_builder.append(m_detail[lane],
                       named(m_builder, "layer" + std::to_string(stage + 1) + "." + std::to_string(block),
                             Category::Block, phase, range, step, stage, batch));
    }
  }

  struct Result {
    int stage;
    bool forward;
    int batch;
    auto operator<=>(const Result&) const = default;
  };

  PipelineShape m_shape;
  TraceBuilder m_builder;
  TrackIndex m_step_track;
  std::vector<TrackIndex> m_compute, m_transfer, m_detail;
  std::vector<Nanoseconds> m_free;
  std::map<Result, Nanoseconds> m_ready;
};

inline std::shared_ptr<const Trace> pipelineTrace(const PipelineShape& shape = {}) {
  return PipelineWriter(shape).write();
}

/// `count` forward actions of `busy` ns each, one every `period` ns, on one lane in one step.
inline std::shared_ptr<const Trace> denseTrace(int count, Nanoseconds period, Nanoseconds busy, int lanes = 1) {
  std::vector<LaneInfo> infos;
  for (int lane = 0; lane < lanes; ++lane) infos.push_back({"", "cpu:" + std::to_string(lane)});
  TraceBuilder builder("Dense", infos, Origin::Predicted);
  const std::uint32_t name = builder.intern("0F0");
  for (int lane = 0; lane < lanes; ++lane) {
    const TrackIndex track = builder.addTrack(lane, Track::Kind::Compute, "compute");
    for (int i = 0; i < count; ++i) {
      Span span;
      span.name = name;
      span.category = Category::Action;
      span.phase = i % 3 == 2 ? Phase::Backward : Phase::Forward;
      span.start = i * period;
      span.end = span.start + busy;
      span.step = 0;
      span.stage = static_cast<std::int16_t>(lane);
      span.micro_batch = static_cast<std::int16_t>(i % 32);
      builder.append(track, span);
    }
  }
  return builder.snapshot();
}

/// Two forwards of 10 ms, then a backward that an error ends after 5 ms.
inline std::shared_ptr<const Trace> traceThatFailed() {
  TraceBuilder builder("Pipeline", {{"", "cpu:1"}});
  const TrackIndex track = builder.addTrack(0, Track::Kind::Compute, "compute");
  const auto add = [&](const std::string& name, Category category, Phase phase, std::int16_t batch, Nanoseconds start,
                       Nanoseconds end) {
    Span span;
    span.name = builder.intern(name);
    span.category = category;
    span.phase = phase;
    span.step = 0;
    span.stage = 1;
    span.micro_batch = batch;
    span.start = start;
    span.end = end;
    builder.append(track, span);
  };
  add("1F1", Category::Action, Phase::Forward, 1, 0, 10 * kMs);
  add("1F2", Category::Action, Phase::Forward, 2, 10 * kMs, 20 * kMs);
  add("1B2 failed", Category::Other, Phase::Backward, 2, 22 * kMs, 27 * kMs);
  return builder.snapshot();
}

}  // namespace lanelab::testworld
