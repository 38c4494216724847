// SPDX-License-Identifier: GPL-3.0-only
// A CUDA event that frees itself.
#pragma once

#include <c10/cuda/CUDAException.h>
#include <cuda_runtime_api.h>

namespace lanelab {

/// With `timing` it can be measured, which costs a little; without, it only orders streams. c10::Error on failure.
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

}  // namespace lanelab
