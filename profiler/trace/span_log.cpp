// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/trace/span_log.h"

#include <algorithm>

namespace lanelab {

SpanLog::~SpanLog() {
  for (Chunk* chunk = m_reading != nullptr ? m_reading : m_first.load(std::memory_order_relaxed); chunk != nullptr;) {
    Chunk* const next = chunk->next;
    delete chunk;
    chunk = next;
  }
}

void SpanLog::append(const Span& span) {
  const std::size_t count = m_count.load(std::memory_order_relaxed);
  if (count % kChunkSpans == 0) grow();
  ::new (static_cast<void*>(m_last->storage + (count % kChunkSpans) * sizeof(Span))) Span(span);
  m_count.store(count + 1, std::memory_order_release);
}

void SpanLog::grow() {
  // Default-initialised on purpose: zeroing 24 KiB would show up as a pause of the writer.
  Chunk* const chunk = new Chunk;
  if (m_last == nullptr) {
    m_first.store(chunk, std::memory_order_relaxed);
  } else {
    m_last->next = chunk;
  }
  m_last = chunk;
}

bool SpanLog::take(std::vector<Span>& out) {
  const std::size_t count = size();
  out.clear();
  if (m_taken == count) return false;
  if (m_reading == nullptr) {
    m_reading = m_first.load(std::memory_order_relaxed);
  } else if (m_taken % kChunkSpans == 0) {
    Chunk* const next = m_reading->next;
    delete m_reading;
    m_reading = next;
  }
  const std::size_t first = m_taken % kChunkSpans;
  const std::size_t last = std::min(kChunkSpans, first + (count - m_taken));
  out.assign(m_reading->at(first), m_reading->at(0) + last);
  m_taken += last - first;
  return true;
}

std::size_t SpanLog::bytes() const {
  const std::size_t made = (size() + kChunkSpans - 1) / kChunkSpans;
  const std::size_t freed = m_taken == 0 ? 0 : (m_taken - 1) / kChunkSpans;
  return sizeof *this + (made - freed) * sizeof(Chunk);
}

}  // namespace lanelab
