// SPDX-License-Identifier: GPL-3.0-only
#include "engine/cuda/stream_lanes.h"

#include <dlfcn.h>

namespace lanelab {

namespace {

/// The driver's current context of this thread. The driver is loaded at run time, so its one function that is needed is
/// looked up in it: CUDA's runtime may have loaded it for itself alone.
void* currentContext() {
  using GetCurrent = int (*)(void**);
  static const auto get_current = [] {
    void* const driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    return driver == nullptr ? nullptr : reinterpret_cast<GetCurrent>(::dlsym(driver, "cuCtxGetCurrent"));
  }();
  void* context = nullptr;
  return get_current && get_current(&context) == 0 ? context : nullptr;
}

}  // namespace

void StreamLanes::add(cudaStream_t stream, int lane) {
  const auto numbers = cudaStreamOf(currentContext(), stream);
  if (!numbers) return;
  const std::lock_guard lock(m_mutex);
  m_entries[stream] = {*numbers, lane};
}

void StreamLanes::remove(cudaStream_t stream) {
  const std::lock_guard lock(m_mutex);
  m_entries.erase(stream);
}

int StreamLanes::laneOf(const CudaStream& stream) const {
  const std::lock_guard lock(m_mutex);
  for (const auto& [handle, entry] : m_entries) {
    if (entry.numbers == stream) return entry.lane;
  }
  return -1;
}

int StreamLanes::laneOfContext(std::uint32_t context) const {
  const std::lock_guard lock(m_mutex);
  int lane = -1;
  for (const auto& [handle, entry] : m_entries) {
    if (entry.numbers.context != context) continue;
    if (lane >= 0 && lane != entry.lane) return -1;
    lane = entry.lane;
  }
  return lane;
}

}  // namespace lanelab
