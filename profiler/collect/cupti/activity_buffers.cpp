// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/collect/cupti/activity_buffers.h"

#include <cstdlib>
#include <utility>

namespace lanelab {

ActivityBuffers& ActivityBuffers::instance() {
  static ActivityBuffers* const forever = new ActivityBuffers;
  return *forever;
}

bool ActivityBuffers::claim(std::shared_ptr<CuptiApi> api) {
  const std::lock_guard lock(m_mutex);
  if (m_api) return false;
  m_api = std::move(api);
  for (const ActivityBuffer& buffer : m_completed) m_free.push_back(buffer.data);
  m_completed.clear();
  m_dropped = 0;
  return true;
}

void ActivityBuffers::release() {
  const std::lock_guard lock(m_mutex);
  m_api.reset();
}

std::vector<ActivityBuffer> ActivityBuffers::takeCompleted() {
  const std::lock_guard lock(m_mutex);
  return std::exchange(m_completed, {});
}

void ActivityBuffers::recycle(const std::vector<ActivityBuffer>& buffers) {
  const std::lock_guard lock(m_mutex);
  for (const ActivityBuffer& buffer : buffers) m_free.push_back(buffer.data);
}

std::int64_t ActivityBuffers::takeDropped() {
  const std::lock_guard lock(m_mutex);
  return std::exchange(m_dropped, 0);
}

/// Null when all are out: CUPTI then drops records and counts them (allowed since its API version 27).
std::uint8_t* ActivityBuffers::request() {
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

void ActivityBuffers::complete(ActivityBuffer buffer) {
  const std::lock_guard lock(m_mutex);
  if (buffer.valid == 0) {
    m_free.push_back(buffer.data);
  } else {
    m_completed.push_back(buffer);
  }
}

void CUPTIAPI ActivityBuffers::onRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *buffer = instance().request();
  *size = *buffer != nullptr ? kBufferSize : 0;
  *most_records = 0;  // as many as fit
}

void CUPTIAPI ActivityBuffers::onCompleted(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t,
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

}  // namespace lanelab
