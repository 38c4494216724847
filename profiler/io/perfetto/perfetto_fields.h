// SPDX-License-Identifier: GPL-3.0-only
// Field numbers of Perfetto's trace format (protos/perfetto/trace), as far as LaneLab writes or reads it.
#pragma once

#include <cstdint>

namespace lanelab::perfetto {

namespace trace {
inline constexpr std::uint32_t kPacket = 1;
}
namespace packet {
inline constexpr std::uint32_t kClockSnapshot = 6, kTimestamp = 8, kSequence = 10, kTrackEvent = 11, kInternedData = 12,
                               kSequenceFlags = 13, kTraceConfig = 33, kRenderStage = 53, kCompressedPackets = 50,
                               kTimestampClock = 58, kDefaults = 59, kTrackDescriptor = 60;
inline constexpr std::uint32_t kOwn = 990;  ///< a message of ours; other readers pass over unknown numbers
inline constexpr std::uint64_t kClearedState = 1, kNeedsState = 2;
}  // namespace packet
/// What LaneLab says of a trace that is still being written.
namespace own {
inline constexpr std::uint32_t kDeclaration = 1;  ///< the JSON of declared_trace.h
inline constexpr std::uint32_t kSpans = 2;        ///< how many the file holds up to here
inline constexpr std::uint32_t kEnded = 3;        ///< 1: nothing follows
inline constexpr std::uint32_t kShift = 4;        ///< to be added to all times
/// In the description of a track, of a row of a thread that is not the thread itself: the number of the thread's track,
/// or any other number that its rows have in common; which row; whether it is for spans between b and e. Of a process:
/// its pid, and 1 if that is a text.
inline constexpr std::uint32_t kPartOf = 1, kPart = 2, kAsync = 3, kPid = 4, kPidIsText = 5;
}  // namespace own
namespace interned {
inline constexpr std::uint32_t kCategories = 1, kNames = 2, kAnnotationNames = 3, kAnnotationTexts = 29,
                               kGpuSpecifications = 24;
inline constexpr std::uint32_t kId = 1, kText = 2;
}  // namespace interned
namespace event {
inline constexpr std::uint32_t kCategory = 3, kAnnotation = 4, kType = 9, kNameId = 10, kTrack = 11, kCategoryText = 22,
                               kName = 23, kIntCounter = 30, kOldFlow = 36, kOldTerminatingFlow = 42,
                               kDoubleCounter = 44, kFlow = 47, kTerminatingFlow = 48;
enum Type : std::uint64_t { SliceBegin = 1, SliceEnd = 2, Instant = 3, Counter = 4 };
}  // namespace event
namespace annotation {
inline constexpr std::uint32_t kNameId = 1, kBoolValue = 2, kUintValue = 3, kIntValue = 4, kDoubleValue = 5,
                               kStringValue = 6, kPointerValue = 7, kNestedValue = 8, kJsonValue = 9, kName = 10,
                               kDictEntry = 11, kArrayValue = 12, kTextId = 17;
}
/// The older form of dictionaries and arrays in an annotation.
namespace nested {
inline constexpr std::uint32_t kType = 1, kDictKey = 2, kDictValue = 3, kArrayValue = 4, kIntValue = 5,
                               kDoubleValue = 6, kBoolValue = 7, kStringValue = 8;
enum Type : std::uint64_t { Scalar = 0, Dict = 1, Array = 2 };
}  // namespace nested
namespace track {
inline constexpr std::uint32_t kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParent = 5, kCounter = 8,
                               kStaticName = 10, kChildOrdering = 11, kSiblingOrder = 12;
inline constexpr std::uint32_t kOwn = 990;  ///< a message of ours
inline constexpr std::uint64_t kExplicitOrder = 3;
}  // namespace track
namespace process {
inline constexpr std::uint32_t kPid = 1, kName = 6, kLabels = 8;
}
namespace thread {
inline constexpr std::uint32_t kPid = 1, kTid = 2, kName = 5;
}
namespace counter {
inline constexpr std::uint32_t kUnitName = 6;
}
/// A GpuRenderStageEvent: what a queue of a GPU did from the packet's time on.
namespace render_stage {
inline constexpr std::uint32_t kDuration = 2, kOldQueue = 3, kOldStage = 4, kGpu = 11, kQueue = 13, kStage = 14;
}
namespace clock {
inline constexpr std::uint32_t kClocks = 1, kPrimary = 2;
inline constexpr std::uint64_t kBoottime = 6;
inline constexpr std::uint32_t kId = 1, kTimestamp = 2, kIncremental = 3, kUnit = 4;
inline constexpr std::uint64_t kFirstOfSequence = 64;
}  // namespace clock

}  // namespace lanelab::perfetto
