// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/perfetto/packet_writer.h"

#include "base/utf8.h"

namespace lanelab {

namespace {

/// In the order of SpanAnnotation.
constexpr const char* kAnnotationNames[] = {"stage",       "micro_batch", "phase",  "step",  "mark_ns",
                                            "correlation", "device",      "stream", "cpu_ns"};

}  // namespace

void PacketWriter::intern(std::uint32_t field, std::uint64_t id, std::string_view text) {
  std::string entry;
  ProtobufText name(entry);
  name.varint(perfetto::interned::kId, id);
  name.bytes(perfetto::interned::kText, validUtf8(text));
  ProtobufText(m_interned).bytes(field, entry);
}

void PacketWriter::internOwn() {
  for (std::size_t i = 0; i < std::size(kAnnotationNames); ++i)
    intern(perfetto::interned::kAnnotationNames, i + 1, kAnnotationNames[i]);
  for (std::size_t i = 0; i <= static_cast<std::size_t>(Category::Other); ++i)
    intern(perfetto::interned::kCategories, ownCategory(static_cast<Category>(i)), toString(static_cast<Category>(i)));
}

void PacketWriter::putInterned(std::uint64_t flags) {
  if (m_interned.empty()) return;
  packet([&](ProtobufText& packet) {
    if (flags != 0) packet.varint(perfetto::packet::kSequenceFlags, flags);
    packet.bytes(perfetto::packet::kInternedData, m_interned);
  });
  m_interned.clear();
}

void PacketWriter::beginDescription(ProtobufText& descriptor, std::uint64_t track, std::uint64_t parent,
                                    std::uint64_t order, std::string_view name) {
  descriptor.varint(perfetto::track::kUuid, track);
  if (parent != 0) descriptor.varint(perfetto::track::kParent, parent);
  descriptor.varint(perfetto::track::kSiblingOrder, order);
  if (!name.empty()) descriptor.bytes(perfetto::track::kName, validUtf8(name));
}

void PacketWriter::describeProcess(std::uint64_t track, std::uint32_t index, std::string_view name) {
  std::string known;
  ProtobufText inner(known);
  inner.varint(perfetto::process::kPid, index + 1);  // ids of the file may be texts, and 0 is the kernel's idle thread
  inner.bytes(perfetto::process::kName, validUtf8(name));
  describe(track, 0, index, {}, [&](ProtobufText& descriptor) {
    descriptor.bytes(perfetto::track::kProcess, known);
    descriptor.varint(perfetto::track::kChildOrdering, perfetto::track::kExplicitOrder);
  });
}

void PacketWriter::describeCounter(std::uint64_t track, std::uint64_t parent, std::uint64_t order,
                                   std::string_view name, std::string_view unit) {
  std::string counter;
  if (!unit.empty()) ProtobufText(counter).bytes(perfetto::counter::kUnitName, validUtf8(unit));
  describe(track, parent, order, name,
           [&](ProtobufText& descriptor) { descriptor.bytes(perfetto::track::kCounter, counter); });
}

void PacketWriter::annotate(ProtobufText& event, SpanAnnotation name, std::int64_t value) {
  m_annotation.clear();
  ProtobufText inner(m_annotation);
  inner.varint(perfetto::annotation::kNameId, static_cast<std::uint64_t>(name));
  inner.varint(perfetto::annotation::kIntValue, static_cast<std::uint64_t>(value));
  event.bytes(perfetto::event::kAnnotation, m_annotation);
}

void PacketWriter::annotate(ProtobufText& event, const Span& span) {
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

}  // namespace lanelab
