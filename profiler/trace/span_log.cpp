#include "profiler/trace/span_log.h"

#include <algorithm>

namespace lanelab {

SpanLog::~SpanLog() {
  for (Chunk* chunk = m_first.load(std::memory_order_relaxed); chunk != nullptr;) {
    Chunk* const next = chunk->next;
    delete chunk;
    chunk = next;
  }
}

void SpanLog::append(const Span& span) {
  const std::size_t count = m_count.load(std::memory_order_relaxed);
  if (count % chunkSpans == 0) grow();
  ::new (static_cast<void*>(m_last->storage + (count % chunkSpans) * sizeof(Span))) Span(span);
  m_count.store(count + 1, std::memory_order_release);
}

void SpanLog::grow() {
  // Default-initialised on purpose: zeroing 40 KiB would show up as a pause of the writer.
  Chunk* const chunk = new Chunk;
  if (m_last == nullptr) {
    m_first.store(chunk, std::memory_order_relaxed);
  } else {
    m_last->next = chunk;
  }
  m_last = chunk;
}

void SpanLog::copyTo(std::vector<Span>& out, std::size_t from, std::size_t to) const {
  const Chunk* chunk = m_first.load(std::memory_order_relaxed);
  for (std::size_t start = 0; start < to; start += chunkSpans) {
    const std::size_t stop = std::min(to, start + chunkSpans);
    if (from < stop) {
      const std::size_t begin = std::max(from, start);
      out.insert(out.end(), chunk->at(begin - start), chunk->at(begin - start) + (stop - begin));
    }
    if (stop < to) chunk = chunk->next;
  }
}

}  // namespace lanelab
