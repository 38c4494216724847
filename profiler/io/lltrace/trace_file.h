// SPDX-License-Identifier: GPL-3.0-only
// LaneLab's own trace file (.lltrace): it grows while a run goes, and what stands in it can be read whatever happened
// to the run.
//
// "LLTRACE1", then records: a mark, kind, lengths, CRC-32, and a payload packed by zlib. Kinds: H title, origin, epoch,
// dropped spans, lanes; T a track; N names; L labels; S spans of a track from a place on (which end the track there
// first), column by column as differences; C values of a counter; E the end. Numbers are little-endian or varints.
#pragma once

#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/io/build/read_import.h"
#include "profiler/io/source/byte_source.h"
#include "profiler/io/source/import_limits.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// Not for several threads at once.
class TraceFileWriter {
 public:
  explicit TraceFileWriter(const std::string& path);
  /// `name` stands for it in sentences.
  TraceFileWriter(std::unique_ptr<std::ostream> stream, std::string name);
  /// Appends what `trace` has more than the last one, a later snapshot of the same builder. Empty on success, else one
  /// sentence.
  std::string update(const Trace& trace);
  /// Says that the trace is whole. Empty on success, else one sentence.
  std::string finish(const Trace& trace);

 private:
  void record(char kind, std::string_view payload);
  void header(const Trace& trace);
  void tracks(const Trace& trace);
  void texts(char kind, const std::vector<std::string>& texts, std::size_t& written);
  void spans(std::size_t track, const SpanColumns& spans);
  void counters(const Trace& trace);
  std::string outcome();

  std::string m_path;
  std::unique_ptr<std::ostream> m_file;
  std::string m_header;
  std::size_t m_names = 0;
  std::size_t m_labels = 0;
  std::vector<SpanColumns> m_spans;   ///< as written, by track; their chunks are those of the snapshots
  std::vector<std::size_t> m_values;  ///< written, by counter
};

/// The whole trace at once. Empty on success, else one sentence.
std::string writeTraceFile(const Trace& trace, const std::string& path);
/// The bytes of such a file. Throws std::bad_alloc.
std::string packTrace(const Trace& trace);

bool isTraceFile(std::string_view head);
/// What can be read of it; damage is counted in the problems: "damaged_record", "lost_span", "lost_name",
/// "unfinished_file". `subject` names it in errors. Nothing takes more memory than what the bytes before it can stand
/// for, and what the records unpack to counts against the limit.
ReadImport readTraceFile(ByteSource& source, const std::string& subject, const ImportLimits& limits = {});
ReadImport parseTraceFile(std::string_view bytes, const std::string& subject);

}  // namespace lanelab
