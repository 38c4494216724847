// SPDX-License-Identifier: GPL-3.0-only
// A lane on a CUDA device: a host thread with a stream of its own.
#pragma once

#include <c10/core/AutogradState.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <memory>
#include <vector>

#include "engine/cuda/cuda_event.h"
#include "engine/cuda/stream_lanes.h"
#include "engine/torch/devices/device_lane.h"

namespace lanelab {

/// The constructor turns the calling thread into the lane's: its current stream is the lane's, and backward runs here
/// instead of on the one worker thread that autograd keeps for a device, which all lanes of a GPU would share. Destroy
/// it on the same thread.
///
/// Several lanes of one GPU share its multiprocessors and its memory; heldBytes() and peakBytes() are the device's.
class CudaLane final : public DeviceLane {
 public:
  CudaLane(int device, int lane, StreamLanes& streams);
  ~CudaLane() override;

  at::Device device() const override { return m_stream.device(); }
  bool asynchronous() const override { return true; }
  at::Tensor fromHost(const at::Tensor& tensor) override;
  SentTensor send(at::Tensor tensor) override;
  at::Tensor receive(const SentTensor& sent) override;
  void finish() override { m_stream.synchronize(); }
  std::size_t mark() override;
  Nanoseconds timeOf(std::size_t mark) const override;
  void forgetMarks() override;
  std::int64_t heldBytes() const override;
  std::int64_t peakBytes() const override;
  void restartPeak() override;

 private:
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

}  // namespace lanelab
