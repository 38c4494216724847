// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/perfetto/perfetto_import.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <unordered_map>

#include "profiler/io/perfetto/packet_info.h"
#include "profiler/io/perfetto/perfetto_fields.h"
#include "profiler/io/perfetto/perfetto_packets.h"
#include "profiler/io/perfetto/perfetto_sequence.h"
#include "profiler/io/perfetto/perfetto_tracks.h"
#include "profiler/io/perfetto/protobuf.h"
#include "profiler/io/perfetto/render_stages.h"
#include "profiler/io/source/cut_text.h"

namespace lanelab {

namespace {

/// A text of an event: in place, or one that its sequence knows by number.
struct EventText {
  std::string_view text;
  InternedText* interned = nullptr;
};

struct EventInfo {
  std::uint64_t type = 0;
  std::uint64_t track = 0;
  EventText name, category;
  bool lost_name = false;  ///< its text is not known
  std::optional<double> value;
  std::vector<std::pair<std::uint64_t, bool>> flows;  ///< and whether they end here
  std::vector<std::string_view> annotations;
};

struct FlowPlace {
  std::uint64_t id = 0;
  Nanoseconds time = 0;
  std::uint32_t track = 0;
  bool ends = false;
};

class PerfettoReader {
 public:
  PerfettoReader(ImportBuilder& builder, const ImportLimits& limits)
      : m_builder(builder), m_limits(limits), m_tracks(builder) {}

  PerfettoImport run(ByteSource& source) {
    PerfettoPackets packets(source);
    for (auto packet = packets.next(); packet && goesOn(); packet = packets.next()) {
      const PacketInfo info = infoOf(*packet);
      read(info);
      if (!info.packed.empty()) unpack(info.packed);
    }
    if (!goesOn()) return std::move(m_result);
    if (packets.cut()) ++problems()["cut_file"];
    if (packets.skipped() > 0) problems()["long_packet"] += packets.skipped();
    finish();
    return std::move(m_result);
  }

 private:
  ImportBuilder::Problems& problems() { return m_builder.problems(); }

  bool goesOn() {
    m_result.stopped = m_result.stopped || m_limits.stop.stop_requested();
    return !m_result.stopped && !m_result.too_large;
  }

  /// Packets within packets; there is no third level.
  void unpack(std::string_view packed) {
    const std::int64_t left = m_limits.unpacked_bytes - m_unpacked;
    const auto most = std::min<std::uint64_t>(PerfettoPackets::kMostBytes, static_cast<std::uint64_t>(left));
    const UnpackedPackets unpacked = unpackPackets(packed, static_cast<std::size_t>(most), m_packets);
    m_unpacked += static_cast<std::int64_t>(m_packets.size());
    if (unpacked == UnpackedPackets::TooLong) {
      m_result.too_large = most < PerfettoPackets::kMostBytes;
      if (!m_result.too_large) ++problems()["long_packet"];
    } else if (unpacked == UnpackedPackets::Damaged) {
      ++problems()["damaged_packet"];
    } else {
      const bool whole = eachField(m_packets, [&](const ProtobufField& field) {
        if (field.number == perfetto::trace::kPacket && field.has_bytes && goesOn()) read(infoOf(field.bytes));
      });
      if (!whole) ++problems()["damaged_packet"];
    }
  }

  /// What our own writer says of a live file.
  void readState(std::string_view message) {
    m_result.live = true;
    eachField(message, [&](const ProtobufField& field) {
      switch (field.number) {
        case perfetto::own::kDeclaration: m_result.declared = parseDeclaredTrace(field.bytes); break;
        case perfetto::own::kSpans: m_written = std::max(m_written, field.value); break;
        case perfetto::own::kEnded: m_ended = true; break;
        case perfetto::own::kShift:
          if (inReach(static_cast<Nanoseconds>(field.value))) m_result.base = static_cast<Nanoseconds>(field.value);
          break;
        default: break;
      }
    });
  }

  void read(const PacketInfo& packet) {
    if (packet.damaged) ++problems()["damaged_packet"];
    m_result.any_known = m_result.any_known || packet.known;
    if (packet.unread != 0) ++m_unread[packet.unread];
    if (!packet.own.empty()) readState(packet.own);
    if (!packet.descriptor.empty()) m_tracks.describe(packet.descriptor);
    if ((packet.flags & perfetto::packet::kClearedState) != 0) m_sequences.erase(packet.sequence);
    if (!packet.defaults.empty()) sequenceFor(packet.sequence).readDefaults(packet.defaults);
    if (!packet.snapshot.empty()) sequenceFor(packet.sequence).readClocks(packet.snapshot, m_clocks);
    if (!packet.interned.empty()) sequenceFor(packet.sequence).intern(packet.interned, problems());
    if (packet.event.empty() && packet.render_stage.empty()) return;
    const auto found = m_sequences.find(packet.sequence);
    PerfettoSequence& sequence = found == m_sequences.end() ? m_blank : found->second;
    const auto time = sequence.timeOf(packet.time, packet.clock, m_clocks);
    if (!packet.event.empty()) addEvent(packet.event, sequence, time);
    if (!packet.render_stage.empty()) addRenderStage(packet.render_stage, sequence, time, m_builder);
  }

  /// One that holds what is said of it. Writers number their sequences; no trace has so many.
  PerfettoSequence& sequenceFor(std::uint64_t id) {
    constexpr std::size_t kMostSequences = std::size_t{1} << 16U;
    const auto found = m_sequences.find(id);
    if (found != m_sequences.end()) return found->second;
    if (m_sequences.size() < kMostSequences) return m_sequences[id];
    ++problems()["too_many_sequences"];
    return m_unused = PerfettoSequence();
  }

  static EventInfo eventOf(std::string_view event, PerfettoSequence& sequence) {
    EventInfo info;
    info.track = sequence.defaultTrack();
    eachField(event, [&](const ProtobufField& field) {
      switch (field.number) {
        case perfetto::event::kType: info.type = field.value; break;
        case perfetto::event::kTrack: info.track = field.value; break;
        case perfetto::event::kNameId:
          info.name = {{}, sequence.textOf(perfetto::interned::kNames, field.value)};
          info.lost_name = info.name.interned == nullptr;
          break;
        case perfetto::event::kName: info.name = {field.bytes, nullptr}; break;
        case perfetto::event::kCategory:
          info.category = {{}, sequence.textOf(perfetto::interned::kCategories, field.has_bytes ? 0 : field.value)};
          break;
        case perfetto::event::kCategoryText: info.category = {field.bytes, nullptr}; break;
        case perfetto::event::kIntCounter:
          info.value = static_cast<double>(static_cast<std::int64_t>(field.value));
          break;
        case perfetto::event::kDoubleCounter: info.value = std::bit_cast<double>(field.value); break;
        case perfetto::event::kAnnotation: info.annotations.push_back(field.bytes); break;
        case perfetto::event::kFlow:
        case perfetto::event::kOldFlow: info.flows.emplace_back(field.value, false); break;
        case perfetto::event::kTerminatingFlow:
        case perfetto::event::kOldTerminatingFlow: info.flows.emplace_back(field.value, true); break;
        default: break;
      }
    });
    return info;
  }

  /// What the builder's `make` makes of a text in place or, once for all events, of an interned one, which remembers
  /// it.
  template <class Place, class Make>
  Place placeOf(const EventText& text, std::optional<Place> InternedText::*remembered, Make make) {
    if (text.interned == nullptr) return (m_builder.*make)(limitedName(text.text, problems()));
    std::optional<Place>& place = text.interned->*remembered;
    if (!place) place = (m_builder.*make)(text.interned->text);
    return *place;
  }
  std::uint32_t nameIndex(const EventInfo& event) {
    if (!m_result.live || !event.lost_name) return placeOf(event.name, &InternedText::name, &ImportBuilder::nameIndex);
    ++problems()["lost_name"];
    return m_builder.nameIndex("unknown");
  }

  void addEvent(std::string_view message, PerfettoSequence& sequence, std::optional<Nanoseconds> time) {
    if (!time) {
      ++problems()["bad_number"];
      return;
    }
    const EventInfo event = eventOf(message, sequence);
    const auto track = m_tracks.placeOf(event.track);
    if (!track) return;
    switch (event.type) {
      case perfetto::event::SliceBegin: return begin(event, sequence, *track, *time);
      case perfetto::event::SliceEnd: return end(*track, *time);
      case perfetto::event::Instant: return mark(event, *track, *time);
      case perfetto::event::Counter: return count(event, *track, *time);
      default: ++problems()["unsupported_phase"];
    }
  }

  void begin(const EventInfo& event, PerfettoSequence& sequence, std::uint32_t track, Nanoseconds time) {
    const auto key = placeOf(event.category, &InternedText::category, &ImportBuilder::categoryKey);
    PerfettoTracks::Piece piece{ImportBuilder::spanOf(time, 0, nameIndex(event), key), -1};
    for (const std::string_view annotation : event.annotations)
      annotate(annotation, sequence, m_tracks.at(track), piece);
    m_tracks.makeRow(track);
    m_tracks.at(track).open.push_back(piece);
    addFlows(event, track, time);
  }

  void end(std::uint32_t place, Nanoseconds time) {
    PerfettoTracks::Track& track = m_tracks.at(place);
    if (track.open.empty() || track.open.back().span.start > time) {
      ++problems()["unmatched_end"];
      return;
    }
    track.open.back().span.end = time;
    track.spans.push_back(track.open.back());
    track.open.pop_back();
    ++m_spans;
  }

  void mark(const EventInfo& event, std::uint32_t track, Nanoseconds time) {
    m_tracks.makeRow(track);
    const std::uint16_t label = placeOf(event.category, &InternedText::label, &ImportBuilder::labelIndex);
    m_instants.push_back({time, nameIndex(event), track, label, 't'});
    addFlows(event, track, time);
  }

  void count(const EventInfo& event, std::uint32_t track, Nanoseconds time) {
    m_builder.countCounter();
    if (!event.value) return;
    if (std::isfinite(*event.value)) {
      m_tracks.addValue(track, time, *event.value);
    } else {
      ++problems()["bad_number"];
      m_builder.countBadCounters(1);
    }
  }

  /// What our own writer says of a span.
  static void annotate(std::string_view annotation, PerfettoSequence& sequence, PerfettoTracks::Track& track,
                       PerfettoTracks::Piece& piece) {
    std::string_view name, text;
    std::int64_t number = 0;
    eachField(annotation, [&](const ProtobufField& field) {
      switch (field.number) {
        case perfetto::annotation::kNameId:
          name = sequence.viewOf(perfetto::interned::kAnnotationNames, field.value);
          break;
        case perfetto::annotation::kName: name = field.bytes; break;
        case perfetto::annotation::kUintValue:
        case perfetto::annotation::kIntValue: number = static_cast<std::int64_t>(field.value); break;
        case perfetto::annotation::kStringValue: text = field.bytes; break;
        default: break;
      }
    });
    constexpr std::int64_t kMost = 1 << 15;
    Span& span = piece.span;
    if (name == "correlation") piece.correlation = number;
    if (name == "communication" && span.category == Category::Kernel) span.category = Category::Communication;
    if (name == "mark_ns" && inReach(number)) span.mark = number;
    if (name == "cpu_ns" && number >= 0 && inReach(number)) span.cpu = number;
    if (name == "phase" && text.size() == 1) span.phase = phaseOfLetter(text.front());
    if (name == "step" && number >= 0 && number < std::int64_t{1} << 31) span.step = static_cast<std::int32_t>(number);
    if (name == "launcher" && number > 0) track.launcher = static_cast<std::uint64_t>(number);
    if (number < 0 || number >= kMost) return;
    if (name == "stage") span.stage = static_cast<std::int16_t>(number);
    if (name == "micro_batch") span.micro_batch = static_cast<std::int16_t>(number);
    if (name == "device") track.device = static_cast<int>(number);
    if (name == "stream") track.stream = number;
  }

  void addFlows(const EventInfo& event, std::uint32_t track, Nanoseconds time) {
    for (const auto& [id, ends] : event.flows) m_flows.push_back({id, time, track, ends});
  }

  void finish() {
    if (m_result.live) countMissing();
    for (const auto& [field, count] : m_unread) m_builder.notes()[packetName(field)] += count;
    const std::vector<std::uint32_t> rows = m_tracks.finish(m_result.declared);
    for (ImportedInstant& instant : m_instants) {
      instant.row = rows[instant.row];
      m_builder.addInstant(instant);
    }
    flows(rows);
  }

  void countMissing() {
    if (!m_ended) ++problems()["unfinished_file"];
    constexpr std::uint64_t kMost = 1'000'000'000'000;
    if (m_written > m_spans) problems()["lost_span"] += static_cast<std::int64_t>(std::min(m_written - m_spans, kMost));
  }

  /// An arrow continues in the order of time; it ends where that is said, or at its last place.
  void flows(const std::vector<std::uint32_t>& rows) {
    std::ranges::stable_sort(m_flows, {}, [](const FlowPlace& place) { return std::pair(place.id, place.time); });
    const std::uint16_t label = m_builder.labelIndex("flow");
    const std::uint32_t name = m_builder.nameIndex("flow");
    for (auto first = m_flows.begin(); first != m_flows.end();) {
      const auto last =
          std::find_if(first, m_flows.end(), [&](const FlowPlace& place) { return place.id != first->id; });
      if (last - first == 1) {  // of events that are not in the file, as a limited buffer forgets them
        ++m_builder.notes()["flow_without_partner"];
        first = last;
        continue;
      }
      const bool told = std::any_of(first, last, [](const FlowPlace& place) { return place.ends; });
      const auto starts = std::find_if(first, last, [](const FlowPlace& place) { return !place.ends; });
      for (auto place = first; place != last; ++place) {
        const char phase = place == starts ? 's' : place->ends || (!told && place + 1 == last) ? 'f' : 't';
        m_builder.addFlowEnd(label, name, std::to_string(first->id), {place->time, 0, rows[place->track], phase});
      }
      first = last;
    }
  }

  ImportBuilder& m_builder;
  const ImportLimits& m_limits;
  PerfettoImport m_result;
  std::string m_packets;        ///< unpacked
  std::int64_t m_unpacked = 0;  ///< bytes of all such
  std::uint64_t m_spans = 0;    ///< that are whole
  std::uint64_t m_written = 0;  ///< spans that a live file says that it holds
  bool m_ended = false;
  PerfettoTracks m_tracks;
  MachineClocks m_clocks;
  std::map<std::uint32_t, std::int64_t> m_unread;  ///< packets by field
  std::unordered_map<std::uint64_t, PerfettoSequence> m_sequences;
  PerfettoSequence m_blank;                 ///< of packets whose sequence has described nothing
  PerfettoSequence m_unused;                ///< what a sequence beyond the last tells
  std::vector<ImportedInstant> m_instants;  ///< with the places of tracks as rows
  std::vector<FlowPlace> m_flows;
};

/// Whether these bytes, which are no text, may be the front of a message of so many bytes.
bool seemsFront(std::string_view front, std::uint64_t size) {
  constexpr std::uint64_t kShortest = 128;  // its length takes more than one byte, which no text has there
  return size >= kShortest && (front.empty() || readHead(front).has_value());
}

/// Numbers are what other data rarely gives in this form; of inner messages those that a trace may begin with.
bool seemsPacket(std::string_view packet) {
  bool known = false;
  const bool whole = eachField(packet, [&](const ProtobufField& field) {
    switch (field.number) {
      case perfetto::packet::kClockSnapshot:
      case perfetto::packet::kTrackEvent:
      case perfetto::packet::kInternedData:
      case perfetto::packet::kTraceConfig:
      case perfetto::packet::kDefaults:
      case perfetto::packet::kTrackDescriptor:
        known = known || !field.has_bytes || eachField(field.bytes, [](const ProtobufField&) {});
        break;
      case perfetto::packet::kCompressedPackets: known = known || seemsPacked(field.bytes); break;
      default: known = known || !field.has_bytes;
    }
  });
  return whole && known;
}

}  // namespace

bool seemsPerfetto(std::string_view head) {
  constexpr int kEnough = 3;
  bool empty = false;
  for (int packets = 0; packets < kEnough;) {
    if (head.empty()) return packets > 0 || empty;
    if (head.front() != '\x0A') return false;
    head.remove_prefix(1);
    const auto size = readVarint(head);
    if (!size || *size > head.size()) return packets > 0 || (size && seemsFront(head, *size));
    if (*size > 0 && !seemsPacket(head.substr(0, static_cast<std::size_t>(*size)))) return false;
    head.remove_prefix(static_cast<std::size_t>(*size));
    packets += *size > 0 ? 1 : 0;
    empty = empty || *size == 0;
  }
  return true;
}

PerfettoImport importPerfetto(ByteSource& source, ImportBuilder& builder, const ImportLimits& limits) {
  return PerfettoReader(builder, limits).run(source);
}

}  // namespace lanelab
