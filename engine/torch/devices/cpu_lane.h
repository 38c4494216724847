// SPDX-License-Identifier: GPL-3.0-only
// A lane of CPU cores: a pinned thread with its own number of intra-op threads and its own memory account.
#pragma once

#include <memory>
#include <vector>

#include "engine/torch/devices/cpu_cores.h"
#include "engine/torch/devices/device_lane.h"
#include "engine/torch/devices/lane_memory.h"

namespace lanelab {

/// The constructor turns the calling thread into the lane's: it must come before the thread's first torch call, since
/// OpenMP's workers inherit its cores.
class CpuLane final : public DeviceLane {
 public:
  explicit CpuLane(const CoreGroup& cores);
  ~CpuLane() override;

  at::Device device() const override { return at::kCPU; }
  bool asynchronous() const override { return false; }
  at::Tensor fromHost(const at::Tensor& tensor) override { return tensor; }
  SentTensor send(at::Tensor tensor) override { return {std::move(tensor), nullptr}; }
  at::Tensor receive(const SentTensor& sent) override;
  bool await(const SentTensor& sent) override;
  void finish() override {}
  std::size_t mark() override;
  Nanoseconds timeOf(std::size_t mark) const override { return m_marks[mark].time; }
  Nanoseconds cpuTimeOf(std::size_t mark) const override { return m_marks[mark].cpu; }
  void forgetMarks() override { m_marks.clear(); }
  std::int64_t heldBytes() const override { return m_account->live(); }
  std::int64_t peakBytes() const override { return m_account->peak(); }
  void restartPeak() override { m_account->restartPeak(); }

 private:
  struct Mark {
    Nanoseconds time, cpu;
  };

  std::shared_ptr<LaneAccount> m_account;
  std::vector<Mark> m_marks;
};

}  // namespace lanelab
