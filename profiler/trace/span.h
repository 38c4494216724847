// SPDX-License-Identifier: GPL-3.0-only
// A span: what one row of a lane did from one moment to another.
//
// Times are int64 nanoseconds on one monotonic clock, ranges are half-open [start, end). Only spans of category Action
// are compute.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <string_view>

namespace lanelab {

using Nanoseconds = std::int64_t;
inline constexpr double kNanosecond = 1e-9;  ///< in seconds

/// Of a time; 0 without a whole.
constexpr double shareOf(Nanoseconds part, Nanoseconds whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

struct TimeRange {
  Nanoseconds start = 0;
  Nanoseconds end = 0;
  Nanoseconds length() const { return end - start; }
  bool empty() const { return end <= start; }
  TimeRange movedBy(Nanoseconds by) const { return {start + by, end + by}; }
  bool operator==(const TimeRange&) const = default;
};

/// The part that both ranges share; empty when there is none.
constexpr TimeRange intersection(TimeRange a, TimeRange b) {
  const Nanoseconds start = std::max(a.start, b.start);
  return {start, std::max(start, std::min(a.end, b.end))};
}

/// From the first start to the last end.
constexpr TimeRange hullOf(TimeRange a, TimeRange b) { return {std::min(a.start, b.start), std::max(a.end, b.end)}; }
/// What a span is; the text forms are the `cat` of the trace dialect. A kernel that moves data between GPUs is
/// Communication, though files call it "kernel" as well; every other kernel computes. Evaluation is a forward between
/// epochs, on the row of the actions, which trains nothing.
enum class Category : std::uint8_t {
  Action,
  Transfer,
  Step,
  Wait,
  Block,
  CpuOp,
  Evaluation,
  Host,
  Data,
  Sync,
  Allocator,
  Profiler,
  Kernel,
  Communication,
  Memcpy,
  Memset,
  Runtime,
  Other
};
std::string_view toString(Category category);  ///< "lanelab", "transfer", "step", ..., "kernel", "gpu_memcpy", ...
Category categoryOf(std::string_view text);    ///< Other when unknown, never Communication
/// What a GPU did itself.
constexpr bool isGpuWork(Category category) { return category >= Category::Kernel && category <= Category::Memset; }
/// A part of an action.
constexpr bool isDetail(Category category) { return category == Category::Block || category == Category::CpuOp; }
/// What a lane's host did beside its actions.
constexpr bool isHostWork(Category category) {
  return category >= Category::Evaluation && category <= Category::Profiler;
}

/// Phase of training; None for spans that belong to no phase.
enum class Phase : std::uint8_t { None, Forward, Backward, BackwardInput, BackwardWeight, Update };
char letterOf(Phase phase);        ///< F B I W U, '-' for None
Phase phaseOfLetter(char letter);  ///< None when unknown
constexpr bool isBackward(Phase phase) { return phase == Phase::Backward || phase == Phase::BackwardInput; }

/// 48 bytes. Fields that do not apply are -1 (0 for `mark` and `label`).
struct Span {
  Nanoseconds start = 0;
  Nanoseconds end = 0;
  Nanoseconds mark = 0;    ///< actions: when issued; transfers: when queued; kernels, copies: when their launch call
                           ///< ended; steps: when the lanes last began together; 0 when unknown
  Nanoseconds cpu = -1;    ///< of the span, that its thread had a core; -1 when unknown. Far less than the length:
                           ///< something else ran there
  std::uint32_t name = 0;  ///< index into Trace::names
  std::int32_t step = -1;
  std::int16_t stage = -1;  ///< transfers: the sending stage
  std::int16_t micro_batch = -1;
  Category category = Category::Other;
  Phase phase = Phase::None;
  std::uint16_t label = 0;  ///< from 1: place in Trace::labels of an imported category that the enum does not tell

  TimeRange range() const { return {start, end}; }
  bool operator==(const Span&) const = default;
};
static_assert(sizeof(Span) == 48);

/// What tells an action of a run from the others; a transfer has that of the action whose result it carries.
struct ActionId {
  int step = 0;
  int stage = 0;
  Phase phase = Phase::None;
  int micro_batch = 0;
  auto operator<=>(const ActionId&) const = default;
};
template <class Traced>
ActionId actionIdOf(const Traced& traced) {
  return {traced.step, traced.stage, traced.phase, traced.micro_batch};
}

/// The order of the spans of a row: by start, the longer first, so that a parent goes before what it contains.
inline constexpr auto kParentsFirst = [](const Span& a, const Span& b) {
  return a.start != b.start ? a.start < b.start : a.end > b.end;
};

}  // namespace lanelab
