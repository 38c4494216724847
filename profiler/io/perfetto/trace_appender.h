// SPDX-License-Identifier: GPL-3.0-only
// Appends what a trace has more, again and again, to a file in Perfetto's format: the trace of a run in progress.
//
// The file is whole after each update, so ui.perfetto.dev opens what a killed run left, and our reader gives the same
// trace back (perfetto_import.h). Packets lie compressed in packets, so that damage is known by their check sums. Each
// span is written once, with both its ends; one that ended late follows those that it contains.
#pragma once

#include <cstddef>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "base/result.h"
#include "profiler/io/build/first_fit.h"
#include "profiler/io/perfetto/packet_writer.h"
#include "profiler/trace/trace_builder.h"

namespace lanelab {

/// Not for several threads at once. Times may be below zero only if those of the first update are the lowest.
class TraceAppender {
 public:
  explicit TraceAppender(const std::string& path);
  /// `name` stands for it in sentences.
  TraceAppender(std::unique_ptr<std::ostream> stream, std::string name);
  TraceAppender(const TraceAppender&) = delete;
  TraceAppender& operator=(const TraceAppender&) = delete;

  /// Appends what `trace` has more than the last one, an earlier snapshot of the same builder.
  Status update(const Trace& trace);
  /// The same, and says that the trace is whole.
  Status finish(const Trace& trace);

 private:
  struct WrittenTrack {
    SpanColumns spans;          ///< as written; their chunks are those of the snapshots
    FirstFit rows;              ///< on which slices nest
    std::size_t described = 0;  ///< rows
  };

  void put(const Trace& trace);
  void declare(const Trace& trace);
  void describeLanes(const Trace& trace);
  void internTexts(const Trace& trace);
  void putSpans(const Trace& trace, std::size_t track);
  void putSpan(const Span& span, const Trace& trace, std::size_t track);
  void putValues(const Trace& trace);
  void putState(const std::string& declaration, bool ended);
  void compress();
  Status write(bool ended);

  std::string m_name;
  std::unique_ptr<std::ostream> m_file;
  std::string m_text;  ///< packets that are not yet in the file
  std::string m_packed;
  PacketWriter m_packets;
  std::string m_declaration;
  bool m_begun = false;
  std::size_t m_lanes = 0;  ///< described
  std::size_t m_names = 0;  ///< interned
  std::size_t m_labels = 0;
  std::size_t m_spans = 0;
  std::vector<WrittenTrack> m_tracks;
  std::vector<std::size_t> m_values;  ///< written, by counter
};

/// Keeps the trace of a run in a file while the run goes, so that it is there when the process is killed: appends what
/// is new to `path` twice a second, on a thread of its own, until the result goes. A file that cannot be written is
/// given up in silence: the run writes its trace when it ends.
std::shared_ptr<void> storeLiveTraceFile(std::shared_ptr<const TraceBuilder> builder, const std::string& path);

/// The bytes of a file with the whole trace. Throws std::bad_alloc.
std::string packTrace(const Trace& trace);

}  // namespace lanelab
