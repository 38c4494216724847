// SPDX-License-Identifier: GPL-3.0-only
// Writes the packets of a trace in Perfetto's format: descriptions of tracks, interned texts, events.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/utf8.h"
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
  Cpu,
  Communication,
  Launcher
};

/// In the order of SpanAnnotation.
inline constexpr std::array<const char*, 11> kAnnotationNames = {"stage",   "micro_batch",   "phase",   "step",
                                                                 "mark_ns", "correlation",   "device",  "stream",
                                                                 "cpu_ns",  "communication", "launcher"};

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
  void intern(std::uint32_t field, std::uint64_t id, std::string_view text) {
    std::string entry;
    ProtobufText name(entry);
    name.varint(perfetto::interned::kId, id);
    name.bytes(perfetto::interned::kText, validUtf8(text));
    ProtobufText(m_interned).bytes(field, entry);
  }

  /// Our own categories and the names of annotations; labels of a trace are categories below these.
  void internOwn() {
    for (std::size_t i = 0; i < kAnnotationNames.size(); ++i)
      intern(perfetto::interned::kAnnotationNames, i + 1, kAnnotationNames[i]);
    for (std::size_t i = 0; i <= static_cast<std::size_t>(Category::Other); ++i)
      intern(perfetto::interned::kCategories, ownCategory(static_cast<Category>(i)),
             toString(static_cast<Category>(i)));
  }

  /// Nothing when nothing was interned.
  void putInterned(std::uint64_t flags = 0) {
    if (m_interned.empty()) return;
    packet([&](ProtobufText& packet) {
      if (flags != 0) packet.varint(perfetto::packet::kSequenceFlags, flags);
      packet.bytes(perfetto::packet::kInternedData, m_interned);
    });
    m_interned.clear();
  }

  /// A track; `put` adds what kind of track it is. 0 is no parent.
  template <class Put>
  void describe(std::uint64_t track, std::uint64_t parent, std::uint64_t order, std::string_view name, const Put& put) {
    m_inner.clear();
    ProtobufText descriptor(m_inner);
    descriptor.varint(perfetto::track::kUuid, track);
    if (parent != 0) descriptor.varint(perfetto::track::kParent, parent);
    descriptor.varint(perfetto::track::kSiblingOrder, order);
    if (!name.empty()) descriptor.bytes(perfetto::track::kName, validUtf8(name));
    put(descriptor);
    packet([&](ProtobufText& packet) { packet.bytes(perfetto::packet::kTrackDescriptor, m_inner); });
  }

  /// `own` is a message of ours about the process, "" for none.
  void describeProcess(std::uint64_t track, std::uint32_t index, std::string_view name, std::string_view labels = {},
                       std::string_view own = {}) {
    std::string known;
    ProtobufText inner(known);
    // Ids of the file may be texts, and 0 is the kernel's idle thread.
    inner.varint(perfetto::process::kPid, index + 1);
    if (!name.empty()) inner.bytes(perfetto::process::kName, validUtf8(name));
    if (!labels.empty()) inner.bytes(perfetto::process::kLabels, validUtf8(labels));
    describe(track, 0, index, {}, [&](ProtobufText& descriptor) {
      descriptor.bytes(perfetto::track::kProcess, known);
      descriptor.varint(perfetto::track::kChildOrdering, perfetto::track::kExplicitOrder);
      if (!own.empty()) descriptor.bytes(perfetto::track::kOwn, own);
    });
  }

  void describeCounter(std::uint64_t track, std::uint64_t parent, std::uint64_t order, std::string_view name,
                       std::string_view unit = {}) {
    std::string counter;
    if (!unit.empty()) ProtobufText(counter).bytes(perfetto::counter::kUnitName, validUtf8(unit));
    describe(track, parent, order, name,
             [&](ProtobufText& descriptor) { descriptor.bytes(perfetto::track::kCounter, counter); });
  }

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

  void annotate(ProtobufText& event, SpanAnnotation name, std::int64_t value) {
    m_annotation.clear();
    ProtobufText inner(m_annotation);
    inner.varint(perfetto::annotation::kNameId, static_cast<std::uint64_t>(name));
    inner.varint(perfetto::annotation::kIntValue, static_cast<std::uint64_t>(value));
    event.bytes(perfetto::event::kAnnotation, m_annotation);
  }

 private:
  static std::uint64_t ownCategory(Category category) { return 0x10000 + static_cast<std::uint64_t>(category); }
  static std::uint64_t categoryOf(const Span& span) {
    return span.label != 0 ? span.label : ownCategory(span.category);
  }
  void annotate(ProtobufText& event, const Span& span) {
    if (span.stage >= 0) annotate(event, SpanAnnotation::Stage, span.stage);
    if (span.micro_batch >= 0) annotate(event, SpanAnnotation::MicroBatch, span.micro_batch);
    if (span.phase != Phase::None) {
      const char letter = letterOf(span.phase);
      m_annotation.clear();
      ProtobufText inner(m_annotation);
      inner.varint(perfetto::annotation::kNameId, static_cast<std::uint64_t>(SpanAnnotation::Phase));
      inner.bytes(perfetto::annotation::kStringValue, std::string_view(&letter, 1));
      event.bytes(perfetto::event::kAnnotation, m_annotation);
    }
    if (span.step >= 0) annotate(event, SpanAnnotation::Step, span.step);
    if (span.mark != 0) annotate(event, SpanAnnotation::Mark, span.mark - m_shift);
    if (span.cpu >= 0) annotate(event, SpanAnnotation::Cpu, span.cpu);
  }

  std::string& m_out;
  std::function<void()> m_flush;
  Nanoseconds m_shift = 0;
  std::string m_interned;
  std::string m_packet;  ///< the parts of a packet in the making, from the outer to the inner
  std::string m_inner;
  std::string m_annotation;
};

}  // namespace lanelab
