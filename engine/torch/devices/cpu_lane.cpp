// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/devices/cpu_lane.h"

#include <ATen/Parallel.h>

#include "profiler/trace/trace_builder.h"

namespace lanelab {

CpuLane::CpuLane(const CoreGroup& cores) {
  const CpuCores& machine = CpuCores::ofThisMachine();
  machine.pinThread(cores.first, cores.threads);
  at::set_num_threads(cores.threads);
  m_account = std::make_shared<LaneAccount>(cores.first % machine.count());
  chargeThread(m_account);
}

CpuLane::~CpuLane() { chargeThread(nullptr); }

bool CpuLane::await(const SentTensor& sent) {
  if (sent.pending) sent.pending->waitOnHost();
  return sent.pending != nullptr;
}

at::Tensor CpuLane::receive(const SentTensor& sent) {
  await(sent);
  return sent.tensor.to(at::kCPU);
}

std::size_t CpuLane::mark() {
  m_marks.push_back({monotonicNow(), threadCpuNow()});
  return m_marks.size() - 1;
}

}  // namespace lanelab
