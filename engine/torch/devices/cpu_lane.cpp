// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/devices/cpu_lane.h"

#include <ATen/Parallel.h>

#include <vector>

#include "engine/torch/devices/cpu_cores.h"
#include "engine/torch/devices/lane_memory.h"
#include "profiler/trace/trace_builder.h"

namespace lanelab {

namespace {

class CpuLane final : public DeviceLane {
 public:
  explicit CpuLane(const CoreGroup& cores) {
    const CpuCores& machine = CpuCores::ofThisMachine();
    machine.pinThread(cores.first, cores.threads);
    at::set_num_threads(cores.threads);
    m_account = std::make_shared<LaneAccount>(cores.first % machine.count());
    chargeThread(m_account);
  }
  ~CpuLane() override { chargeThread(nullptr); }

  at::Device device() const override { return at::kCPU; }
  bool asynchronous() const override { return false; }
  at::Tensor fromHost(const at::Tensor& tensor) override { return tensor; }
  SentTensors send(TensorList tensors) override { return {std::move(tensors), nullptr}; }
  TensorList receive(const SentTensors& sent) override {
    await(sent);
    TensorList here = sent.tensors;
    for (at::Tensor& tensor : here) {
      if (tensor.defined()) tensor = tensor.to(at::kCPU);
    }
    return here;
  }
  bool await(const SentTensors& sent) override {
    if (sent.pending) sent.pending->waitOnHost();
    return sent.pending != nullptr;
  }
  void finish() override {}
  std::size_t mark() override {
    m_marks.push_back({monotonicNow(), threadCpuNow()});
    return m_marks.size() - 1;
  }
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

}  // namespace

std::unique_ptr<DeviceLane> makeCpuLane(const CoreGroup& cores) { return std::make_unique<CpuLane>(cores); }

}  // namespace lanelab
