// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/chrome/chrome_writer.h"

#include <algorithm>
#include <functional>
#include <set>

#include "profiler/io/written/dialect.h"
#include "profiler/io/written/event_file.h"
#include "profiler/io/written/trace_rows.h"

namespace lanelab {

namespace {

class ChromeText {
 public:
  /// `flush` is called between events.
  ChromeText(const Trace& trace, std::string& out, const std::function<void()>& flush)
      : m_trace(trace), m_rows(layOutRows(trace)), m_base(trace.range().start), m_out(out), m_flush(flush) {}

  void write() {
    JsonObject file(m_out);
    file.text("displayTimeUnit", "ns");
    file.number("baseTimeNanoseconds", m_base);
    appendDeclaration(file.key("otherData"), m_trace, m_rows);
    file.key("traceEvents") += "[\n";
    lanes();
    for (const TraceRow& row : m_rows) rowNames(row);
    counterRows();
    for (const TraceRow& row : m_rows)
      for (const SpanPlace place : row.spans) span(row, place);
    for (const Counter& counter : m_trace.counters) values(counter);
    arrows();
    m_out += "\n]";
    file.close();
    m_out += '\n';
  }

 private:
  JsonObject event(std::string_view phase, std::string_view name, int pid, int tid) {
    if (m_any_event) m_out += ",\n";
    m_any_event = true;
    m_flush();
    JsonObject event(m_out);
    event.text("ph", phase);
    event.text("name", name);
    event.number("pid", pid);
    event.number("tid", tid);
    return event;
  }

  void metadata(std::string_view kind, int pid, int tid, std::string_view name) {
    about(kind, pid, tid, [&](JsonObject& args) { args.text("name", name); });
  }
  void sortIndex(std::string_view kind, int pid, int tid, int index) {
    about(kind, pid, tid, [&](JsonObject& args) { args.number("sort_index", index); });
  }
  template <class Put>
  void about(std::string_view kind, int pid, int tid, const Put& put) {
    JsonObject about = event("M", kind, pid, tid);
    JsonObject args(about.key("args"));
    put(args);
    args.close();
    about.close();
  }

  void lane(int pid) {
    const LaneInfo* const known = m_trace.laneAt(pid);
    metadata("process_name", pid, 0, known ? known->name : "lane " + std::to_string(pid));
    sortIndex("process_sort_index", pid, 0, pid);
  }

  void lanes() {
    for (std::size_t i = 0; i < m_trace.lanes.size(); ++i) lane(static_cast<int>(i));
    int last = -1;
    for (const TraceRow& row : m_rows) {
      if (m_trace.laneAt(row.lane) == nullptr && row.lane != last) lane(row.lane);
      last = row.lane;
    }
  }

  /// Every pid and tid in use has a name, those of counters too.
  void counterRows() {
    std::set<int> pids;
    for (const Counter& counter : m_trace.counters) pids.insert(processOf(counter));
    for (const int pid : pids) {
      metadata("thread_name", pid, 0, "counters");
      sortIndex("thread_sort_index", pid, 0, 0);
    }
  }

  /// What belongs to the whole run lies on the first lane, as its steps do.
  static int processOf(const Counter& counter) { return std::max(counter.lane, 0); }

  void values(const Counter& counter) {
    for (std::size_t i = 0; i < counter.times.size(); ++i) {
      JsonObject c = event("C", counter.name, processOf(counter), 0);
      c.time("ts", counter.times[i] - m_base);
      JsonObject args(c.key("args"));
      appendNumber(args.textKey(counter.series), counter.values[i]);
      args.close();
      c.close();
    }
  }

  void rowNames(const TraceRow& row) {
    metadata("thread_name", row.lane, row.tid, row.name);
    sortIndex("thread_sort_index", row.lane, row.tid, row.tid);
  }

  void span(const TraceRow& row, SpanPlace place) {
    const Span what = spanAt(m_trace, place);
    JsonObject x = event("X", m_trace.nameOf(what), row.lane, row.tid);
    x.text("cat", m_trace.categoryNameOf(what));
    x.time("ts", what.start - m_base);
    x.time("dur", what.end - what.start);
    JsonObject args(x.key("args"));
    writeSpanArgs(args, what, row.lane, m_trace.laneAt(row.lane), m_base);
    if (place.track != row.track) args.number("track", static_cast<std::int64_t>(place.track));
    args.close();
    x.close();
  }

  void arrows() {
    std::int64_t id = 0;
    for (const TransferFlow& flow : transferFlows(m_trace, m_rows)) {
      ++id;
      const Span from = spanAt(m_trace, flow.from);
      const Nanoseconds arrival = spanAt(m_trace, flow.to).start;
      // Its last nanosecond, since a viewer binds the arrow to the span that is open at that time; never later than the
      // arrival.
      arrowEnd("s", m_rows[flow.from_row], std::min(std::max(from.start, from.end - 1), arrival), id);
      arrowEnd("f", m_rows[flow.to_row], arrival, id);
    }
  }

  void arrowEnd(std::string_view phase, const TraceRow& row, Nanoseconds time, std::int64_t id) {
    JsonObject end = event(phase, "transfer", row.lane, row.tid);
    end.text("cat", "flow");
    end.time("ts", time - m_base);
    end.number("id", id);
    end.text("bp", "e");
    end.close();
  }

  const Trace& m_trace;
  std::vector<TraceRow> m_rows;
  Nanoseconds m_base;
  std::string& m_out;
  const std::function<void()>& m_flush;
  bool m_any_event = false;
};

}  // namespace

Status writeChromeTrace(const Trace& trace, const std::string& path, const WorkControl& control, int level) {
  auto events = static_cast<std::int64_t>(trace.spanCount());
  for (const Counter& counter : trace.counters) events += static_cast<std::int64_t>(counter.times.size());
  return writeEventFile(path, level, events, control, [&trace](std::string& text, const std::function<void()>& flush) {
    ChromeText(trace, text, flush).write();
  });
}

}  // namespace lanelab
