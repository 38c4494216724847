// SPDX-License-Identifier: GPL-3.0-only
// The work of GPUs, recorded beside the actions of a session's lanes.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/torch/train/session_lanes.h"
#include "profiler/collect/collector.h"
#include "profiler/trace/gpu_activity.h"
#include "profiler/trace/trace_builder.h"

namespace lanelab {

/// Starts and stops between two steps. Collects nothing if no lane is a GPU or the experiment records actions only.
class GpuRecording {
 public:
  /// `lanes` must outlive it.
  explicit GpuRecording(SessionLanes& lanes) : m_lanes(lanes) {}
  ~GpuRecording() { stop(); }
  GpuRecording(const GpuRecording&) = delete;
  GpuRecording& operator=(const GpuRecording&) = delete;

  bool running() const { return m_collector != nullptr; }
  /// Spans go to `trace` from now on. Returns a sentence if something will be missing, otherwise nothing.
  std::string start(TraceBuilder& trace);
  /// What was collected since the start; nothing if it is not running.
  std::optional<GpuActivity> stop();

 private:
  void reportLaunchesTo(Collector* collector);

  SessionLanes& m_lanes;
  std::unique_ptr<Collector> m_collector;
};

}  // namespace lanelab
