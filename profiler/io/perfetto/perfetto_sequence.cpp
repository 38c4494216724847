// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/perfetto/perfetto_sequence.h"

#include <vector>

#include "profiler/io/perfetto/perfetto_fields.h"
#include "profiler/io/perfetto/protobuf.h"
#include "profiler/io/source/cut_text.h"

namespace lanelab {

namespace {

constexpr auto kReach = static_cast<std::uint64_t>(kTimeLimit);

/// A clock as a snapshot tells it.
struct ShownClock {
  std::uint64_t id = 0;
  std::uint64_t time = 0;
  std::int64_t unit = 1;
  bool incremental = false;

  bool inReach() const { return time <= kReach / static_cast<std::uint64_t>(unit); }
  bool ofSequence() const { return id >= perfetto::clock::kFirstOfSequence; }
};

ShownClock clockOf(std::string_view message) {
  ShownClock clock;
  eachField(message, [&](const ProtobufField& field) {
    constexpr std::uint64_t kSecond = 1'000'000'000;
    if (field.number == perfetto::clock::kId) clock.id = field.value;
    if (field.number == perfetto::clock::kTimestamp) clock.time = field.value;
    if (field.number == perfetto::clock::kIncremental) clock.incremental = field.value != 0;
    if (field.number == perfetto::clock::kUnit && field.value > 0 && field.value <= kSecond)
      clock.unit = static_cast<std::int64_t>(field.value);
  });
  return clock;
}

}  // namespace

void PerfettoSequence::takeDefaults(std::string_view defaults) {
  eachField(defaults, [&](const ProtobufField& field) {
    if (field.number == perfetto::packet::kTimestampClock) m_default_clock = field.value;
    if (field.number != perfetto::packet::kTrackEvent) return;
    eachField(field.bytes, [&](const ProtobufField& inner) {
      if (inner.number == perfetto::event::kTrack) m_default_track = inner.value;
    });
  });
}

void PerfettoSequence::takeClocks(std::string_view snapshot) {
  std::optional<Nanoseconds> machine;
  std::vector<ShownClock> own;
  eachField(snapshot, [&](const ProtobufField& field) {
    if (field.number != perfetto::clock::kClocks) return;
    const ShownClock clock = clockOf(field.bytes);
    if (!clock.inReach()) return;
    if (clock.ofSequence()) {
      own.push_back(clock);
    } else {
      machine = machine.value_or(static_cast<Nanoseconds>(clock.time));
    }
  });
  for (const ShownClock& clock : own) {
    const Nanoseconds shown = static_cast<Nanoseconds>(clock.time) * clock.unit;
    const Nanoseconds moment = machine.value_or(shown);
    m_clocks.insert_or_assign(clock.id,
                              Clock{clock.incremental ? moment : moment - shown, clock.unit, clock.incremental});
  }
}

std::optional<Nanoseconds> PerfettoSequence::timeOf(std::uint64_t time, std::optional<std::uint64_t> clock_id) {
  const std::uint64_t id = clock_id.value_or(m_default_clock);
  if (time > kReach) return std::nullopt;
  if (id < perfetto::clock::kFirstOfSequence) return static_cast<Nanoseconds>(time);
  const auto found = m_clocks.find(id);
  if (found == m_clocks.end()) return std::nullopt;
  Clock& clock = found->second;
  if (time > kReach / static_cast<std::uint64_t>(clock.unit)) return std::nullopt;
  const Nanoseconds moment = clock.now + static_cast<Nanoseconds>(time) * clock.unit;
  if (!inReach(moment)) return std::nullopt;
  if (clock.incremental) clock.now = moment;
  return moment;
}

void PerfettoSequence::intern(std::string_view data, std::map<std::string, std::int64_t>& problems) {
  eachField(data, [&](const ProtobufField& field) {
    if (field.number == 0 || field.number >= m_texts.size()) return;
    std::uint64_t id = 0;
    std::string_view text;
    eachField(field.bytes, [&](const ProtobufField& inner) {
      if (inner.number == perfetto::interned::kId) id = inner.value;
      if (inner.number == perfetto::interned::kText) text = inner.bytes;
    });
    m_texts[field.number].insert_or_assign(id, InternedText{std::string(limitedName(text, problems)), {}, {}, {}});
  });
}

InternedText* PerfettoSequence::textOf(std::uint32_t field, std::uint64_t id) {
  const auto found = m_texts[field].find(id);
  return found == m_texts[field].end() ? nullptr : &found->second;
}

}  // namespace lanelab
