// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/perfetto/perfetto_arguments.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "profiler/io/perfetto/annotation_text.h"
#include "profiler/io/perfetto/live_tracks.h"
#include "profiler/io/perfetto/packet_info.h"
#include "profiler/io/perfetto/perfetto_packets.h"
#include "profiler/io/perfetto/perfetto_sequence.h"
#include "profiler/io/perfetto/perfetto_tracks.h"
#include "profiler/io/source/byte_source.h"
#include "profiler/io/source/cut_text.h"

namespace lanelab {
namespace {

/// Calls `visit` for each packet, also for those that are compressed in one, until it returns false. Damage ends the
/// packets, as in the import, which counts it.
template <class Visit>
Status eachPacket(const std::string& path, const ImportLimits& limits, const Visit& visit) {
  const OpenedSource opened = openSource(path, limits);
  if (!opened.source) return Error::badInput(verbatim(opened.error));
  PerfettoPackets packets(*opened.source);
  StopCheck check(limits.stop);
  std::string unpacked;
  std::int64_t left = limits.unpacked_bytes;
  bool goes_on = true;
  for (auto packet = packets.next(); packet && goes_on; packet = goes_on ? packets.next() : std::nullopt) {
    check();
    const PacketInfo info = infoOf(*packet);
    goes_on = visit(info);
    if (info.packed.empty() || left <= 0) continue;
    check.now();
    const auto most = std::min<std::uint64_t>(PerfettoPackets::kMostBytes, static_cast<std::uint64_t>(left));
    const bool whole = unpackPackets(info.packed, static_cast<std::size_t>(most), unpacked) == UnpackedPackets::Whole;
    left -= static_cast<std::int64_t>(unpacked.size());
    if (!whole) continue;
    eachField(unpacked, [&](const ProtobufField& field) {
      if (!goes_on || field.number != perfetto::trace::kPacket || !field.has_bytes) return;
      check();
      goes_on = visit(infoOf(field.bytes));
    });
  }
  if (opened.source->ended() == ByteSource::Ended::Cancelled) throw StoppedError();
  return {};
}

/// Which tracks are rows of the sought event's thread.
class ArgumentTracks {
 public:
  void learn(const PacketInfo& packet) {
    if (!packet.own.empty()) learnState(packet.own);
    if (packet.descriptor.empty() || m_tracks.size() >= PerfettoTracks::kMost) return;
    PerfettoTracks::Description told = PerfettoTracks::descriptionOf(packet.descriptor, m_problems);
    m_tracks[told.uuid] = std::move(told);
  }
  bool has(std::uint64_t uuid, const SoughtEvent& sought) const {
    const auto own = m_live ? live_tracks::trackOf(uuid) : std::nullopt;
    if (own) return sought.tid == std::to_string(*own + 1);
    const auto known = m_tracks.find(uuid);
    const bool has_tid = known != m_tracks.end() && known->second.tid;
    return sought.tid == (has_tid ? std::to_string(*known->second.tid) : std::to_string(uuid)) &&
           sought.pid == processOf(uuid);
  }

  Nanoseconds shift() const { return m_shift; }

 private:
  /// Files of a run in progress, whose tracks are numbered by live_tracks.h.
  void learnState(std::string_view message) {
    eachField(message, [&](const ProtobufField& field) {
      m_live = m_live || field.number == perfetto::own::kDeclaration;
      if (field.number == perfetto::own::kShift && inReach(static_cast<Nanoseconds>(field.value)))
        m_shift = static_cast<Nanoseconds>(field.value);
    });
  }

  std::string processOf(std::uint64_t uuid) const {
    constexpr int kDeepest = 64;  // tracks may be above each other in a circle
    for (int depth = 0; depth < kDeepest; ++depth) {
      const auto known = m_tracks.find(uuid);
      if (known == m_tracks.end()) break;
      if (known->second.written_pid) return known->second.written_pid->text;
      if (known->second.pid) return std::to_string(*known->second.pid);
      uuid = known->second.parent;
    }
    return {};
  }

  std::unordered_map<std::uint64_t, PerfettoTracks::Description> m_tracks;
  ImportBuilder::Problems m_problems;  ///< the import has reported them
  Nanoseconds m_shift = 0;
  bool m_live = false;
};

/// Goes through the events until the slice that begins and ends as the sought one.
class ArgumentSearch {
 public:
  ArgumentSearch(const SoughtEvent& sought, const ArgumentTracks& tracks)
      : m_sought(sought), m_start(sought.ts + sought.base), m_tracks(tracks) {}

  /// False when it is found.
  bool visit(const PacketInfo& packet) {
    if ((packet.flags & perfetto::packet::kClearedState) != 0) m_sequences.erase(packet.sequence);
    learn(packet);
    if (packet.event.empty()) return true;
    const auto known = m_sequences.find(packet.sequence);
    PerfettoSequence& sequence = known == m_sequences.end() ? m_blank : known->second;
    const auto time = sequence.timeOf(packet.time, packet.clock, m_clocks);
    if (time) see(packet.event, sequence, *time + m_tracks.shift());
    return !m_found;
  }

  /// A slice without its end in the file, or of another length: overlapping ones are cut in the import.
  EventArguments result() {
    if (m_found) return std::move(*m_found);
    if (!m_similar && !m_open.empty()) m_similar = std::move(m_open.front().arguments);
    return m_similar ? std::move(*m_similar) : EventArguments();
  }

 private:
  /// Begins as the sought one does.
  struct Candidate {
    std::uint64_t track = 0;
    int inside = 0;  ///< slices within it that are open
    EventArguments arguments;
  };

  void learn(const PacketInfo& packet) {
    constexpr std::size_t kMostSequences = std::size_t{1} << 16U;  // as the import
    if (packet.defaults.empty() && packet.snapshot.empty() && packet.interned.empty()) return;
    if (m_sequences.size() >= kMostSequences && !m_sequences.contains(packet.sequence)) return;
    PerfettoSequence& sequence = m_sequences[packet.sequence];
    if (!packet.defaults.empty()) sequence.readDefaults(packet.defaults);
    if (!packet.snapshot.empty()) sequence.readClocks(packet.snapshot, m_clocks);
    if (!packet.interned.empty()) sequence.intern(packet.interned, m_problems, true);
  }

  void see(std::string_view event, PerfettoSequence& sequence, Nanoseconds time) {
    std::uint64_t type = 0, track = sequence.defaultTrack();
    std::string_view name;
    eachField(event, [&](const ProtobufField& field) {
      if (field.number == perfetto::event::kType) type = field.value;
      if (field.number == perfetto::event::kTrack) track = field.value;
      if (field.number == perfetto::event::kName) name = field.bytes;
      if (field.number == perfetto::event::kNameId) name = sequence.viewOf(perfetto::interned::kNames, field.value);
    });
    if (type == perfetto::event::SliceBegin) begin(event, sequence, track, name, time);
    if (type == perfetto::event::SliceEnd) end(track, time);
  }

  void begin(std::string_view event, PerfettoSequence& sequence, std::uint64_t track, std::string_view name,
             Nanoseconds time) {
    constexpr std::size_t kMostOpen = 16;  // slices that begin together; each event is compared with all of them
    for (Candidate& candidate : m_open) candidate.inside += candidate.track == track ? 1 : 0;
    const bool like = time == m_start && cutText(name, kMostNameBytes) == m_sought.name;
    if (!like || m_open.size() >= kMostOpen || !m_tracks.has(track, m_sought)) return;
    const auto interned = [&](std::uint32_t field, std::uint64_t id) { return sequence.viewOf(field, id); };
    m_open.push_back({track, 0, annotationTexts(event, interned)});
  }

  void end(std::uint64_t track, Nanoseconds time) {
    for (auto candidate = m_open.begin(); candidate != m_open.end();) {
      if (candidate->track != track || candidate->inside-- > 0) {
        ++candidate;
        continue;
      }
      if (time - m_start == m_sought.dur)
        m_found = std::move(candidate->arguments);
      else if (!m_similar)
        m_similar = std::move(candidate->arguments);
      candidate = m_open.erase(candidate);
      if (m_found) return;
    }
  }

  const SoughtEvent& m_sought;
  Nanoseconds m_start;  ///< in the imported trace
  const ArgumentTracks& m_tracks;
  MachineClocks m_clocks;
  std::unordered_map<std::uint64_t, PerfettoSequence> m_sequences;
  PerfettoSequence m_blank;
  std::vector<Candidate> m_open;
  std::optional<EventArguments> m_found, m_similar;
  std::map<std::string, std::int64_t> m_problems;  ///< the import has reported them
};

}  // namespace

Result<EventArguments> readPerfettoArguments(const std::string& path, const SoughtEvent& event,
                                             const ImportLimits& limits) {
  ArgumentTracks tracks;
  const auto learn = [&](const PacketInfo& packet) {
    tracks.learn(packet);
    return true;
  };
  if (const Status read = eachPacket(path, limits, learn); !read.ok()) return read.error();
  ArgumentSearch search(event, tracks);
  const auto visit = [&](const PacketInfo& packet) { return search.visit(packet); };
  if (const Status read = eachPacket(path, limits, visit); !read.ok()) return read.error();
  return search.result();
}

}  // namespace lanelab
