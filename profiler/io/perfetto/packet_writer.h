// SPDX-License-Identifier: GPL-3.0-only
// Writes the packets of a trace in Perfetto's format: descriptions of tracks, interned texts, events.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "profiler/io/perfetto/perfetto_fields.h"
#include "profiler/io/perfetto/protobuf.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// Names of annotations, each by its interned number.
enum class SpanAnnotation : std::uint64_t {
  Stage = 1,
  MicroBatch,
  Phase,
  Step,
  Mark,
  Correlation,
  Device,
  Stream,
  Cpu
};

/// Appends packets of one sequence to a text that must outlive it. Events that use interned texts go behind them.
class PacketWriter {
 public:
  /// `flush` is called between packets, where the text may be emptied. All times lose `shift`, since none may be below
  /// zero.
  PacketWriter(std::string& out, std::function<void()> flush) : m_out(out), m_flush(std::move(flush)) {}
  void setShift(Nanoseconds shift) { m_shift = shift; }
  Nanoseconds shift() const { return m_shift; }

  template <class Put>
  void packet(const Put& put) {
    m_packet.clear();
    ProtobufText packet(m_packet);
    packet.varint(perfetto::packet::kSequence, 1);
    put(packet);
    ProtobufText(m_out).bytes(perfetto::trace::kPacket, m_packet);
    m_flush();
  }

  /// For the next putInterned(). `id` counts from 1 in each field.
  void intern(std::uint32_t field, std::uint64_t id, std::string_view text);
  /// Our own categories and the names of annotations; labels of a trace are categories below these.
  void internOwn();
  /// Nothing when nothing was interned.
  void putInterned(std::uint64_t flags = 0);

  /// A track; `put` adds what kind of track it is. 0 is no parent.
  template <class Put>
  void describe(std::uint64_t track, std::uint64_t parent, std::uint64_t order, std::string_view name, const Put& put) {
    m_inner.clear();
    ProtobufText descriptor(m_inner);
    beginDescription(descriptor, track, parent, order, name);
    put(descriptor);
    packet([&](ProtobufText& packet) { packet.bytes(perfetto::packet::kTrackDescriptor, m_inner); });
  }
  void describeProcess(std::uint64_t track, std::uint32_t index, std::string_view name);
  void describeCounter(std::uint64_t track, std::uint64_t parent, std::uint64_t order, std::string_view name,
                       std::string_view unit = {});

  template <class Put>
  void event(Nanoseconds time, std::uint64_t track, perfetto::event::Type type, const Put& put) {
    m_inner.clear();
    ProtobufText event(m_inner);
    event.varint(perfetto::event::kType, type);
    event.varint(perfetto::event::kTrack, track);
    put(event);
    packet([&](ProtobufText& packet) {
      packet.varint(perfetto::packet::kTimestamp, static_cast<std::uint64_t>(time - m_shift));
      packet.varint(perfetto::packet::kSequenceFlags, perfetto::packet::kNeedsState);
      packet.bytes(perfetto::packet::kTrackEvent, m_inner);
    });
  }
  /// A slice opens, named by the span's place in Trace::names + 1; `put` adds to it.
  template <class Put>
  void begin(const Span& span, std::uint64_t track, const Put& put) {
    event(span.start, track, perfetto::event::SliceBegin, [&](ProtobufText& event) {
      event.varint(perfetto::event::kNameId, span.name + 1U);
      event.varint(perfetto::event::kCategory, categoryOf(span));
      annotate(event, span);
      put(event);
    });
  }
  /// The innermost open slice closes.
  void end(Nanoseconds time, std::uint64_t track) {
    event(time, track, perfetto::event::SliceEnd, [](ProtobufText&) {});
  }
  void value(Nanoseconds time, std::uint64_t track, double value) {
    event(time, track, perfetto::event::Counter,
          [&](ProtobufText& event) { event.number(perfetto::event::kDoubleCounter, value); });
  }

  void annotate(ProtobufText& event, SpanAnnotation name, std::int64_t value);

 private:
  static std::uint64_t ownCategory(Category category) { return 0x10000 + static_cast<std::uint64_t>(category); }
  static std::uint64_t categoryOf(const Span& span) {
    return span.label != 0 ? span.label : ownCategory(span.category);
  }
  static void beginDescription(ProtobufText& descriptor, std::uint64_t track, std::uint64_t parent, std::uint64_t order,
                               std::string_view name);
  void annotate(ProtobufText& event, const Span& span);

  std::string& m_out;
  std::function<void()> m_flush;
  Nanoseconds m_shift = 0;
  std::string m_interned;
  std::string m_packet;  ///< the parts of a packet in the making, from the outer to the inner
  std::string m_inner;
  std::string m_annotation;
};

}  // namespace lanelab
