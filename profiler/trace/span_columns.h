// SPDX-License-Identifier: GPL-3.0-only
// The spans of a track: a sequence of values, packed by column in chunks that copies share, with an open tail of plain
// spans. A span of a run takes 12 to 18 bytes in it.
//
// It gives spans by value: nothing in it has an address. Any span is read in O(1), about 10 ns, and less where the
// caller looks at a few of its fields. Threads: as a vector; copies may be read by different threads at once, since
// what they share never changes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "profiler/trace/span.h"
#include "profiler/trace/span_chunk.h"

namespace lanelab {

class SpanColumns {
 public:
  static constexpr std::size_t kChunkSpans = 512;
  class Iterator;
  using value_type = Span;
  using iterator = Iterator;
  using const_iterator = Iterator;

  SpanColumns() = default;
  SpanColumns(std::initializer_list<Span> spans) : SpanColumns(std::span<const Span>(spans.begin(), spans.size())) {}
  SpanColumns(const std::vector<Span>& spans) : SpanColumns(std::span<const Span>(spans)) {}
  explicit SpanColumns(std::span<const Span> spans);

  std::size_t size() const { return m_sealed + m_tail.size(); }
  bool empty() const { return size() == 0; }
  [[gnu::always_inline]] Span operator[](std::size_t i) const {
    return i < m_sealed ? chunkOf(i).span(i % kChunkSpans) : m_tail[i - m_sealed];
  }
  Span front() const { return (*this)[0]; }
  Span back() const { return (*this)[size() - 1]; }
  /// Of one span, cheaper than the whole.
  Nanoseconds startOf(std::size_t i) const {
    return i < m_sealed ? chunkOf(i).startOf(i % kChunkSpans) : m_tail[i - m_sealed].start;
  }
  Nanoseconds endOf(std::size_t i) const {
    return i < m_sealed ? chunkOf(i).endOf(i % kChunkSpans) : m_tail[i - m_sealed].end;
  }

  Iterator begin() const;
  Iterator end() const;

  /// Up to here all surely have the category of span i, so that a search for one may leave out the others. At least i
  /// + 1.
  std::size_t categoryEnd(std::size_t i) const {
    return i < m_sealed && chunkOf(i).oneCategory() ? std::min(i / kChunkSpans * kChunkSpans + kChunkSpans, m_sealed)
                                                    : i + 1;
  }

  /// Where the spans are in order of start: the first that starts at or after the time, and the first that starts after
  /// it; size() when there is none.
  std::size_t firstFrom(Nanoseconds time) const;
  std::size_t firstAfter(Nanoseconds time) const;

  void push_back(const Span& span);
  void append(std::span<const Span> spans);
  /// Both in the order of kParentsFirst; of equal spans those that are here go first. Unpacks no more than what the new
  /// ones lie among.
  void merge(const std::vector<Span>& spans);
  /// Spans [from, from + out.size()).
  void copyTo(std::size_t from, std::span<Span> out) const;
  std::vector<Span> toVector(std::size_t from = 0) const;  ///< spans [from, size())
  void truncate(std::size_t size);                         ///< drops what is behind
  void clear() { *this = {}; }
  /// Into the order of kParentsFirst; equal ones keep theirs.
  void sort();
  bool sorted() const;
  /// Packs the tail too, for sequences that have all they will get. push_back() opens it again.
  void seal();

  std::size_t bytes() const;  ///< of memory, with what is shared
  /// How many leading spans are the very same chunks in both.
  std::size_t sharedWith(const SpanColumns& other) const;
  bool operator==(const SpanColumns& other) const;

 private:
  const SpanChunk& chunkOf(std::size_t i) const { return *m_chunks[i / kChunkSpans]; }
  void reopen();

  /// Of kChunkSpans each; only after seal() the last may hold fewer, and then the tail is empty.
  std::vector<std::shared_ptr<const SpanChunk>> m_chunks;
  std::size_t m_sealed = 0;  ///< spans in chunks
  std::vector<Span> m_tail;
};

class SpanColumns::Iterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Span;
  using difference_type = std::ptrdiff_t;
  using reference = Span;
  struct pointer {
    Span span;
    const Span* operator->() const { return &span; }
  };

  Iterator() = default;
  Iterator(const SpanColumns& columns, std::size_t index)
      : m_columns(&columns), m_index(static_cast<std::ptrdiff_t>(index)) {}

  [[gnu::always_inline]] Span operator*() const { return (*m_columns)[static_cast<std::size_t>(m_index)]; }
  Span operator[](std::ptrdiff_t n) const { return *(*this + n); }
  pointer operator->() const { return {**this}; }
  Iterator& operator++() { return ++m_index, *this; }
  Iterator& operator--() { return --m_index, *this; }
  Iterator& operator+=(std::ptrdiff_t n) { return m_index += n, *this; }
  Iterator& operator-=(std::ptrdiff_t n) { return m_index -= n, *this; }
  Iterator operator++(int) { return std::exchange(*this, *this + 1); }
  Iterator operator--(int) { return std::exchange(*this, *this - 1); }
  friend Iterator operator+(Iterator at, std::ptrdiff_t n) { return at += n; }
  friend Iterator operator+(std::ptrdiff_t n, Iterator at) { return at += n; }
  friend Iterator operator-(Iterator at, std::ptrdiff_t n) { return at -= n; }
  friend std::ptrdiff_t operator-(const Iterator& a, const Iterator& b) { return a.m_index - b.m_index; }
  bool operator==(const Iterator& other) const { return m_index == other.m_index; }
  auto operator<=>(const Iterator& other) const { return m_index <=> other.m_index; }

 private:
  const SpanColumns* m_columns = nullptr;
  std::ptrdiff_t m_index = 0;
};

inline SpanColumns::Iterator SpanColumns::begin() const { return {*this, 0}; }
inline SpanColumns::Iterator SpanColumns::end() const { return {*this, size()}; }

}  // namespace lanelab
