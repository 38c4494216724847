// SPDX-License-Identifier: GPL-3.0-only
// The buffers that CUPTI fills, and the two C callbacks that hand them over. One set a process, since the callbacks
// carry no user data; it lives as long as the process, since CUPTI may complete a buffer after a run.
//
// Threads: the callbacks run on whatever thread CUPTI uses, take one short lock and never decode.
#pragma once

#include <cupti.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "profiler/collect/cupti/cupti_api.h"
#include "profiler/collect/cupti/cupti_decoder.h"

namespace lanelab {

class ActivityBuffers {
 public:
  /// Per-thread buffers are CUPTI's default, so many are partly filled: small ones, and enough of them.
  static constexpr std::size_t kBufferSize = std::size_t{512} << 10U;
  static constexpr std::size_t kMostBuffers = 128;

  static ActivityBuffers& instance() {
    static ActivityBuffers* const forever = new ActivityBuffers;
    return *forever;
  }

  /// Takes the place of the one user; false when there is one already. What an earlier user left unread is dropped.
  bool claim(std::shared_ptr<CuptiApi> api) {
    const std::lock_guard lock(m_mutex);
    if (m_api) return false;
    m_api = std::move(api);
    for (const ActivityBuffer& buffer : m_completed) m_free.push_back(buffer.data);
    m_completed.clear();
    m_dropped = 0;
    return true;
  }

  void release() {
    const std::lock_guard lock(m_mutex);
    m_api.reset();
  }

  std::vector<ActivityBuffer> collectCompleted() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_completed, {});
  }
  void recycle(const std::vector<ActivityBuffer>& buffers) {
    const std::lock_guard lock(m_mutex);
    for (const ActivityBuffer& buffer : buffers) m_free.push_back(buffer.data);
  }
  /// Records that CUPTI reported lost since the last call.
  std::int64_t collectDropped() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_dropped, 0);
  }

  static void CUPTIAPI onRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
    *buffer = instance().request();
    *size = *buffer != nullptr ? kBufferSize : 0;
    *most_records = 0;  // as many as fit
  }
  static void CUPTIAPI onCompleted(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t,
                                   std::size_t valid) {
    ActivityBuffers& buffers = instance();
    if (buffer != nullptr) buffers.complete({buffer, valid});
    std::shared_ptr<CuptiApi> api;
    {
      const std::lock_guard lock(buffers.m_mutex);
      api = buffers.m_api;
    }
    // Without our lock: CUPTI takes its own in there.
    std::size_t dropped = 0;
    if (!api || api->droppedRecords(context, stream, dropped) != CUPTI_SUCCESS || dropped == 0) return;
    const std::lock_guard lock(buffers.m_mutex);
    buffers.m_dropped += static_cast<std::int64_t>(dropped);
  }

 private:
  ActivityBuffers() = default;
  /// Null when all are out: CUPTI then drops records and counts them (allowed since its API version 27).
  std::uint8_t* request() {
    constexpr std::size_t kAlignment = 64;  // CUPTI asks for 8
    const std::lock_guard lock(m_mutex);
    if (!m_free.empty()) {
      std::uint8_t* const buffer = m_free.back();
      m_free.pop_back();
      return buffer;
    }
    if (m_allocated == kMostBuffers) return nullptr;
    auto* const buffer = static_cast<std::uint8_t*>(std::aligned_alloc(kAlignment, kBufferSize));
    if (buffer != nullptr) ++m_allocated;
    return buffer;
  }

  void complete(ActivityBuffer buffer) {
    const std::lock_guard lock(m_mutex);
    if (buffer.valid == 0) {
      m_free.push_back(buffer.data);
    } else {
      m_completed.push_back(buffer);
    }
  }

  std::mutex m_mutex;
  std::shared_ptr<CuptiApi> m_api;  ///< of the present user
  std::vector<std::uint8_t*> m_free;
  std::vector<ActivityBuffer> m_completed;
  std::size_t m_allocated = 0;
  std::int64_t m_dropped = 0;
};

}  // namespace lanelab
