// SPDX-License-Identifier: GPL-3.0-only
// The parts of a packet of a Perfetto trace that its readers use, as views into it. Packets of which nothing is read,
// such as scheduling, frames and counters of GPUs, are counted, so that a trace that is full of them does not look
// empty.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "profiler/io/perfetto/perfetto_fields.h"
#include "profiler/io/perfetto/protobuf.h"

namespace lanelab {

/// Whether the field of a packet is one that is read, or that says something about the trace or its writer alone: those
/// with a bare number, of trace_packet.proto (trace statistics, descriptors of processes, triggers and others).
constexpr bool isReadOrAboutTrace(std::uint32_t field) {
  using namespace perfetto::packet;
  constexpr std::array kFields = {kClockSnapshot, kTimestamp,       kSequence,    kTrackEvent,        kInternedData,
                                  kSequenceFlags, kTraceConfig,     kRenderStage, kCompressedPackets, kTimestampClock,
                                  kDefaults,      kTrackDescriptor, kOwn};
  constexpr std::array<std::uint32_t, 25> kAboutTrace = {3,  5,  34, 35, 36, 41, 42, 43, 44, 45,  46,  47, 48,
                                                         49, 51, 67, 69, 72, 79, 87, 89, 98, 109, 110, 119};
  return std::ranges::find(kFields, field) != kFields.end() ||
         std::ranges::find(kAboutTrace, field) != kAboutTrace.end();
}

/// The name of a field in Perfetto's trace_packet.proto.
inline std::string packetName(std::uint32_t field) {
  constexpr std::array<std::pair<std::uint32_t, std::string_view>, 21> kNames = {{
      {1, "ftrace_events"},
      {2, "process_tree"},
      {7, "sys_stats"},
      {9, "process_stats"},
      {37, "profile_packet"},
      {38, "battery"},
      {39, "android_log"},
      {40, "power_rails"},
      {52, "gpu_counter_event"},
      {56, "heap_graph"},
      {57, "graphics_frame_event"},
      {62, "vulkan_memory_event"},
      {63, "gpu_log"},
      {65, "vulkan_api_event"},
      {66, "perf_sample"},
      {71, "gpu_mem_total_event"},
      {74, "streaming_allocation"},
      {75, "streaming_free"},
      {76, "frame_timeline_event"},
      {78, "ui_state"},
      {88, "network_packet"},
  }};
  for (const auto& [number, name] : kNames)
    if (number == field) return std::string(name);
  return "packet_field_" + std::to_string(field);
}

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
