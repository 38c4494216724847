// Puts the events of a Chrome trace together again into a Trace.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profiler/io/chrome_event.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// What our own files say about themselves (`otherData.lanelab`): the trace without its spans, and which row belongs to which track.
struct DeclaredTrace {
  Trace trace;
  std::map<std::pair<int, int>, std::size_t> trackOfRow;  ///< by lane and tid
};

/// `json` is the text of `otherData`; nothing when it is none of ours or damaged.
std::optional<DeclaredTrace> parseDeclaredTrace(std::string_view json);

class TraceAssembly {
 public:
  /// Times of the events count from `base`. `problems` must outlive the assembly.
  TraceAssembly(Nanoseconds base, std::optional<DeclaredTrace> declared, std::map<std::string, std::int64_t>& problems);

  void add(const ChromeEvent& event);
  Trace finish();

 private:
  struct Row {
    std::string name;
    std::vector<Span> spans;
  };
  struct Process {
    std::string name;
    std::string device;
    std::int64_t order = 0;
    bool named = false;
    std::map<std::int64_t, Row> rows;
  };

  void addMetadata(const ChromeEvent& event);
  void addSpan(const ChromeEvent& event);
  std::optional<Span> spanOf(const ChromeEvent& event);
  std::optional<std::size_t> declaredTrack(std::int64_t pid, std::int64_t tid, const ChromeEvent& event) const;
  std::int64_t idOf(std::string_view text);
  std::uint32_t intern(std::string_view name);
  template <class Integer>
  Integer fitted(std::optional<std::int64_t> value);
  void addProcess(const Process& process, int lane);
  void addRow(const Row& row, int lane);

  Nanoseconds m_base;
  bool m_declared;
  DeclaredTrace m_result;
  std::map<std::string, std::int64_t>& m_problems;
  std::map<std::int64_t, Process> m_processes;  ///< of rows that no declared track takes
  std::map<std::string, std::int64_t, std::less<>> m_textIds;
  std::map<std::string, std::uint32_t, std::less<>> m_names;
};

}  // namespace lanelab
