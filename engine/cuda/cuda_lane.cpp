// SPDX-License-Identifier: GPL-3.0-only
#include "engine/cuda/cuda_lane.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <c10/core/AutogradState.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include <cmath>
#include <vector>

#include "profiler/trace/trace_builder.h"

namespace lanelab {

namespace {

/// A CUDA event that frees itself. With `timing` it can be measured, which costs a little; without, it only orders
/// streams. c10::Error on failure.
class CudaEvent {
 public:
  explicit CudaEvent(bool timing) {
    C10_CUDA_CHECK(cudaEventCreateWithFlags(&m_event, timing ? cudaEventDefault : cudaEventDisableTiming));
  }
  ~CudaEvent() { cudaEventDestroy(m_event); }
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;

  void record(cudaStream_t stream) { C10_CUDA_CHECK(cudaEventRecord(m_event, stream)); }
  void synchronize() { C10_CUDA_CHECK(cudaEventSynchronize(m_event)); }
  void block(cudaStream_t stream) { C10_CUDA_CHECK(cudaStreamWaitEvent(stream, m_event, 0)); }
  /// Both must have happened.
  double millisecondsSince(const CudaEvent& earlier) const {
    float elapsed = 0;
    C10_CUDA_CHECK(cudaEventElapsedTime(&elapsed, earlier.m_event, m_event));
    return elapsed;
  }

 private:
  cudaEvent_t m_event = nullptr;
};

class CudaPending final : public Pending {
 public:
  explicit CudaPending(cudaStream_t stream) { m_event.record(stream); }
  void waitOnHost() override { m_event.synchronize(); }
  void block(cudaStream_t stream) { m_event.block(stream); }

 private:
  CudaEvent m_event{false};
};

c10::CachingAllocator::Stat allocatedBytes(c10::DeviceIndex device) {
  constexpr auto kAll = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  return c10::cuda::CUDACachingAllocator::getDeviceStats(device).allocated_bytes[kAll];
}

/// Starts the allocator, whose bytes a lane may be asked for before its first tensor, and makes the device's context
/// current on this thread, since CUPTI numbers streams by it. Without `force` PyTorch would leave that out on the first
/// GPU, which is the device of every new thread.
c10::cuda::CUDAStream streamForLane(int device) {
  const auto index = static_cast<c10::DeviceIndex>(device);
  at::globalContext().lazyInitDevice(at::kCUDA);
  c10::cuda::set_device(index, /*force=*/true);
  return c10::cuda::getStreamFromPool(/*isHighPriority=*/false, index);
}

/// `stream` may use the tensor once it is ready, and its memory is not given to others before that.
void lendTo(const at::Tensor& tensor, CudaPending& pending, c10::cuda::CUDAStream stream) {
  pending.block(stream.stream());
  c10::cuda::CUDACachingAllocator::recordStream(tensor.storage().data_ptr(), stream);
}

class CudaLane final : public DeviceLane {
 public:
  CudaLane(int device, int lane, StreamLanes& streams)
      : m_stream(streamForLane(device)), m_guard(m_stream), m_streams(streams) {
    c10::AutogradState::get_tls_state().set_multithreading_enabled(false);
    m_streams.add(m_stream.stream(), lane);
    forgetMarks();
  }
  ~CudaLane() override { m_streams.remove(m_stream.stream()); }

  at::Device device() const override { return m_stream.device(); }
  bool asynchronous() const override { return true; }
  at::Tensor fromHost(const at::Tensor& tensor) override { return tensor.to(device()); }
  SentTensors send(TensorList tensors) override {
    return {std::move(tensors), std::make_shared<CudaPending>(m_stream.stream())};
  }

  TensorList receive(const SentTensors& sent) override {
    auto* const pending = dynamic_cast<CudaPending*>(sent.pending.get());
    TensorList here = sent.tensors;
    for (at::Tensor& tensor : here) {
      if (tensor.defined()) tensor = broughtHere(tensor, pending);
    }
    return here;
  }

  void finish() override { m_stream.synchronize(); }

  std::size_t mark() override {
    if (m_marks == m_events.size()) m_events.push_back(std::make_unique<CudaEvent>(true));
    m_events[m_marks]->record(m_stream.stream());
    return m_marks++;
  }
  Nanoseconds timeOf(std::size_t mark) const override {
    return m_base_time + static_cast<Nanoseconds>(std::llround(m_events[mark]->millisecondsSince(m_base) * 1e6));
  }
  void forgetMarks() override {
    m_marks = 0;
    m_stream.synchronize();
    m_base.record(m_stream.stream());
    m_base.synchronize();
    m_base_time = monotonicNow();
  }

  std::int64_t heldBytes() const override { return allocatedBytes(m_stream.device_index()).current; }
  std::int64_t peakBytes() const override { return allocatedBytes(m_stream.device_index()).peak; }
  void restartPeak() override { c10::cuda::CUDACachingAllocator::resetPeakStats(m_stream.device_index()); }

 private:
  /// `pending` is null where another kind of lane sent the tensor.
  at::Tensor broughtHere(const at::Tensor& tensor, CudaPending* pending) {
    if (!pending || !tensor.is_cuda()) return tensor.to(device());
    lendTo(tensor, *pending, m_stream);
    if (tensor.device() == device()) return tensor;
    // A copy between devices runs on both devices' current streams.
    lendTo(tensor, *pending, c10::cuda::getCurrentCUDAStream(tensor.device().index()));
    return tensor.to(device(), /*non_blocking=*/true);
  }

  c10::cuda::CUDAStream m_stream;
  c10::cuda::CUDAStreamGuard m_guard;
  StreamLanes& m_streams;
  // Marks are timed from a base event whose host time is known. A new base each step keeps float milliseconds exact to
  // a microsecond.
  CudaEvent m_base{true};
  Nanoseconds m_base_time = 0;
  std::vector<std::unique_ptr<CudaEvent>> m_events;  ///< reused from step to step
  std::size_t m_marks = 0;
};

}  // namespace

std::unique_ptr<DeviceLane> makeCudaLane(int device, int lane, StreamLanes& streams) {
  return std::make_unique<CudaLane>(device, lane, streams);
}

}  // namespace lanelab
