// SPDX-License-Identifier: GPL-3.0-only
// A sealed run of spans, packed column by column: each column stands as its least value and, of each span, what it lies
// above that, in as few whole bytes as the largest needs (frame of reference). Immutable, so it is shared between
// traces and threads.
//
// Lossless for any values: differences wrap around in 64 bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "profiler/trace/span.h"

namespace lanelab {

class SpanChunk {
 public:
  explicit SpanChunk(std::span<const Span> spans);  ///< at least one

  std::size_t size() const { return m_size; }
  /// i < size(), here and below. Inline, so that a loop unpacks those columns only that it looks at.
  Span span(std::size_t i) const;
  Nanoseconds startOf(std::size_t i) const { return static_cast<Nanoseconds>(value(Starts, i)); }
  Nanoseconds endOf(std::size_t i) const { return static_cast<Nanoseconds>(value(Starts, i) + value(Lengths, i)); }
  /// All spans have the same.
  bool oneCategory() const { return m_columns[Categories].width == 0; }
  /// Spans [from, from + out.size()), several times as fast as one by one.
  void unpack(std::size_t from, std::span<Span> out) const;

  std::size_t bytes() const { return sizeof(SpanChunk) + m_bytes.capacity(); }

 private:
  /// A length is end - start. Of marks see packMarks.
  enum Column : std::size_t {
    Starts,
    Lengths,
    Marks,
    CpuTimes,
    Names,
    Steps,
    Stages,
    MicroBatches,
    Categories,
    Phases,
    Labels
  };
  static constexpr std::size_t kColumnCount = 11;
  static constexpr std::size_t kPadding = 8;  ///< a value is read as eight bytes, of which the surplus is masked off

  struct Packed {
    std::uint64_t base = 0;
    std::uint64_t mask = 0;
    std::uint32_t offset = 0;  ///< of the first span's bytes in m_bytes
    std::uint32_t width = 0;   ///< bytes a span, 0 where all have `base`
  };

  [[gnu::always_inline]] std::uint64_t value(Column column, std::size_t i) const {
    const Packed& packed = m_columns[column];
    std::uint64_t bits;
    std::memcpy(&bits, m_bytes.data() + packed.offset + i * packed.width, sizeof bits);
    return packed.base + (bits & packed.mask);
  }
  template <class Visit>
  static void eachField(const Visit& visit);
  template <class Value>
  void store(Column column, std::uint64_t base, std::uint64_t largest, const Value& value);
  template <class Value>
  void packColumn(Column column, const Value& value);
  void packMarks(std::span<const Span> spans);
  Nanoseconds markAt(std::size_t i) const;
  Span bases() const;
  void unpackTimes(std::size_t from, std::span<Span> out) const;
  template <class Set>
  void unpackColumn(Column column, std::size_t from, std::span<Span> out, const Set& set) const;

  std::array<Packed, kColumnCount> m_columns;
  std::uint32_t m_size = 0;
  bool m_marks_absolute = false;
  std::vector<std::byte> m_bytes;
};

/// What is stored of a mark is described at packMarks.
[[gnu::always_inline]] inline Nanoseconds SpanChunk::markAt(std::size_t i) const {
  const std::uint64_t stored = value(Marks, i);
  if (m_marks_absolute) return static_cast<Nanoseconds>(stored);
  return stored == m_columns[Marks].base ? 0 : static_cast<Nanoseconds>(value(Starts, i) - stored);
}

[[gnu::always_inline]] inline Span SpanChunk::span(std::size_t i) const {
  Span span;
  span.start = startOf(i);
  span.end = endOf(i);
  span.mark = markAt(i);
  span.cpu = static_cast<Nanoseconds>(value(CpuTimes, i));
  span.name = static_cast<std::uint32_t>(value(Names, i));
  span.step = static_cast<std::int32_t>(value(Steps, i));
  span.stage = static_cast<std::int16_t>(value(Stages, i));
  span.micro_batch = static_cast<std::int16_t>(value(MicroBatches, i));
  span.category = static_cast<Category>(value(Categories, i));
  span.phase = static_cast<Phase>(value(Phases, i));
  span.label = static_cast<std::uint16_t>(value(Labels, i));
  return span;
}

}  // namespace lanelab
