// SPDX-License-Identifier: GPL-3.0-only
// The tracks of a Perfetto trace: how they are described, and what events put on them. A track may be described after
// its first events, so that its row, thread and process are known only at the end of the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profiler/io/build/import_builder.h"

namespace lanelab {

class PerfettoTracks {
 public:
  struct Piece {
    Span span;
    std::int64_t correlation = -1;
  };
  struct Description {
    std::uint64_t uuid = 0;
    std::uint64_t parent = 0;
    std::optional<std::int64_t> pid, tid, order;
    std::string name, process_name, thread_name, unit;
  };
  struct Track {
    Description known;
    std::vector<Piece> open;  ///< begun and not yet ended, the innermost last
    std::vector<Piece> spans;
    std::vector<std::pair<Nanoseconds, double>> values;
    int device = -1;
    std::int64_t stream = -1;
    bool has_row = false;
  };

  explicit PerfettoTracks(ImportBuilder& builder) : m_builder(builder) {}

  /// A TrackDescriptor.
  void describe(std::string_view descriptor);
  /// The place of a track that an event names. Nothing when there are too many, which is counted.
  std::optional<std::uint32_t> placeOf(std::uint64_t uuid);
  Track& at(std::uint32_t place) { return m_tracks[place]; }
  /// Rows come in the order in which this was first said of their tracks.
  void makeRow(std::uint32_t place);
  void addValue(std::uint32_t place, Nanoseconds time, double value);

  /// Gives rows, spans and counters to the builder and counts spans without an end. Returns the builder's row of each
  /// place. Rows and counters of a live file (live_tracks.h) become those that it declares; `declared` learns which.
  std::vector<std::uint32_t> finish(std::optional<DeclaredTrace>& declared);

 private:
  struct Use {
    std::uint32_t place = 0;
    bool counter = false;
  };

  void describeProcess(std::string_view descriptor, Description& track);
  void describeThread(std::string_view descriptor, Description& track);
  std::string unitOf(std::string_view counter);
  std::string limited(std::string_view name);
  std::uint32_t processOf(const Description& track);
  std::uint32_t processWith(const Description& track);
  std::uint32_t rowOf(const Description& track);
  void giveSpans(Track& track, std::uint32_t row);
  std::uint32_t declaredRowOf(const Description& track, DeclaredTrace& declared);
  void declareLanes(const DeclaredTrace& declared);
  void giveValues(Track& track, bool declared);
  std::optional<std::uint32_t> counterOf(const Description& track, bool declared);

  ImportBuilder& m_builder;
  std::unordered_map<std::uint64_t, std::uint32_t> m_places;  ///< by uuid
  std::vector<Track> m_tracks;
  std::vector<Use> m_uses;
};

}  // namespace lanelab
