// SPDX-License-Identifier: GPL-3.0-only
// Takes what the readers of trace files find, in any order, and makes one ImportedTrace of it.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "profiler/io/build/declared_trace.h"
#include "profiler/io/build/flow_table.h"
#include "profiler/io/names/action_map.h"
#include "profiler/io/source/import_limits.h"
#include "profiler/trace/imported_trace.h"
#include "profiler/trace/name_table.h"

namespace lanelab {

/// Times beyond are none. Sums of two times this large still fit.
inline constexpr Nanoseconds kTimeLimit = std::int64_t{1} << 61;
inline bool inReach(Nanoseconds time) { return time >= -kTimeLimit && time <= kTimeLimit; }

/// From runtime calls to the work that they start, by the categories of PyTorch's releases.
bool isLaunchFlow(std::string_view category);

/// An end of a span that a file tells apart from the other: B and E of one thread, b and e of one id.
struct HalfSpan {
  Nanoseconds time = 0;
  std::uint32_t name = 0;
  std::uint32_t row = 0;  ///< the caller's
  std::uint16_t label = 0;
  Category category = Category::Other;
  bool begins = false;
  bool named = false;  ///< an end without a name ends what is innermost
};

/// A row of the file in the making: one (pid, tid), or a part of it that a declared track takes.
struct DraftRow {
  std::uint32_t process = 0;
  std::uint32_t tid = 0;     ///< in the builder's tids
  std::int64_t track = -1;   ///< the declared track that an event named
  bool async = false;        ///< spans between b and e; they overlap by nature, so they have a row of their own
  int device = -1;           ///< of GPU work
  std::int64_t stream = -1;  ///< of GPU work
  int split = 0;             ///< from 1: a further row of its thread, for work of another device or stream
  bool told_device = false;  ///< by an event, and not by the process alone
  bool told_stream = false;  ///< by an event, and not by the thread alone
  std::optional<std::uint32_t> launcher;  ///< the process that launched the GPU work, if the file names it
  std::vector<Span> spans;
  std::vector<std::int64_t> correlations;  ///< one a span up to the last that has one
  std::vector<std::uint32_t> groups;       ///< as ImportedRow::groups, one a span up to the last that has one
  std::vector<std::int32_t> replicas;      ///< of spans of a job: -1 or that of its arguments; as long as the groups
  std::vector<HalfSpan> halves;
};

/// That a thread is no thread, but a further row of another one: what our own files say of rows that an import made.
struct ThreadPart {
  ImportedId of;
  int part = 0;
  bool async = false;
};

/// Where a GPU does some work, as far as it is told.
struct GpuPlace {
  std::optional<int> device;
  std::optional<std::int64_t> stream;
};

struct DraftThread {
  std::string name;
  std::optional<std::int64_t> sort_index;
  ThreadPart part;
};

struct DraftProcess {
  ImportedProcess known;
  bool named = false;
  std::string device;  ///< of a lane of our dialect

  void setName(std::string_view name) {
    known.name = name;
    named = true;
  }
};

class ImportBuilder {
 public:
  /// `stop` ends finish() with a StoppedError.
  explicit ImportBuilder(std::stop_token stop = {}) : m_stop(std::move(stop)) {}
  /// With the actions and the rank of these, too.
  explicit ImportBuilder(const ImportLimits& limits)
      : m_actions(limits.actions), m_file_rank(limits.rank), m_stop(limits.stop) {}

  struct CategoryKey {
    Category category = Category::Other;
    std::uint16_t label = 0;
  };

  using Problems = std::map<std::string, std::int64_t>;
  Problems& problems() { return m_result.counts.problems; }
  /// What the file has and the result does not, though nothing is lost.
  Problems& notes() { return m_result.counts.notes; }

  /// Sentences about what was left out or changed.
  std::vector<std::string>& remarks() { return m_result.counts.remarks; }
  std::vector<std::string>& unmatched() { return m_result.counts.unmatched; }

  std::size_t rowCount() const { return m_rows.size(); }
  /// The thread's id and its name, "" where it has none.
  const ImportedId& tidOf(const DraftRow& row) const { return m_tid_ids[row.tid]; }
  const std::string& threadNameOf(const DraftRow& row) const;
  std::size_t processCount() const { return m_processes.size(); }
  const std::string& nameText(std::uint32_t name) const { return m_names.textOf(name); }
  std::size_t nameCount() const { return m_names.size(); }
  /// Gives the row to another process, with a name for its thread there.
  void moveRow(std::uint32_t index, std::uint32_t process, std::string_view thread);
  /// Gives everything to one process, where the threads of the others get ids with these processes' titles. The others
  /// are empty then.
  void joinProcesses(std::uint32_t into);

  std::uint32_t processIndex(const ImportedId& pid);
  DraftProcess& process(std::uint32_t index) { return m_processes[index]; }
  std::uint32_t rowIndex(std::uint32_t process, const ImportedId& tid, std::int64_t track = -1, bool async = false);
  DraftRow& row(std::uint32_t index) { return m_rows[index]; }
  /// The row for GPU work of the thread of row `index`: that row, or a further one of the thread if the work's own
  /// arguments (`told`) name another device or stream than those of the work before. `otherwise`: what pid and tid say.
  std::uint32_t gpuRow(std::uint32_t index, const GpuPlace& told, const GpuPlace& otherwise);
  /// Makes the thread and its row if need be.
  DraftThread& thread(std::uint32_t process, const ImportedId& tid);

  std::uint32_t nameIndex(std::string_view name) { return m_names.indexOf(name); }
  /// By what else than built-in names to know the work of a job; may be null.
  const SharedActionMap& actions() const { return m_actions; }
  /// What a span with this name does in a job; each name is looked at once.
  const std::optional<NamedWork>& namedWork(std::uint32_t name);
  CategoryKey categoryKey(std::string_view text);
  bool hasCategory(std::string_view text) const { return m_categories.find(text) != m_categories.end(); }
  /// 0 for a category that no span has, or that needs no label.
  std::uint16_t labelOfCategory(std::string_view text) const {
    const auto found = m_categories.find(text);
    return found == m_categories.end() ? std::uint16_t{0} : found->second.label;
  }
  /// Of what is no span: always a label, 0 for "".
  std::uint16_t labelIndex(std::string_view text);

  /// What the mark of a span without one is until finish(), since 0 is a time as good as any other while times count
  /// from the base.
  static constexpr Nanoseconds kNoMark = std::numeric_limits<Nanoseconds>::min();
  static Span spanOf(Nanoseconds start, Nanoseconds end, std::uint32_t name, CategoryKey key);
  /// Times count from the base that finish() receives. A correlation of 0 or below is none.
  void addSpan(std::uint32_t row, const Span& span, std::int64_t correlation = -1);
  /// The process group of the span that was added to the row last. Of a group beyond the first 65536 nothing is
  /// known.
  void setGroup(std::uint32_t row, std::uint32_t group);
  /// `key` says all of the group, so that `group` is made once.
  template <class Make>
  std::uint32_t groupIndex(std::string_view key, const Make& group) {
    const auto found = m_group_index.find(key);
    return found != m_group_index.end() ? found->second : addGroup(key, group());
  }
  std::uint32_t groupOfKind(GroupKind kind);
  std::vector<ProcessGroup>& groups() { return m_result.groups; }
  void setReplica(std::uint32_t row, std::int32_t replica);
  void setRank(const ImportedRank& rank) { m_result.rank = rank; }
  const ImportedRank& rank() const { return m_result.rank; }
  /// Of a file among those of other ranks that does not say its rank: that of its name.
  const std::optional<int>& fileRank() const { return m_file_rank; }
  /// Groups that the file lists, with their ranks.
  void setToldGroups(std::vector<ProcessGroup> groups) { m_told_groups = std::move(groups); }
  const std::vector<ProcessGroup>& toldGroups() const { return m_told_groups; }
  /// An end of a span of the row's own stack (B, E).
  void addHalf(const HalfSpan& half) { m_rows[half.row].halves.push_back(half); }
  /// An end of a span that any row may begin and end; `key` tells which belong together (b, e).
  void addAsyncHalf(std::string_view key, const HalfSpan& half);
  void addInstant(const ImportedInstant& instant) { m_result.instants.push_back(instant); }
  void countCounter() { ++m_result.counts.counters; }
  /// Of what is among the problems as bad_number: values of counters.
  void countBadCounters(std::int64_t count) { m_result.counts.bad_counters += count; }
  /// Of a counter beyond the first 65536 nothing is kept, which is counted as too_many_counters.
  void addCounterValue(std::uint32_t process, std::string_view name, std::string_view series, std::uint16_t label,
                       Nanoseconds time, double value);
  /// The same in two parts, for many values of one series. Nothing of a counter beyond the first 65536.
  std::optional<std::uint32_t> counterIndex(std::uint32_t process, std::string_view name, std::string_view series,
                                            std::uint16_t label);
  void addCounterValue(std::uint32_t counter, Nanoseconds time, double value);
  void addFlowEnd(std::uint16_t label, std::uint32_t name, std::string_view id, const ImportedFlowEnd& end) {
    m_flows.add(label, name, id, end);
  }

  /// The builder is empty afterwards.
  ImportedTrace finish(std::string_view format, Nanoseconds base, std::optional<DeclaredTrace> declared);

 private:
  friend class ImportLayout;
  std::uint16_t tableLabelIndex(std::string_view text);
  void pairAll();
  /// The last step: which rows become which lanes and tracks. Fills the result.
  void layOut(std::optional<DeclaredTrace> declared);
  void sortRow(DraftRow& row);
  std::uint32_t addGroup(std::string_view key, ProcessGroup group);

  ImportedTrace m_result;
  TextMap<std::uint32_t> m_process_index;
  std::vector<DraftProcess> m_processes;
  NameTable m_tids;
  std::vector<ImportedId> m_tid_ids;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::int64_t, bool>, std::uint32_t> m_row_index;
  std::map<std::tuple<std::uint32_t, int, std::int64_t>, std::uint32_t> m_gpu_rows;  ///< by row, device and stream
  std::map<std::uint32_t, int> m_splits;                                             ///< by row: further rows
  std::vector<DraftRow> m_rows;
  std::map<std::pair<std::uint32_t, std::uint32_t>, DraftThread> m_threads;  ///< by process and tid
  NameTable m_names;
  SharedActionMap m_actions;
  std::vector<std::optional<NamedWork>> m_works;  ///< by name, as far as they were asked for
  TextMap<std::uint32_t> m_group_index;
  std::vector<ProcessGroup> m_told_groups;
  std::optional<int> m_file_rank;
  NameTable m_labels;
  TextMap<CategoryKey> m_categories;
  std::map<std::string, std::vector<HalfSpan>, std::less<>> m_async_halves;  ///< sorted: same file, same rows
  TextMap<std::uint32_t> m_counter_index;
  std::vector<Counter> m_counters;
  FlowTable m_flows;
  StopCheck m_stop;
};

}  // namespace lanelab
