// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/train/gpu_recording.h"

#include <utility>

#include "engine/torch/devices/cuda_platform.h"

namespace lanelab {

std::string GpuRecording::start(TraceBuilder& trace) {
  const RecordMode mode = m_lanes.job().experiment.record;
  if (!m_lanes.includeGpus() || mode == RecordMode::Actions || !cudaPlatform()) return {};
  auto collector = cudaPlatform()->makeCollector(mode == RecordMode::Operators);
  if (std::string why_not = collector->start(trace); !why_not.empty()) return why_not;
  m_collector = std::move(collector);
  reportLaunchesTo(m_collector.get());
  return m_collector->notice();
}

std::optional<GpuActivity> GpuRecording::stop() {
  if (!m_collector) return std::nullopt;
  reportLaunchesTo(nullptr);
  m_collector->stop();
  const GpuActivity counts = m_collector->counts();
  m_collector.reset();
  return counts;
}

void GpuRecording::reportLaunchesTo(Collector* collector) {
  // Lanes that have started accept work, and this work cannot fail.
  (void)m_lanes.onEach([&](LaneId, TorchLaneWorker& worker) { worker.reportLaunchesTo(collector); });
}

}  // namespace lanelab
