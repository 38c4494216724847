// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/trace/span_columns.h"

namespace lanelab {

namespace {

/// The first place in [0, size) that `before` does not hold for; it holds for all in front of that.
template <class Before>
std::size_t partitionPoint(std::size_t size, const Before& before) {
  std::size_t first = 0;
  while (size > 0) {
    const std::size_t half = size / 2;
    if (before(first + half)) {
      first += half + 1;
      size -= half + 1;
    } else {
      size = half;
    }
  }
  return first;
}

}  // namespace

SpanColumns::SpanColumns(std::span<const Span> spans) { append(spans); }

std::size_t SpanColumns::firstFrom(Nanoseconds time) const {
  return partitionPoint(size(), [&](std::size_t i) { return startOf(i) < time; });
}

std::size_t SpanColumns::firstAfter(Nanoseconds time) const {
  return partitionPoint(size(), [&](std::size_t i) { return startOf(i) <= time; });
}

void SpanColumns::push_back(const Span& span) {
  if (m_sealed % kChunkSpans != 0) reopen();
  m_tail.push_back(span);
  if (m_tail.size() < kChunkSpans) return;
  m_chunks.push_back(std::make_shared<const SpanChunk>(m_tail));
  m_sealed += kChunkSpans;
  m_tail.clear();
}

void SpanColumns::append(std::span<const Span> spans) {
  while (!spans.empty()) {
    if (size() % kChunkSpans == 0 && spans.size() >= kChunkSpans) {
      // A whole chunk is packed from where it is.
      m_chunks.push_back(std::make_shared<const SpanChunk>(spans.first(kChunkSpans)));
      m_sealed += kChunkSpans;
      spans = spans.subspan(kChunkSpans);
    } else {
      push_back(spans.front());
      spans = spans.subspan(1);
    }
  }
}

void SpanColumns::copyTo(std::size_t from, std::span<Span> out) const {
  while (!out.empty() && from < m_sealed) {
    const SpanChunk& chunk = chunkOf(from);
    const std::size_t within = from % kChunkSpans;
    const std::size_t count = std::min(out.size(), chunk.size() - within);
    chunk.unpack(within, out.first(count));
    out = out.subspan(count);
    from += count;
  }
  if (!out.empty()) std::copy_n(m_tail.begin() + static_cast<std::ptrdiff_t>(from - m_sealed), out.size(), out.begin());
}

std::vector<Span> SpanColumns::toVector(std::size_t from) const {
  std::vector<Span> spans(size() - from);
  copyTo(from, spans);
  return spans;
}

void SpanColumns::truncate(std::size_t size) {
  if (size >= this->size()) return;
  if (size < m_sealed) {
    const std::size_t kept = size / kChunkSpans * kChunkSpans;
    std::vector<Span> tail(size - kept);
    copyTo(kept, tail);
    m_chunks.resize(kept / kChunkSpans);
    m_sealed = kept;
    m_tail = std::move(tail);
  } else {
    m_tail.resize(size - m_sealed);
  }
}

bool SpanColumns::sorted() const {
  for (std::size_t i = 1; i < size(); ++i)
    if (kParentsFirst((*this)[i], (*this)[i - 1])) return false;
  return true;
}

void SpanColumns::sort() {
  if (sorted()) return;
  std::vector<Span> spans = toVector();
  std::stable_sort(spans.begin(), spans.end(), kParentsFirst);
  *this = SpanColumns(spans);
}

void SpanColumns::merge(const std::vector<Span>& spans) {
  if (spans.empty()) return;
  if (empty() || !kParentsFirst(spans.front(), back())) return append(spans);
  const std::size_t place =
      partitionPoint(size(), [&](std::size_t i) { return !kParentsFirst(spans.front(), (*this)[i]); });
  const std::vector<Span> behind = toVector(place);
  std::vector<Span> merged(behind.size() + spans.size());
  std::merge(behind.begin(), behind.end(), spans.begin(), spans.end(), merged.begin(), kParentsFirst);
  truncate(place);
  append(merged);
}

void SpanColumns::seal() {
  if (!m_tail.empty()) {
    m_chunks.push_back(std::make_shared<const SpanChunk>(m_tail));
    m_sealed += m_tail.size();
  }
  m_tail = std::vector<Span>();
  m_chunks.shrink_to_fit();
}

/// Makes the tail of a last chunk that holds less than it could.
void SpanColumns::reopen() {
  m_tail.resize(m_chunks.back()->size());
  m_chunks.back()->unpack(0, m_tail);
  m_sealed -= m_tail.size();
  m_chunks.pop_back();
}

std::size_t SpanColumns::bytes() const {
  constexpr std::size_t kSharedPointerBlock = 32;  // counts and the allocator's own
  std::size_t bytes = sizeof *this + m_chunks.capacity() * sizeof m_chunks[0] + m_tail.capacity() * sizeof(Span);
  for (const auto& chunk : m_chunks) bytes += chunk->bytes() + kSharedPointerBlock;
  return bytes;
}

std::size_t SpanColumns::sharedWith(const SpanColumns& other) const {
  const std::size_t most = std::min(m_chunks.size(), other.m_chunks.size());
  const auto differ =
      std::mismatch(m_chunks.begin(), m_chunks.begin() + static_cast<std::ptrdiff_t>(most), other.m_chunks.begin());
  return std::min({static_cast<std::size_t>(differ.first - m_chunks.begin()) * kChunkSpans, m_sealed, other.m_sealed});
}

bool SpanColumns::operator==(const SpanColumns& other) const {
  if (size() != other.size()) return false;
  const auto shared = static_cast<std::ptrdiff_t>(sharedWith(other));
  return std::equal(begin() + shared, end(), other.begin() + shared);
}

}  // namespace lanelab
