// SPDX-License-Identifier: GPL-3.0-only
// The buffers that CUPTI fills, and the two C callbacks that hand them over. One set a process, since the callbacks
// carry no user data; it lives as long as the process, since CUPTI may complete a buffer after a run.
//
// Threads: the callbacks run on whatever thread CUPTI uses, take one short lock and never decode.
#pragma once

#include <cupti.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "profiler/collect/cupti/cupti_api.h"
#include "profiler/collect/cupti/cupti_decoder.h"

namespace lanelab {

class ActivityBuffers {
 public:
  /// Per-thread buffers are CUPTI's default, so many are partly filled: small ones, and enough of them.
  static constexpr std::size_t kBufferSize = std::size_t{512} << 10U;
  static constexpr std::size_t kMostBuffers = 128;

  static ActivityBuffers& instance();

  /// Takes the place of the one user; false when there is one already. What an earlier user left unread is dropped.
  bool claim(std::shared_ptr<CuptiApi> api);
  void release();

  std::vector<ActivityBuffer> takeCompleted();
  void recycle(const std::vector<ActivityBuffer>& buffers);
  std::int64_t takeDropped();  ///< records that CUPTI reported lost since the last call

  static void CUPTIAPI onRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records);
  static void CUPTIAPI onCompleted(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size,
                                   std::size_t valid);

 private:
  ActivityBuffers() = default;
  std::uint8_t* request();
  void complete(ActivityBuffer buffer);

  std::mutex m_mutex;
  std::shared_ptr<CuptiApi> m_api;  ///< of the present user
  std::vector<std::uint8_t*> m_free;
  std::vector<ActivityBuffer> m_completed;
  std::size_t m_allocated = 0;
  std::int64_t m_dropped = 0;
};

}  // namespace lanelab
