// SPDX-License-Identifier: GPL-3.0-only
// Field numbers of Perfetto's trace format (protos/perfetto/trace), as far as LaneLab writes or reads it.
#pragma once

#include <cstdint>

namespace lanelab::perfetto {

namespace trace {
inline constexpr std::uint32_t packet = 1;
}
namespace packet {
inline constexpr std::uint32_t clock_snapshot = 6, timestamp = 8, sequence = 10, track_event = 11, interned_data = 12,
                               sequence_flags = 13, trace_config = 33, compressed_packets = 50, timestamp_clock = 58,
                               defaults = 59, track_descriptor = 60;
inline constexpr std::uint32_t own = 990;  ///< a message of ours; other readers pass over numbers that they do not know
inline constexpr std::uint64_t cleared_state = 1, needs_state = 2;
}  // namespace packet
/// What LaneLab says of a trace that is still being written.
namespace own {
inline constexpr std::uint32_t declaration = 1;  ///< the JSON of declared_trace.h
inline constexpr std::uint32_t spans = 2;        ///< how many the file holds up to here
inline constexpr std::uint32_t ended = 3;        ///< 1: nothing follows
inline constexpr std::uint32_t shift = 4;        ///< to be added to all times
}  // namespace own
namespace interned {
inline constexpr std::uint32_t categories = 1, names = 2, annotation_names = 3;
inline constexpr std::uint32_t id = 1, text = 2;
}  // namespace interned
namespace event {
inline constexpr std::uint32_t category = 3, annotation = 4, type = 9, name_id = 10, track = 11, category_text = 22,
                               name = 23, int_counter = 30, old_flow = 36, old_terminating_flow = 42,
                               double_counter = 44, flow = 47, terminating_flow = 48;
enum Type : std::uint64_t { slice_begin = 1, slice_end = 2, instant = 3, counter = 4 };
}  // namespace event
namespace annotation {
inline constexpr std::uint32_t name_id = 1, uint_value = 3, int_value = 4, string_value = 6, name = 10;
}
namespace track {
inline constexpr std::uint32_t uuid = 1, name = 2, process = 3, thread = 4, parent = 5, counter = 8, static_name = 10,
                               child_ordering = 11, sibling_order = 12;
inline constexpr std::uint64_t explicit_order = 3;
}  // namespace track
namespace process {
inline constexpr std::uint32_t pid = 1, name = 6;
}
namespace thread {
inline constexpr std::uint32_t pid = 1, tid = 2, name = 5;
}
namespace counter {
inline constexpr std::uint32_t unit_name = 6;
}
namespace clock {
inline constexpr std::uint32_t clocks = 1;
inline constexpr std::uint32_t id = 1, timestamp = 2, incremental = 3, unit = 4;
inline constexpr std::uint64_t first_of_sequence = 64;
}  // namespace clock

}  // namespace lanelab::perfetto
