// SPDX-License-Identifier: GPL-3.0-only
// Which lane a CUDA stream belongs to, by CUPTI's numbers, so that the collector puts kernels on the right row.
#pragma once

#include <cuda_runtime_api.h>

#include <map>
#include <mutex>

#include "profiler/collect/cupti/cupti_collector.h"

namespace lanelab {

/// Any thread. A stream whose numbers CUPTI does not tell is left out.
class StreamLanes {
 public:
  /// On the lane's thread, after its device became current.
  void add(cudaStream_t stream, int lane);
  void remove(cudaStream_t stream);
  /// -1 when the stream is no lane's.
  int laneOf(const CudaStream& stream) const;
  /// The one lane that has streams in the context; -1 when none or several have.
  int laneOfContext(std::uint32_t context) const;

 private:
  struct Entry {
    CudaStream numbers;
    int lane;
  };
  mutable std::mutex m_mutex;
  std::map<cudaStream_t, Entry> m_entries;
};

}  // namespace lanelab
