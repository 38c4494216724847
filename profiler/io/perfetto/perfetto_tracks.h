// SPDX-License-Identifier: GPL-3.0-only
// The tracks of a Perfetto trace: how they are described, and what events put on them. A track may be described after
// its first events, so that its row, thread and process are known only at the end of the file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profiler/io/build/import_builder.h"
#include "profiler/io/perfetto/live_tracks.h"
#include "profiler/io/perfetto/perfetto_fields.h"
#include "profiler/io/perfetto/protobuf.h"
#include "profiler/io/source/cut_text.h"
#include "profiler/io/source/imported_id.h"

namespace lanelab {

class PerfettoTracks {
 public:
  /// Each takes about a kilobyte, while the event that names it takes ten bytes.
  static constexpr std::size_t kMost = std::size_t{1} << 18U;

  struct Piece {
    Span span;
    std::int64_t correlation = -1;
  };
  struct Description {
    std::uint64_t uuid = 0;
    std::uint64_t parent = 0;
    std::optional<std::int64_t> pid, tid, order;
    std::string name, process_name, process_labels, thread_name, unit;
    std::optional<ImportedId> written_pid;  ///< as the file had it that LaneLab wrote this one from
    ThreadPart part;
  };
  struct Track {
    Description known;
    std::vector<Piece> open;  ///< begun and not yet ended, the innermost last
    std::vector<Piece> spans;
    std::vector<std::pair<Nanoseconds, double>> values;
    int device = -1;
    std::int64_t stream = -1;
    std::optional<std::uint64_t> launcher;  ///< track of the process that launched the GPU work
    bool has_row = false;
  };

  explicit PerfettoTracks(ImportBuilder& builder) : m_builder(builder) {}

  /// What a TrackDescriptor says; texts that are cut are counted in `problems`.
  static Description descriptionOf(std::string_view descriptor, ImportBuilder::Problems& problems) {
    Description told;
    const auto limited = [&](std::string_view name) {
      return std::string(limitedName(name, problems, kMostLabelBytes));
    };
    eachField(descriptor, [&](const ProtobufField& field) {
      switch (field.number) {
        case perfetto::track::kUuid: told.uuid = field.value; break;
        case perfetto::track::kName:
        case perfetto::track::kStaticName: told.name = limited(field.bytes); break;
        case perfetto::track::kParent: told.parent = field.value; break;
        case perfetto::track::kSiblingOrder: told.order = static_cast<std::int64_t>(field.value); break;
        case perfetto::track::kProcess: describeProcess(field.bytes, told, limited); break;
        case perfetto::track::kThread: describeThread(field.bytes, told, limited); break;
        case perfetto::track::kCounter:
          eachField(field.bytes, [&](const ProtobufField& inner) {
            if (inner.number == perfetto::counter::kUnitName) told.unit = limited(inner.bytes);
          });
          break;
        case perfetto::track::kOwn: describeOwn(field.bytes, told, limited); break;
        default: break;
      }
    });
    return told;
  }
  void describe(std::string_view descriptor) {
    Description told = descriptionOf(descriptor, m_builder.problems());
    if (told.pid && !told.process_name.empty()) m_process_names[*told.pid] = told.process_name;
    if (const auto place = placeOf(told.uuid)) m_tracks[*place].known = std::move(told);
  }

  /// The place of a track that an event names. Nothing when there are too many, which is counted.
  std::optional<std::uint32_t> placeOf(std::uint64_t uuid) {
    const auto known = m_places.find(uuid);
    if (known != m_places.end()) return known->second;
    if (m_tracks.size() >= kMost) {
      ++m_builder.problems()["too_many_rows"];
      return std::nullopt;
    }
    m_tracks.emplace_back().known.uuid = uuid;
    return m_places.emplace(uuid, static_cast<std::uint32_t>(m_tracks.size() - 1)).first->second;
  }

  Track& at(std::uint32_t place) { return m_tracks[place]; }
  /// Rows come in the order in which this was first said of their tracks.
  void makeRow(std::uint32_t place) {
    if (!m_tracks[place].has_row) m_uses.push_back({place, false});
    m_tracks[place].has_row = true;
  }
  void addValue(std::uint32_t place, Nanoseconds time, double value) {
    std::vector<std::pair<Nanoseconds, double>>& values = m_tracks[place].values;
    if (values.empty()) m_uses.push_back({place, true});
    values.emplace_back(time, value);
  }

  /// Gives rows, spans and counters to the builder and counts spans without an end. Returns the builder's row of each
  /// place. Rows and counters of a live file (live_tracks.h) become those that it declares; `declared` learns which.
  std::vector<std::uint32_t> finish(std::optional<DeclaredTrace>& declared) {
    if (declared) {
      declareLanes(*declared);
      const auto uuidOf = [this](const Use& use) { return m_tracks[use.place].known.uuid; };
      std::stable_sort(m_uses.begin(), m_uses.end(), [&](const Use& a, const Use& b) { return uuidOf(a) < uuidOf(b); });
    }
    std::vector<std::uint32_t> rows(m_tracks.size());
    for (const Use& use : m_uses) {
      Track& track = m_tracks[use.place];
      if (use.counter) {
        giveValues(track, declared.has_value());
      } else {
        rows[use.place] = declared ? declaredRowOf(track.known, *declared) : rowOf(track.known);
        giveSpans(track, rows[use.place]);
      }
    }
    return rows;
  }

 private:
  struct Use {
    std::uint32_t place = 0;
    bool counter = false;
  };

  template <class Limited>
  static void describeProcess(std::string_view descriptor, Description& track, const Limited& limited) {
    eachField(descriptor, [&](const ProtobufField& field) {
      if (field.number == perfetto::process::kPid) track.pid = static_cast<std::int64_t>(field.value);
      if (field.number == perfetto::process::kName) track.process_name = limited(field.bytes);
      if (field.number == perfetto::process::kLabels) track.process_labels = limited(field.bytes);
    });
  }

  /// What our own writer says.
  template <class Limited>
  static void describeOwn(std::string_view message, Description& track, const Limited& limited) {
    constexpr std::uint64_t kMostParts = 1 << 30;
    eachField(message, [&](const ProtobufField& field) {
      switch (field.number) {
        case perfetto::own::kPartOf: track.part.of = importedId(std::to_string(field.value)); break;
        case perfetto::own::kPart:
          if (field.value < kMostParts) track.part.part = static_cast<int>(field.value);
          break;
        case perfetto::own::kAsync: track.part.async = field.value != 0; break;
        case perfetto::own::kPid:
          if (!track.written_pid) track.written_pid.emplace();
          track.written_pid->text = limited(field.bytes);
          break;
        case perfetto::own::kPidIsText:
          if (track.written_pid) track.written_pid->is_text = field.value != 0;
          break;
        default: break;
      }
    });
  }

  template <class Limited>
  static void describeThread(std::string_view descriptor, Description& track, const Limited& limited) {
    eachField(descriptor, [&](const ProtobufField& field) {
      if (field.number == perfetto::thread::kPid) track.pid = static_cast<std::int64_t>(field.value);
      if (field.number == perfetto::thread::kTid) track.tid = static_cast<std::int64_t>(field.value);
      if (field.number == perfetto::thread::kName) track.thread_name = limited(field.bytes);
    });
  }

  /// The process of a track is that of the first track above it which has one. Tracks may be above each other in a
  /// circle.
  std::uint32_t processOf(const Description& track) {
    constexpr int kDeepest = 64;
    const Description* above = &track;
    for (int depth = 0; depth < kDeepest; ++depth) {
      if (above->pid) return processWith(*above);
      const auto found = m_places.find(above->parent);
      if (found == m_places.end()) break;
      above = &m_tracks[found->second].known;
    }
    return m_builder.processIndex({});
  }

  std::uint32_t processWith(const Description& track) {
    const std::uint32_t index = m_builder.processIndex(track.written_pid.value_or(numberId(*track.pid)));
    DraftProcess& process = m_builder.process(index);
    if (!track.process_labels.empty()) process.known.labels = track.process_labels;
    if (!track.process_name.empty()) process.setName(track.process_name);
    // A thread may be described without its process, whose own track has the name.
    if (const auto name = m_process_names.find(*track.pid); !process.named && name != m_process_names.end())
      process.setName(name->second);
    if (track.process_name.empty() && track.process_labels.empty()) return index;
    if (track.order) process.known.sort_index = track.order;
    return index;
  }

  std::uint32_t rowOf(const Description& track) {
    const std::uint32_t process = processOf(track);
    // Tracks are identified by their number; only a thread has one of its own.
    const ImportedId tid = importedId(track.tid ? std::to_string(*track.tid) : std::to_string(track.uuid));
    const std::string& name = track.thread_name.empty() ? track.name : track.thread_name;
    if (!name.empty()) m_builder.thread(process, tid).name = name;
    if (track.order) m_builder.thread(process, tid).sort_index = track.order;
    if (track.part.part > 0) m_builder.thread(process, tid).part = track.part;
    return m_builder.rowIndex(process, tid);
  }

  void giveSpans(Track& track, std::uint32_t row) {
    if (track.device >= 0) m_builder.row(row).device = track.device;
    if (track.stream >= 0) m_builder.row(row).stream = track.stream;
    if (track.launcher)
      if (const auto process = m_places.find(*track.launcher); process != m_places.end())
        m_builder.row(row).launcher = processOf(m_tracks[process->second].known);
    for (const Piece& piece : track.spans) m_builder.addSpan(row, piece.span, piece.correlation);
    if (!track.open.empty()) m_builder.problems()["unmatched_begin"] += static_cast<std::int64_t>(track.open.size());
    track.spans = {};
    track.open = {};
  }

  std::uint32_t declaredRowOf(const Description& track, DeclaredTrace& declared) {
    const auto index = live_tracks::trackOf(track.uuid);
    if (!index || static_cast<std::uint64_t>(*index) >= declared.trace.tracks.size()) return rowOf(track);
    const int lane = declared.trace.tracks[static_cast<std::size_t>(*index)].lane;
    const auto tid = static_cast<int>(*index + 1);
    declared.track_of_row[{lane, tid}] = static_cast<std::size_t>(*index);
    return m_builder.rowIndex(m_builder.processIndex(numberId(lane)), numberId(tid));
  }

  /// Lanes are processes in their order, those that did nothing too.
  void declareLanes(const DeclaredTrace& declared) {
    for (std::size_t lane = 0; lane < declared.trace.lanes.size(); ++lane) {
      const std::uint32_t process = m_builder.processIndex(numberId(static_cast<std::int64_t>(lane)));
      m_builder.process(process).setName(declared.trace.lanes[lane].name);
    }
  }

  void giveValues(Track& track, bool declared) {
    const auto counter = counterOf(track.known, declared);
    if (!counter) return;
    for (const auto& [time, value] : track.values) m_builder.addCounterValue(*counter, time, value);
    track.values = {};
  }

  /// What belongs to the whole run lies on the first lane.
  std::optional<std::uint32_t> counterOf(const Description& track, bool declared) {
    if (!declared) return m_builder.counterIndex(processOf(track), track.name, "value", 0);
    const std::uint64_t lane = live_tracks::laneOf(track.parent).value_or(0);
    return m_builder.counterIndex(m_builder.processIndex(numberId(static_cast<std::int64_t>(lane))), track.name,
                                  track.unit, 0);
  }

  ImportBuilder& m_builder;
  std::unordered_map<std::uint64_t, std::uint32_t> m_places;      ///< by uuid
  std::unordered_map<std::int64_t, std::string> m_process_names;  ///< by pid
  std::vector<Track> m_tracks;
  std::vector<Use> m_uses;
};

}  // namespace lanelab
