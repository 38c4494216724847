// SPDX-License-Identifier: GPL-3.0-only
// How tests change a span of a trace, which has no address: `place->mark = 5;`.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "profiler/trace/trace.h"

namespace lanelab {

/// A place in a trace, which must outlive it and stay where it is.
class EditedSpan {
 public:
  /// The span, put back when the statement ends.
  class Change {
   public:
    Change(SpanColumns& spans, std::size_t index) : m_spans(spans), m_index(index), m_span(spans[index]) {}
    ~Change() {
      std::vector<Span> behind = m_spans.toVector(m_index);
      behind.front() = m_span;
      m_spans.truncate(m_index);
      m_spans.append(behind);
    }
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;
    Span* operator->() { return &m_span; }
    Span& operator*() { return m_span; }

   private:
    SpanColumns& m_spans;
    std::size_t m_index;
    Span m_span;
  };

  EditedSpan(Trace& trace, std::size_t track, std::size_t index) : m_trace(&trace), m_track(track), m_index(index) {}
  Change operator->() const { return {m_trace->tracks[m_track].spans, m_index}; }

 private:
  Trace* m_trace;
  std::size_t m_track;
  std::size_t m_index;
};

/// A span with a name of its own in the trace's list of names.
inline Span namedSpan(Trace& trace, Category category, const std::string& name, Nanoseconds start, Nanoseconds end,
                      int step) {
  Span span;
  span.start = start;
  span.end = end;
  span.category = category;
  span.step = step;
  span.name = static_cast<std::uint32_t>(trace.names.size());
  trace.names.push_back(name);
  return span;
}

/// Puts the span behind the others of the track.
inline EditedSpan appended(Trace& trace, std::size_t track, const Span& span) {
  trace.tracks[track].spans.push_back(span);
  return {trace, track, trace.tracks[track].spans.size() - 1};
}

}  // namespace lanelab
