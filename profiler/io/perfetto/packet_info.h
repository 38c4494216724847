// SPDX-License-Identifier: GPL-3.0-only
// The parts of a packet of a Perfetto trace that its readers use, as views into it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "profiler/io/perfetto/perfetto_fields.h"
#include "profiler/io/perfetto/protobuf.h"
#include "profiler/io/perfetto/unread_packets.h"

namespace lanelab {

struct PacketInfo {
  std::uint64_t sequence = 0, flags = 0, time = 0;
  std::optional<std::uint64_t> clock;
  std::string_view event, interned, snapshot, defaults, descriptor, packed, own, render_stage;
  std::uint32_t unread = 0;  ///< number of a field with events that are not read; 0: none
  bool known = false;        ///< it has a number or a message that packets of traces have
  bool damaged = false;
};

/// Whether the field is one that a packet of a trace may have, by its number and type: other messages have texts and
/// numbers in other places.
inline bool isOfTrace(const ProtobufField& field) {
  switch (field.number) {
    case perfetto::packet::kTimestamp:
    case perfetto::packet::kSequence:
    case perfetto::packet::kSequenceFlags: return !field.has_bytes;
    case perfetto::packet::kClockSnapshot:
    case perfetto::packet::kTrackEvent:
    case perfetto::packet::kTraceConfig:
    case perfetto::packet::kCompressedPackets:
    case perfetto::packet::kTrackDescriptor:
    case perfetto::packet::kOwn: return field.has_bytes;
    default: return false;
  }
}

inline PacketInfo infoOf(std::string_view packet) {
  PacketInfo info;
  info.damaged = !eachField(packet, [&](const ProtobufField& field) {
    info.known = info.known || isOfTrace(field);
    switch (field.number) {
      case perfetto::packet::kSequence: info.sequence = field.value; break;
      case perfetto::packet::kSequenceFlags: info.flags = field.value; break;
      case perfetto::packet::kTimestamp: info.time = field.value; break;
      case perfetto::packet::kTimestampClock: info.clock = field.value; break;
      case perfetto::packet::kTrackEvent: info.event = field.bytes; break;
      case perfetto::packet::kInternedData: info.interned = field.bytes; break;
      case perfetto::packet::kClockSnapshot: info.snapshot = field.bytes; break;
      case perfetto::packet::kDefaults: info.defaults = field.bytes; break;
      case perfetto::packet::kTrackDescriptor: info.descriptor = field.bytes; break;
      case perfetto::packet::kCompressedPackets: info.packed = field.bytes; break;
      case perfetto::packet::kOwn: info.own = field.bytes; break;
      case perfetto::packet::kRenderStage: info.render_stage = field.bytes; break;
      default:
        if (field.has_bytes && !isReadOrAboutTrace(field.number)) info.unread = field.number;
    }
  });
  return info;
}

}  // namespace lanelab
