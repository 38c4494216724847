// SPDX-License-Identifier: GPL-3.0-only
// What the packets of one sequence of a Perfetto trace share: names, defaults and clocks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "profiler/io/build/import_builder.h"
#include "profiler/io/perfetto/perfetto_clocks.h"
#include "profiler/io/perfetto/perfetto_fields.h"
#include "profiler/io/perfetto/protobuf.h"
#include "profiler/io/source/cut_text.h"
#include "profiler/io/source/sought_event.h"

namespace lanelab {

/// A text that events refer to by number, and its places in the builder's tables once an event has used it: many events
/// may refer to one long text.
struct InternedText {
  std::string text;
  std::optional<std::uint32_t> name;
  std::optional<ImportBuilder::CategoryKey> category;
  std::optional<std::uint16_t> label;
};

class PerfettoSequence {
 public:
  /// A TracePacketDefaults.
  void readDefaults(std::string_view defaults) {
    eachField(defaults, [&](const ProtobufField& field) {
      if (field.number == perfetto::packet::kTimestampClock) m_default_clock = field.value;
      if (field.number != perfetto::packet::kTrackEvent) return;
      eachField(field.bytes, [&](const ProtobufField& inner) {
        if (inner.number == perfetto::event::kTrack) m_default_track = inner.value;
      });
    });
  }

  /// A ClockSnapshot: all its clocks show the same moment. Those of the machine become those of the trace, those of the
  /// sequence count from there.
  void readClocks(std::string_view snapshot, MachineClocks& machine) {
    MachineClocks::Shown shown;
    std::vector<ShownClock> own;
    std::optional<std::uint64_t> primary;
    eachField(snapshot, [&](const ProtobufField& field) {
      if (field.number == perfetto::clock::kPrimary && !field.has_bytes) primary = field.value;
      if (field.number != perfetto::clock::kClocks) return;
      const ShownClock clock = clockOf(field.bytes);
      if (!clock.inReach()) return;
      if (clock.ofSequence()) {
        own.push_back(clock);
      } else {
        shown.emplace_back(clock.id, static_cast<Nanoseconds>(clock.time));
      }
    });
    machine.read(shown, primary);
    for (const ShownClock& clock : own) {
      const Nanoseconds time = static_cast<Nanoseconds>(clock.time) * clock.unit;
      const Nanoseconds moment = shown.empty() ? time : machine.converted(shown.front().first, shown.front().second);
      m_clocks.insert_or_assign(clock.id,
                                Clock{clock.incremental ? moment : moment - time, clock.unit, clock.incremental});
    }
  }

  /// An InternedData. Long texts are cut and counted in `problems`. Texts that annotations have as values are left out
  /// unless `with_values`: only a search looks at them.
  void intern(std::string_view data, std::map<std::string, std::int64_t>& problems, bool with_values = false) {
    constexpr std::size_t kMostSpecifications = std::size_t{1} << 16U;
    eachField(data, [&](const ProtobufField& field) {
      const std::size_t place = placeOf(field.number);
      if (place == kTables.size() || (field.number == perfetto::interned::kAnnotationTexts && !with_values)) return;
      if (field.number == perfetto::interned::kGpuSpecifications && m_texts[place].size() >= kMostSpecifications)
        return;
      std::uint64_t id = 0;
      std::string_view text;
      eachField(field.bytes, [&](const ProtobufField& inner) {
        if (inner.number == perfetto::interned::kId) id = inner.value;
        if (inner.number == perfetto::interned::kText) text = inner.bytes;
      });
      m_texts[place].insert_or_assign(
          id, InternedText{std::string(limitedName(text, problems, kTables[place].most_bytes)), {}, {}, {}});
    });
  }

  std::uint64_t defaultTrack() const { return m_default_track; }
  /// Nanoseconds of the trace's clock; an incremental clock continues. Nothing for a clock without a snapshot, and for
  /// times out of reach.
  std::optional<Nanoseconds> timeOf(std::uint64_t time, std::optional<std::uint64_t> clock_id,
                                    const MachineClocks& machine) {
    const std::uint64_t id = clock_id.value_or(m_default_clock);
    if (time > kReach) return std::nullopt;
    if (id < perfetto::clock::kFirstOfSequence) {
      const Nanoseconds moment = machine.converted(id, static_cast<Nanoseconds>(time));
      return inReach(moment) ? std::optional(moment) : std::nullopt;
    }
    const auto found = m_clocks.find(id);
    if (found == m_clocks.end()) return std::nullopt;
    Clock& clock = found->second;
    if (time > kReach / static_cast<std::uint64_t>(clock.unit)) return std::nullopt;
    const Nanoseconds moment = clock.now + static_cast<Nanoseconds>(time) * clock.unit;
    if (!inReach(moment)) return std::nullopt;
    if (clock.incremental) clock.now = moment;
    return moment;
  }

  /// Of a field of perfetto::interned that has a table; null when unknown.
  InternedText* textOf(std::uint32_t field, std::uint64_t id) {
    std::unordered_map<std::uint64_t, InternedText>& texts = m_texts[placeOf(field)];
    const auto found = texts.find(id);
    return found == texts.end() ? nullptr : &found->second;
  }
  /// The same as a text; "" when unknown.
  std::string_view viewOf(std::uint32_t field, std::uint64_t id) {
    const InternedText* const found = textOf(field, id);
    return found == nullptr ? std::string_view() : found->text;
  }

 private:
  static constexpr auto kReach = static_cast<std::uint64_t>(kTimeLimit);
  /// The interned texts of a field of perfetto::interned.
  struct Table {
    std::uint32_t field;
    std::size_t most_bytes;  ///< of a text
  };
  static constexpr std::array<Table, 5> kTables = {{{perfetto::interned::kCategories, kMostNameBytes},
                                                    {perfetto::interned::kNames, kMostNameBytes},
                                                    {perfetto::interned::kAnnotationNames, kMostNameBytes},
                                                    {perfetto::interned::kGpuSpecifications, kMostLabelBytes},
                                                    {perfetto::interned::kAnnotationTexts, kMostArgumentBytes}}};
  /// A clock as a snapshot tells it.
  struct ShownClock {
    std::uint64_t id = 0;
    std::uint64_t time = 0;
    std::int64_t unit = 1;
    bool incremental = false;

    bool inReach() const { return time <= kReach / static_cast<std::uint64_t>(unit); }
    bool ofSequence() const { return id >= perfetto::clock::kFirstOfSequence; }
  };
  struct Clock {
    Nanoseconds now = 0;  ///< of an incremental clock; else what has to be added to its times
    std::int64_t unit = 1;
    bool incremental = false;
  };

  static ShownClock clockOf(std::string_view message) {
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

  /// Of the table of a field; kTables.size() for fields whose texts are not read.
  static std::size_t placeOf(std::uint32_t field) {
    return static_cast<std::size_t>(std::ranges::find(kTables, field, &Table::field) - kTables.begin());
  }

  std::array<std::unordered_map<std::uint64_t, InternedText>, kTables.size()> m_texts;
  std::uint64_t m_default_track = 0;
  std::uint64_t m_default_clock = 0;
  std::map<std::uint64_t, Clock> m_clocks;
};

}  // namespace lanelab
