// SPDX-License-Identifier: GPL-3.0-only
// The parts of a packet of a Perfetto trace that its readers use, as views into it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "profiler/io/perfetto/perfetto_fields.h"
#include "profiler/io/perfetto/protobuf.h"

namespace lanelab {

struct PacketInfo {
  std::uint64_t sequence = 0, flags = 0, time = 0;
  std::optional<std::uint64_t> clock;
  std::string_view event, interned, snapshot, defaults, descriptor, packed, own;
  bool damaged = false;
};

inline PacketInfo infoOf(std::string_view packet) {
  PacketInfo info;
  info.damaged = !eachField(packet, [&](const ProtobufField& field) {
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
      default: break;
    }
  });
  return info;
}

}  // namespace lanelab
