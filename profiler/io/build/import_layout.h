// SPDX-License-Identifier: GPL-3.0-only
// The last step of an import: which rows become which lanes and tracks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "profiler/io/build/import_builder.h"

namespace lanelab {

/// A lane each process, in the order in which viewers show processes; a track each row, further tracks for what
/// overlaps; blocks and operators on a row of actions get a track of their own. Rows that a declared track takes go
/// there.
class ImportLayout {
 public:
  ImportLayout(ImportBuilder& builder, std::optional<DeclaredTrace> declared);
  /// Fills the builder's result.
  void run();

 private:
  struct Lane {
    std::uint32_t process = 0;
    bool steps_only = false;  ///< its rows go to lane 0, since it is no lane
  };
  /// Tracks and rows of one draft row.
  struct Place {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  void countSpans();
  void shiftTimes();
  void layDeclared();
  std::optional<std::size_t> declaredTrackOf(const DraftRow& row) const;
  void intoDeclared(std::uint32_t row, std::size_t track);
  std::vector<Lane> lanes() const;
  void addLane(const Lane& lane);
  std::string laneName(const DraftProcess& process) const;
  std::string threadName(const DraftRow& row) const;
  void layRow(std::uint32_t row, int lane);
  void addPart(const DraftRow& row, std::vector<Span> spans, std::vector<std::int64_t> correlations, Track track,
               int part);
  void addTrack(const ImportedRow& row, Track track);
  ImportedRow outputRow(const DraftRow& row, int part);
  ImportedId freshTid(const DraftRow& row, int part);
  void layRest();
  void layCounters();
  void bindEnds();
  /// When the spans of a thread that takes several rows start, and on which row.
  using StartedRows = std::vector<std::pair<Nanoseconds, std::uint32_t>>;
  StartedRows startedRows(const Place& place) const;
  std::uint32_t rowAt(const Place& place, const StartedRows& started, Nanoseconds time) const;

  ImportBuilder& m_builder;
  ImportedTrace& m_out;
  std::optional<DeclaredTrace> m_declared;
  Trace m_trace;
  bool m_dialect = false;                                     ///< some span is an action
  std::vector<std::optional<Place>> m_places;                 ///< by draft row
  std::vector<std::vector<std::uint32_t>> m_rows_of_process;  ///< draft rows
  std::map<std::uint32_t, std::int64_t> m_last_tid;
  std::map<std::uint32_t, int> m_lane_of_process;  ///< of those that became lanes
};

}  // namespace lanelab
