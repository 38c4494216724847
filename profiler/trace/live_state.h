// SPDX-License-Identifier: GPL-3.0-only
// What a lane is doing right now: one writer thread publishes it, any thread reads it, and neither waits for the other.
//
// Idea: a sequence lock. The writer makes the version odd, stores, and makes it even; a reader that saw the same even
// version before and after its loads has read one publication. Every store releases and every load acquires, so that no
// fence is needed, which thread sanitizers do not know.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "profiler/trace/span.h"

namespace lanelab {

/// How much of what a lane does is known from its track during recording.
enum class Liveness : std::uint8_t {
  Ended,    ///< the recording is over, or has not begun
  Current,  ///< whatever the lane did is appended at once
  Later     ///< the lane's device reports its spans some time after they ended
};

class LiveState {
 public:
  struct Value {
    Liveness liveness = Liveness::Ended;
    bool running = false;
    Span action;  ///< of what is running: all but end, mark and cpu
  };

  /// The writer: no action is in progress.
  void set(Liveness liveness) { publish(Value{liveness, false, {}}); }
  /// The writer: an action has begun.
  void begin(const Span& action) { publish(Value{Liveness::Current, true, action}); }

  /// Any thread.
  Value read() const {
    for (;;) {
      const std::uint32_t before = m_version.load(std::memory_order_acquire);
      const Value value = unpack();
      if (before % 2 == 0 && m_version.load(std::memory_order_relaxed) == before) return value;
    }
  }

 private:
  template <class Part>
  static std::uint64_t bits(Part part, int shift) {
    return static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<Part>>(part)) << shift;
  }
  void publish(const Value& value) {
    const Span& action = value.action;
    const std::uint32_t version = m_version.load(std::memory_order_relaxed);
    m_version.store(version + 1, std::memory_order_relaxed);
    m_start.store(action.start, std::memory_order_release);
    m_name_and_step.store(bits(action.name, 32) | bits(action.step, 0), std::memory_order_release);
    m_rest.store(bits(action.stage, 48) | bits(action.micro_batch, 32) |
                     bits(static_cast<std::uint8_t>(action.category), 24) |
                     bits(static_cast<std::uint8_t>(action.phase), 16) |
                     bits(static_cast<std::uint8_t>(value.liveness), 8) | bits(std::uint8_t{value.running}, 0),
                 std::memory_order_release);
    m_version.store(version + 2, std::memory_order_release);
  }
  Value unpack() const {
    Value value;
    value.action.start = m_start.load(std::memory_order_acquire);
    const std::uint64_t names = m_name_and_step.load(std::memory_order_acquire);
    const std::uint64_t rest = m_rest.load(std::memory_order_acquire);
    value.action.name = static_cast<std::uint32_t>(names >> 32);
    value.action.step = static_cast<std::int32_t>(static_cast<std::uint32_t>(names));
    value.action.stage = static_cast<std::int16_t>(static_cast<std::uint16_t>(rest >> 48));
    value.action.micro_batch = static_cast<std::int16_t>(static_cast<std::uint16_t>(rest >> 32));
    value.action.category = static_cast<Category>(rest >> 24 & 0xff);
    value.action.phase = static_cast<Phase>(rest >> 16 & 0xff);
    value.liveness = static_cast<Liveness>(rest >> 8 & 0xff);
    value.running = (rest & 1) != 0;
    return value;
  }

  std::atomic<std::uint32_t> m_version{0};
  std::atomic<Nanoseconds> m_start{0};
  std::atomic<std::uint64_t> m_name_and_step{0};
  std::atomic<std::uint64_t> m_rest{0};
};

}  // namespace lanelab
