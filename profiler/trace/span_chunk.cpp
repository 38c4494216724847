// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/trace/span_chunk.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace lanelab {

namespace {

static_assert(std::endian::native == std::endian::little, "packed values are read as little-endian numbers");

std::uint64_t bitsOf(std::int64_t value) { return static_cast<std::uint64_t>(value); }

std::uint64_t load(const std::byte* at) {
  std::uint64_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// How long before its start a span was marked.
std::int64_t leadOf(const Span& span) { return static_cast<std::int64_t>(bitsOf(span.start) - bitsOf(span.mark)); }

template <class Field>
void set(Span& span, Field Span::*field, std::uint64_t value) {
  span.*field = static_cast<Field>(value);
}

}  // namespace

/// Calls `visit(column, field)` for each column that holds a field of the span as it is, in the order of the columns.
template <class Visit>
void SpanChunk::eachField(const Visit& visit) {
  visit(CpuTimes, &Span::cpu);
  visit(Names, &Span::name);
  visit(Steps, &Span::step);
  visit(Stages, &Span::stage);
  visit(MicroBatches, &Span::micro_batch);
  visit(Categories, &Span::category);
  visit(Phases, &Span::phase);
  visit(Labels, &Span::label);
}

SpanChunk::SpanChunk(std::span<const Span> spans) : m_size(static_cast<std::uint32_t>(spans.size())) {
  m_bytes.reserve(spans.size() * sizeof(Span) / 2);
  packColumn(Starts, [&](std::size_t i) { return spans[i].start; });
  packColumn(Lengths,
             [&](std::size_t i) { return static_cast<std::int64_t>(bitsOf(spans[i].end) - bitsOf(spans[i].start)); });
  packMarks(spans);
  eachField([&](Column column, auto field) {
    packColumn(column, [&](std::size_t i) { return static_cast<std::int64_t>(spans[i].*field); });
  });
  m_bytes.resize(m_bytes.size() + kPadding);
  m_bytes.shrink_to_fit();
}

/// `value(i)` is what span i lies above `base`.
template <class Value>
void SpanChunk::store(Column column, std::uint64_t base, std::uint64_t largest, const Value& value) {
  const auto width = static_cast<std::uint32_t>((std::bit_width(largest) + 7) / 8);
  const std::uint64_t mask = width == 0 ? 0 : ~std::uint64_t{0} >> (64 - 8 * width);
  m_columns[column] = {base, mask, static_cast<std::uint32_t>(m_bytes.size()), width};
  if (width == 0) return;
  const std::size_t end = m_bytes.size() + std::size_t{width} * m_size;
  m_bytes.resize(end + kPadding);
  std::byte* at = m_bytes.data() + m_columns[column].offset;
  for (std::size_t i = 0; i < m_size; ++i, at += width) {
    const std::uint64_t above = value(i);
    std::memcpy(at, &above, sizeof above);  // what is too much of it the next one overwrites
  }
  m_bytes.resize(end);
}

template <class Value>
void SpanChunk::packColumn(Column column, const Value& value) {
  std::int64_t least = value(0);
  std::int64_t most = least;
  std::size_t i = 1;
  while (i < m_size && value(i) == least) ++i;
  for (; i < m_size; ++i) {
    least = std::min<std::int64_t>(least, value(i));
    most = std::max<std::int64_t>(most, value(i));
  }
  store(column, bitsOf(least), bitsOf(most) - bitsOf(least),
        [&](std::size_t k) { return bitsOf(value(k)) - bitsOf(least); });
}

/// Marks lie near the start, so how long before it is the small number: the column has that plus one above the least,
/// and 0 where the mark is unknown. Where no mark is known, or no number is left to say which, it has the marks
/// themselves.
void SpanChunk::packMarks(std::span<const Span> spans) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
  for (const Span& span : spans) {
    if (span.mark == 0) continue;
    least = std::min(least, leadOf(span));
    most = std::max(most, leadOf(span));
  }
  m_marks_absolute = least > most || bitsOf(most) - bitsOf(least) == ~std::uint64_t{0};
  if (m_marks_absolute) return packColumn(Marks, [&](std::size_t i) { return spans[i].mark; });
  const std::uint64_t base = bitsOf(least) - 1;
  store(Marks, base, bitsOf(most) - base,
        [&](std::size_t i) { return spans[i].mark == 0 ? 0 : bitsOf(leadOf(spans[i])) - base; });
}

/// Of the columns that hardly ever vary within a chunk this is all there is to unpack.
Span SpanChunk::bases() const {
  Span span;
  span.mark = m_marks_absolute ? static_cast<Nanoseconds>(m_columns[Marks].base) : 0;
  eachField([&](Column column, auto field) { set(span, field, m_columns[column].base); });
  return span;
}

template <class Set>
void SpanChunk::unpackColumn(Column column, std::size_t from, std::span<Span> out, const Set& set) const {
  const Packed packed = m_columns[column];
  if (packed.width == 0) return;
  const std::byte* at = m_bytes.data() + packed.offset + from * packed.width;
  for (Span& span : out) {
    set(span, load(at) & packed.mask, packed.base);
    at += packed.width;
  }
}

void SpanChunk::unpackTimes(std::size_t from, std::span<Span> out) const {
  const Packed starts = m_columns[Starts];
  const Packed lengths = m_columns[Lengths];
  const std::byte* start = m_bytes.data() + starts.offset + from * starts.width;
  const std::byte* length = m_bytes.data() + lengths.offset + from * lengths.width;
  for (Span& span : out) {
    const std::uint64_t begin = starts.base + (load(start) & starts.mask);
    span.start = static_cast<Nanoseconds>(begin);
    span.end = static_cast<Nanoseconds>(begin + lengths.base + (load(length) & lengths.mask));
    start += starts.width;
    length += lengths.width;
  }
}

void SpanChunk::unpack(std::size_t from, std::span<Span> out) const {
  std::fill(out.begin(), out.end(), bases());
  unpackTimes(from, out);
  unpackColumn(Marks, from, out, [this](Span& span, std::uint64_t v, std::uint64_t base) {
    span.mark = static_cast<Nanoseconds>(m_marks_absolute ? base + v : v == 0 ? 0 : bitsOf(span.start) - (base + v));
  });
  eachField([&](Column column, auto field) {
    unpackColumn(column, from, out,
                 [field](Span& span, std::uint64_t v, std::uint64_t base) { set(span, field, base + v); });
  });
}

}  // namespace lanelab
