#include "profiler/io/chrome_writer.h"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "profiler/io/dialect_words.h"
#include "profiler/io/json_text.h"
#include "profiler/io/trace_rows.h"
#include "profiler/io/transfer_flows.h"

namespace lanelab {

namespace {

/// Fields of a JSON object, put between braces with commas.
class ObjectText {
 public:
  explicit ObjectText(std::string& out) : m_out(out) { m_out += '{'; }
  void close() { m_out += '}'; }
  std::string& key(std::string_view name) {
    if (!m_first) m_out += ',';
    m_first = false;
    m_out += '"';
    m_out += name;
    m_out += "\":";
    return m_out;
  }
  void text(std::string_view name, std::string_view value) { appendJsonString(key(name), value); }
  void number(std::string_view name, std::int64_t value) { appendInteger(key(name), value); }
  void time(std::string_view name, Nanoseconds value) { appendMicroseconds(key(name), value); }
  void letter(std::string_view name, Phase phase) { text(name, std::string(1, letterOf(phase))); }

 private:
  std::string& m_out;
  bool m_first = true;
};

class ChromeText {
 public:
  explicit ChromeText(const Trace& trace) : m_trace(trace), m_rows(layOutRows(trace)), m_base(trace.range().start) {}

  std::string text() {
    m_out.reserve(4096 + m_trace.spanCount() * 220);
    ObjectText file(m_out);
    file.text("displayTimeUnit", "ns");
    file.number("baseTimeNanoseconds", m_base);
    file.key("otherData");
    aboutTrace();
    file.key("traceEvents") += "[\n";
    lanes();
    for (const TraceRow& row : m_rows) rowNames(row);
    for (const TraceRow& row : m_rows)
      for (const SpanPlace place : row.spans) span(row, place);
    arrows();
    m_out += "\n]";
    file.close();
    m_out += '\n';
    return std::move(m_out);
  }

 private:
  const Span& at(SpanPlace place) const { return m_trace.tracks[place.track].spans[place.span]; }

  /// What a viewer does not ask for but our reader needs to give the same trace back.
  void aboutTrace() {
    ObjectText other(m_out);
    other.key("lanelab");
    ObjectText about(m_out);
    about.number("version", 1);
    about.text("title", m_trace.title);
    about.text("origin", toString(m_trace.origin));
    about.number("epoch_ns", m_trace.epoch);
    about.number("dropped", m_trace.dropped);
    about.key("lanes") += '[';
    for (std::size_t i = 0; i < m_trace.lanes.size(); ++i) {
      if (i > 0) m_out += ',';
      ObjectText lane(m_out);
      lane.text("name", m_trace.lanes[i].name);
      lane.text("device", m_trace.lanes[i].device);
      lane.close();
    }
    m_out += ']';
    about.key("tracks") += '[';
    for (std::size_t i = 0; i < m_trace.tracks.size(); ++i) aboutTrack(i);
    m_out += ']';
    about.close();
    other.close();
  }

  void aboutTrack(std::size_t index) {
    if (index > 0) m_out += ',';
    ObjectText track(m_out);
    track.number("lane", m_trace.tracks[index].lane);
    track.text("kind", toString(m_trace.tracks[index].kind));
    track.text("name", m_trace.tracks[index].name);
    track.key("tids") += '[';
    bool first = true;
    for (const TraceRow& row : m_rows) {
      if (row.track != index) continue;
      if (!first) m_out += ',';
      first = false;
      appendInteger(m_out, row.tid);
    }
    m_out += ']';
    track.close();
  }

  ObjectText event(std::string_view phase, std::string_view name, int pid, int tid) {
    if (m_anyEvent) m_out += ",\n";
    m_anyEvent = true;
    ObjectText event(m_out);
    event.text("ph", phase);
    event.text("name", name);
    event.number("pid", pid);
    event.number("tid", tid);
    return event;
  }

  void metadata(std::string_view kind, int pid, int tid, std::string_view key, std::string_view text) {
    ObjectText about = event("M", kind, pid, tid);
    about.key("args");
    ObjectText args(m_out);
    args.text(key, text);
    args.close();
    about.close();
  }

  void sortIndex(std::string_view kind, int pid, int tid, int index) {
    ObjectText about = event("M", kind, pid, tid);
    about.key("args");
    ObjectText args(m_out);
    args.number("sort_index", index);
    args.close();
    about.close();
  }

  void lane(int pid) {
    const auto index = static_cast<std::size_t>(pid);
    metadata("process_name", pid, 0, "name", pid >= 0 && index < m_trace.lanes.size() ? m_trace.lanes[index].name : "lane " + std::to_string(pid));
    sortIndex("process_sort_index", pid, 0, pid);
  }

  void lanes() {
    for (std::size_t i = 0; i < m_trace.lanes.size(); ++i) lane(static_cast<int>(i));
    int last = -1;
    for (const TraceRow& row : m_rows) {
      const bool named = row.lane >= 0 && static_cast<std::size_t>(row.lane) < m_trace.lanes.size();
      if (!named && row.lane != last) lane(row.lane);
      last = row.lane;
    }
  }

  void rowNames(const TraceRow& row) {
    metadata("thread_name", row.lane, row.tid, "name", row.name);
    sortIndex("thread_sort_index", row.lane, row.tid, row.tid);
  }

  void span(const TraceRow& row, SpanPlace place) {
    const Span& what = at(place);
    ObjectText x = event("X", m_trace.nameOf(what), row.lane, row.tid);
    x.text("cat", toString(what.category));
    x.time("ts", what.start - m_base);
    x.time("dur", what.end - what.start);
    x.key("args");
    ObjectText args(m_out);
    switch (what.category) {
      case Category::Action: actionArgs(args, row, what); break;
      case Category::Transfer: transferArgs(args, what); break;
      case Category::Step: args.number("step", what.step); break;
      default: otherArgs(args, row, what); break;
    }
    if (place.track != row.track) args.number("track", static_cast<std::int64_t>(place.track));
    args.close();
    x.close();
  }

  void actionArgs(ObjectText& args, const TraceRow& row, const Span& action) {
    args.number("lane", row.lane);
    args.number("stage", action.stage);
    args.number("micro_batch", action.micro_batch);
    args.letter("phase", action.phase);
    args.number("step", action.step);
    if (action.mark != 0) args.time("issued_us", action.mark - m_base);
    const auto lane = static_cast<std::size_t>(row.lane);
    if (row.lane >= 0 && lane < m_trace.lanes.size() && !m_trace.lanes[lane].device.empty()) args.text("device", m_trace.lanes[lane].device);
  }

  void transferArgs(ObjectText& args, const Span& transfer) {
    args.number("from_stage", transfer.stage);
    args.number("micro_batch", transfer.micro_batch);
    args.letter("phase", transfer.phase);
    args.number("step", transfer.step);
    args.time("queued_us", transfer.mark != 0 ? transfer.start - transfer.mark : 0);
  }

  void otherArgs(ObjectText& args, const TraceRow& row, const Span& other) {
    args.number("lane", row.lane);
    if (other.step != -1) args.number("step", other.step);
    if (other.stage != -1) args.number("stage", other.stage);
    if (other.micro_batch != -1) args.number("micro_batch", other.micro_batch);
    if (other.phase != Phase::None) args.letter("phase", other.phase);
    if (other.mark != 0) args.time("mark_us", other.mark - m_base);
  }

  void arrows() {
    std::int64_t id = 0;
    for (const TransferFlow& flow : transferFlows(m_trace, m_rows)) {
      ++id;
      const Span& from = at(flow.from);
      const Nanoseconds arrival = at(flow.to).start;
      // Its last nanosecond, since a viewer binds the arrow to the span that is open at that time; never later than the arrival.
      arrowEnd("s", m_rows[flow.from_row], std::min(std::max(from.start, from.end - 1), arrival), id);
      arrowEnd("f", m_rows[flow.to_row], arrival, id);
    }
  }

  void arrowEnd(std::string_view phase, const TraceRow& row, Nanoseconds time, std::int64_t id) {
    ObjectText end = event(phase, "transfer", row.lane, row.tid);
    end.text("cat", "flow");
    end.time("ts", time - m_base);
    end.number("id", id);
    end.text("bp", "e");
    end.close();
  }

  const Trace& m_trace;
  std::vector<TraceRow> m_rows;
  Nanoseconds m_base;
  std::string m_out;
  bool m_anyEvent = false;
};

std::string cannotWrite(const std::string& path, int reason) {
  return "The trace could not be written to " + path + ": " + std::strerror(reason) + "; choose another file or folder.";
}

/// 0 on success, otherwise errno.
int writePlain(const std::string& text, const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return errno;
  int reason = std::fwrite(text.data(), 1, text.size(), file) == text.size() ? 0 : errno;
  if (std::fclose(file) != 0 && reason == 0) reason = errno;
  return reason;
}

/// 0 on success, otherwise errno.
int writeGzip(const std::string& text, const std::string& path) {
  errno = 0;
  const gzFile file = gzopen(path.c_str(), "wb6");
  if (file == nullptr) return errno != 0 ? errno : ENOMEM;
  constexpr std::size_t piece = 1U << 20U;
  int reason = 0;
  for (std::size_t done = 0; done < text.size() && reason == 0; done += piece) {
    const auto length = static_cast<unsigned>(std::min(piece, text.size() - done));
    if (gzwrite(file, text.data() + done, length) != static_cast<int>(length)) reason = errno != 0 ? errno : EIO;
  }
  if (gzclose(file) != Z_OK && reason == 0) reason = errno != 0 ? errno : EIO;
  return reason;
}

}  // namespace

std::string toChromeJson(const Trace& trace) { return ChromeText(trace).text(); }

std::string writeChromeTrace(const Trace& trace, const std::string& path) {
  const std::string text = toChromeJson(trace);
  const std::string aside = path + ".part-" + std::to_string(::getpid());
  int reason = path.ends_with(".gz") ? writeGzip(text, aside) : writePlain(text, aside);
  if (reason == 0 && std::rename(aside.c_str(), path.c_str()) != 0) reason = errno;
  if (reason == 0) return {};
  std::remove(aside.c_str());
  return cannotWrite(path, reason);
}

}  // namespace lanelab
