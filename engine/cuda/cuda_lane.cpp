// SPDX-License-Identifier: GPL-3.0-only
#include "engine/cuda/cuda_lane.h"

#include <ATen/core/Tensor.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>

#include <cmath>

#include "profiler/trace/trace_builder.h"

namespace lanelab {

namespace {

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

c10::cuda::CUDAStream streamForLane(int device) {
  const auto index = static_cast<c10::DeviceIndex>(device);
  c10::cuda::set_device(index);
  return c10::cuda::getStreamFromPool(/*isHighPriority=*/false, index);
}

/// `stream` may use the tensor once it is ready, and its memory is not given to others before that.
void lendTo(const at::Tensor& tensor, CudaPending& pending, c10::cuda::CUDAStream stream) {
  pending.block(stream.stream());
  c10::cuda::CUDACachingAllocator::recordStream(tensor.storage().data_ptr(), stream);
}

}  // namespace

CudaLane::CudaLane(int device, int lane, StreamLanes& streams)
    : m_stream(streamForLane(device)), m_guard(m_stream), m_streams(streams) {
  c10::AutogradState::get_tls_state().set_multithreading_enabled(false);
  m_streams.add(m_stream.stream(), lane);
  forgetMarks();
}

CudaLane::~CudaLane() { m_streams.remove(m_stream.stream()); }

at::Tensor CudaLane::fromHost(const at::Tensor& tensor) { return tensor.to(device()); }

SentTensor CudaLane::send(at::Tensor tensor) {
  return {std::move(tensor), std::make_shared<CudaPending>(m_stream.stream())};
}

at::Tensor CudaLane::receive(const SentTensor& sent) {
  auto* const pending = dynamic_cast<CudaPending*>(sent.pending.get());
  if (!pending || !sent.tensor.is_cuda()) return sent.tensor.to(device());
  lendTo(sent.tensor, *pending, m_stream);
  if (sent.tensor.device() == device()) return sent.tensor;
  // A copy between devices runs on both devices' current streams.
  lendTo(sent.tensor, *pending, c10::cuda::getCurrentCUDAStream(sent.tensor.device().index()));
  return sent.tensor.to(device(), /*non_blocking=*/true);
}

std::size_t CudaLane::mark() {
  if (m_marks == m_events.size()) m_events.push_back(std::make_unique<CudaEvent>(true));
  m_events[m_marks]->record(m_stream.stream());
  return m_marks++;
}

Nanoseconds CudaLane::timeOf(std::size_t mark) const {
  return m_base_time + static_cast<Nanoseconds>(std::llround(m_events[mark]->millisecondsSince(m_base) * 1e6));
}

void CudaLane::forgetMarks() {
  m_marks = 0;
  m_stream.synchronize();
  m_base.record(m_stream.stream());
  m_base.synchronize();
  m_base_time = monotonicNow();
}

std::int64_t CudaLane::heldBytes() const { return allocatedBytes(m_stream.device_index()).current; }

std::int64_t CudaLane::peakBytes() const { return allocatedBytes(m_stream.device_index()).peak; }

void CudaLane::restartPeak() { c10::cuda::CUDACachingAllocator::resetPeakStats(m_stream.device_index()); }

}  // namespace lanelab
