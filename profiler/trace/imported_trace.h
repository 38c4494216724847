// SPDX-License-Identifier: GPL-3.0-only
// A trace that a file held, of whatever program: its spans as a Trace, and what the file says besides. Immutable once
// built.
//
// Where a gap analysis finds what it needs, in the Trace itself:
//   kernels, copies, memsets  spans of category Kernel, Memcpy, Memset, on tracks of kind Stream
//   their device and stream   rows[track].device and .stream; a stream fills several tracks where its spans overlap
//   end of the launch call    Span::mark of the kernel or copy, 0 when unknown; by correlation id within the process
//                             that launched it, else by flow; if other work of the same call, as of a CUDA graph, began
//                             before the call ended, the begin of that
//   launch calls              spans of category Runtime (labels "cuda_runtime", ...) on tracks of kind Host
//   operators of a thread     spans of category CpuOp on tracks of kind Host or Detail; rows[track].process and .tid
//   steps                     spans named "ProfilerStep#N" (label "user_annotation"); ours are of category Step
// Files of our own dialect give lanes, tracks, stages, phases and marks as trace.h tells.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "profiler/trace/process_group.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// A pid or tid: a number, or any text.
struct ImportedId {
  std::string text;      ///< as written, without quotes; "" when the event had none
  bool is_text = false;  ///< written in quotes and no number
  bool operator==(const ImportedId&) const = default;
};

struct ImportedProcess {
  ImportedId pid;
  std::string name;    ///< "" when the file names none
  std::string labels;  ///< Kineto: "CPU", "GPU 0"
  std::optional<std::int64_t> sort_index;

  /// "process 7"; the title of a process without name and labels, and its name in a file of ours.
  std::string titleOfPid() const { return pid.text.empty() ? "process" : "process " + pid.text; }
  /// Name and labels; "process 7" without either.
  std::string title() const {
    if (name.empty() && labels.empty()) return titleOfPid();
    return name.empty() || labels.empty() ? name + labels : name + " " + labels;
  }
};

/// What is behind one track of the trace.
struct ImportedRow {
  std::uint32_t process = 0;  ///< place in ImportedTrace::processes
  ImportedId tid;             ///< a further row of a thread (overlaps, async spans) has a tid of its own
  std::string thread;         ///< the thread's name; Track::name is that, plus what tells further rows apart
  std::optional<std::int64_t> sort_index;
  ImportedId part_of;        ///< the tid of the thread whose row it is; `tid` where that is the thread itself
  int part = 0;              ///< 0: the thread itself; from 1: a further row of it, which follows the rows before it
  bool async = false;        ///< a further row for spans between b and e
  int device = -1;           ///< of the GPU whose work lies here
  std::int64_t stream = -1;  ///< of that GPU
  std::vector<std::int64_t> correlations;  ///< empty, or one a span (-1: none); joins launch calls and GPU work
  std::vector<std::uint32_t> groups;       ///< empty, or one a span: from 1, place in ImportedTrace::groups; 0: none
  std::optional<std::uint32_t> launcher;   ///< the process that launched a GPU's work, if the file names it
};

/// A moment: ph i, I, R or n.
struct ImportedInstant {
  Nanoseconds time = 0;
  std::uint32_t name = 0;   ///< in Trace::names
  std::uint32_t row = 0;    ///< in ImportedTrace::rows
  std::uint16_t label = 0;  ///< 1-based in Trace::labels; 0: no category
  char scope = 't';         ///< t thread, p process, g global
};

/// One end of an arrow. Those of one flow follow each other in ImportedTrace::flow_ends, s before t before f.
struct ImportedFlowEnd {
  Nanoseconds time = 0;
  std::uint32_t flow = 0;  ///< in ImportedTrace::flows
  std::uint32_t row = 0;   ///< in ImportedTrace::rows
  char phase = 's';        ///< s, t or f
  bool encloses = true;    ///< bp "e": it belongs to the span that is open then, not to the next one
};

/// An arrow that has both ends.
struct ImportedFlow {
  std::uint64_t id = 0;    ///< exact; the place in flow_texts where `text_id`
  std::uint32_t name = 0;  ///< in Trace::names
  std::uint16_t label = 0;
  bool text_id = false;
};

/// Which of the processes of a job recorded a file, as far as the file says.
struct ImportedRank {
  std::optional<int> rank;
  std::optional<int> world_size;
};

/// A rank of a job whose files became one trace.
struct JoinedRank {
  enum class Clock : std::uint8_t {
    Reference,    ///< the others are put onto its clock
    Collectives,  ///< by the ends of communication that they share
    SendReceive,  ///< by what they send each other
    SameEpoch,    ///< all count from one moment; left as they are
    Unknown       ///< left as they are, though nothing says that the clocks agree
  };
  int rank = 0;
  std::string file;
  Clock clock = Clock::Unknown;
  Nanoseconds offset = 0;    ///< added to its times
  Nanoseconds residual = 0;  ///< median distance of the shared ends that is left
  std::int64_t shared = 0;   ///< ends that it shares with others, or sends and receives
};

/// What `import` prints.
struct ImportCounts {
  std::int64_t spans = 0;                          ///< complete intervals
  std::int64_t instants = 0;                       ///< i I R n
  std::int64_t counters = 0;                       ///< C events
  std::int64_t flows = 0;                          ///< with both ends
  std::map<std::string, std::int64_t> categories;  ///< spans by `cat`
  std::map<std::string, std::int64_t> problems;    ///< what was lost or repaired, by kind; "overlap..." is no loss
  std::map<std::string, std::int64_t> notes;       ///< what sound files have and no analysis uses or needs, by kind
  std::int64_t bad_counters = 0;                   ///< of problems["bad_number"]: values of counters
  std::vector<std::string> remarks;                ///< sentences about what was left out or changed, and why
  std::vector<std::string> unmatched;              ///< names of an action map that no span has
};

struct ImportedTrace {
  std::string format;  ///< "lanelab", "kineto", "chrome", "perfetto", "nsight"
  /// Times of the file count from here, those of this value from the clock's zero: file's ts = time - base.
  Nanoseconds base = 0;
  bool declared = false;  ///< a file that LaneLab wrote about its own lanes; `trace` then tells all of it
  std::shared_ptr<const Trace> trace;
  std::vector<ImportedProcess> processes;
  std::vector<ImportedRow> rows;  ///< one a track of `trace`, then those that hold instants and flow ends only
  std::vector<ImportedInstant> instants;
  std::vector<ImportedFlow> flows;
  std::vector<ImportedFlowEnd> flow_ends;
  std::vector<std::string> flow_texts;
  std::vector<ProcessGroup> groups;
  ImportCounts counts;
  ImportedRank rank;              ///< of a file of one rank
  std::vector<JoinedRank> ranks;  ///< of a trace that several files were joined to, in order
  std::optional<int> world_size;  ///< of that job, if a file says it

  /// The process group of a span of a track; null without.
  const ProcessGroup* groupAt(std::size_t track, std::size_t span) const {
    if (track >= rows.size() || span >= rows[track].groups.size()) return nullptr;
    const std::uint32_t group = rows[track].groups[span];
    return group == 0 || group > groups.size() ? nullptr : &groups[group - 1];
  }
};

}  // namespace lanelab
