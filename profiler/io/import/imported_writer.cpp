// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/import/imported_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>

#include "profiler/io/chrome/chrome_writer.h"
#include "profiler/io/source/imported_id.h"
#include "profiler/io/written/dialect.h"
#include "profiler/io/written/event_file.h"
#include "profiler/io/written/written_rows.h"
#include "profiler/trace/communication.h"

namespace lanelab {

namespace {

void appendId(std::string& out, const ImportedId& id) {
  if (id.is_text || id.text.empty()) {
    appendJsonString(out, id.text);
  } else {
    out += id.text;
  }
}

/// Beyond 2^53 viewers lose digits of a number, so that a text in hexadecimal is safer.
void appendFlowId(std::string& out, std::uint64_t id) {
  if (id <= std::uint64_t{1} << 53) {
    out += std::to_string(id);
    return;
  }
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), id, 16);
  out.append("\"0x").append(digits.data(), end.ptr).append("\"");
}

class ImportedText {
 public:
  /// `flush` is called between events.
  ImportedText(const ImportedTrace& imported, std::string& out, std::function<void()> flush)
      : m_imported(imported), m_trace(*imported.trace), m_out(out), m_flush(std::move(flush)) {
    for (const std::string& name : m_trace.names) appendJsonString(m_names.emplace_back(), name);
    m_lane_of_process.resize(m_imported.processes.size(), m_trace.lanes.size());
    for (std::size_t track = 0; track < m_trace.tracks.size(); ++track)
      if (m_trace.tracks[track].kind != Track::Kind::Step)  // steps lie on lane 0 whatever their process
        m_lane_of_process[m_imported.rows[track].process] = static_cast<std::size_t>(m_trace.tracks[track].lane);
  }

  void write() {
    JsonObject file(m_out);
    file.text("displayTimeUnit", "ns");
    file.number("baseTimeNanoseconds", m_imported.base);
    JsonObject other(file.key("otherData"));
    other.text("lanelab_import_format", m_imported.format);
    if (!m_imported.counts.remarks.empty()) other.texts("lanelab_import_remarks", m_imported.counts.remarks);
    other.close();
    file.key("traceEvents") += "[\n";
    for (std::uint32_t process = 0; process < m_imported.processes.size(); ++process) aboutProcess(process);
    for (std::size_t row = 0; row < m_imported.rows.size(); ++row) aboutRow(row);
    for (std::size_t track = 0; track < m_trace.tracks.size(); ++track)
      for (std::size_t i = 0; i < m_trace.tracks[track].spans.size(); ++i) span(track, i);
    for (const ImportedInstant& what : m_imported.instants) instant(what);
    counters();
    for (const ImportedFlowEnd& end : m_imported.flow_ends) flowEnd(end);
    m_out += "\n]";
    file.close();
    m_out += '\n';
  }

 private:
  JsonObject event(char phase) {
    if (m_any) m_out += ",\n";
    m_any = true;
    m_flush();
    JsonObject event(m_out);
    event.text("ph", std::string_view(&phase, 1));
    return event;
  }
  void named(JsonObject& event, std::uint32_t name) { event.key("name") += m_names[name]; }
  void processOf(JsonObject& event, std::uint32_t process) {
    const ImportedId& pid = m_imported.processes[process].pid;
    if (!pid.text.empty()) appendId(event.key("pid"), pid);
  }
  void placed(JsonObject& event, std::size_t row) {
    processOf(event, m_imported.rows[row].process);
    if (!m_imported.rows[row].tid.text.empty()) appendId(event.key("tid"), m_imported.rows[row].tid);
  }
  void labelled(JsonObject& event, std::uint16_t label) {
    if (label != 0) event.text("cat", m_trace.labels[label - 1U]);
  }
  void timed(JsonObject& event, Nanoseconds time) { event.time("ts", time - m_imported.base); }

  void metadata(std::string_view kind, std::uint32_t process, const ImportedId* tid,
                const std::function<void(JsonObject&)>& put) {
    JsonObject about = event('M');
    about.text("name", kind);
    processOf(about, process);
    if (tid != nullptr && !tid->text.empty()) appendId(about.key("tid"), *tid);
    JsonObject args(about.key("args"));
    put(args);
    args.close();
    about.close();
  }

  void aboutProcess(std::uint32_t process) {
    const ImportedProcess& known = m_imported.processes[process];
    const std::string name = processName(process);
    if (!name.empty()) metadata("process_name", process, nullptr, [&](JsonObject& args) { args.text("name", name); });
    if (!known.labels.empty())
      metadata("process_labels", process, nullptr, [&](JsonObject& args) { args.text("labels", known.labels); });
    if (known.sort_index)
      metadata("process_sort_index", process, nullptr,
               [&](JsonObject& args) { args.number("sort_index", *known.sort_index); });
  }

  /// Viewers want a name, so a process without one gets that of its lane.
  std::string processName(std::uint32_t process) const {
    const ImportedProcess& known = m_imported.processes[process];
    if (!known.name.empty() || !known.labels.empty()) return known.name;
    const auto lane = m_lane_of_process[process];
    if (lane < m_trace.lanes.size()) return m_trace.lanes[lane].name;
    return {};  // nothing of it is shown, and a name would make it a lane
  }

  void aboutRow(std::size_t index) {
    const ImportedRow& row = m_imported.rows[index];
    const bool again =
        index > 0 && m_imported.rows[index - 1].process == row.process && m_imported.rows[index - 1].tid == row.tid;
    if (again) return;  // details of the row before
    const std::string name = index < m_trace.tracks.size() ? m_trace.tracks[index].name
                             : row.thread.empty()          ? "thread " + row.tid.text
                                                           : row.thread;
    metadata("thread_name", row.process, &row.tid, [&](JsonObject& args) {
      args.text("name", name);
      if (row.part == 0) return;
      args.number("lanelab_part", row.part);
      appendId(args.key("lanelab_part_of"), row.part_of);
      if (row.async) args.key("lanelab_async") += "true";
    });
    if (row.sort_index)
      metadata("thread_sort_index", row.process, &row.tid,
               [&](JsonObject& args) { args.number("sort_index", *row.sort_index); });
  }

  void span(std::size_t track, std::size_t index) {
    const Span what = m_trace.tracks[track].spans[index];
    const ImportedRow& row = m_imported.rows[track];
    JsonObject x = event('X');
    named(x, what.name);
    const std::string_view category = m_trace.categoryNameOf(what);
    if (!category.empty()) x.text("cat", category);
    placed(x, track);
    timed(x, what.start);
    x.time("dur", what.end - what.start);
    const std::int64_t correlation = index < row.correlations.size() ? row.correlations[index] : -1;
    const ProcessGroup* const group = m_imported.groupAt(track, index);
    if (isGpuWork(what.category) || correlation > 0 || (group != nullptr && what.label != 0)) {
      JsonObject args(x.key("args"));
      if (isGpuWork(what.category)) gpuArgs(args, row);
      if (what.label == 0 && what.step != -1) args.number("step", what.step);
      if (what.label == 0 && what.stage != -1) args.number("stage", what.stage);
      // What the name alone does not say.
      if (what.category == Category::Communication && !isCommunicationKernel(m_trace.nameOf(what)))
        args.key("lanelab_communication") += "true";
      if (correlation > 0) args.number("correlation", correlation);
      if (group != nullptr) groupArgs(args, *group);
      args.close();
    } else if ((what.label == 0 && tellsMore(what)) || group != nullptr) {
      JsonObject args(x.key("args"));
      const int lane = m_trace.tracks[track].lane;
      writeSpanArgs(args, what, lane, m_trace.laneAt(lane), m_imported.base);
      if (group != nullptr) groupArgs(args, *group);
      args.close();
    }
    x.close();
  }

  /// As Kineto writes them; the kind where no description says it.
  static void groupArgs(JsonObject& args, const ProcessGroup& group) {
    if (!group.name.empty()) args.text("Process Group Name", group.name);
    if (!group.description.empty()) args.text("Process Group Description", group.description);
    if (!group.ranks.empty()) {
      std::string ranks;
      for (const int rank : group.ranks) ranks += (ranks.empty() ? "[" : ", ") + std::to_string(rank);
      args.text("Process Group Ranks", ranks + "]");
    }
    if (group.kind != groupKindOf(group.description)) args.text("lanelab_group", toWord(group.kind));
    if (group.moves == ProcessGroup::Moves::None) return;
    args.text("Collective name", group.moves == ProcessGroup::Moves::Sends ? "send" : "recv");
    if (group.source >= 0) args.number("Src Rank", group.source);
    if (group.destination >= 0) args.number("Dst Rank", group.destination);
  }

  static bool tellsMore(const Span& span) {
    return span.category == Category::Action || span.category == Category::Transfer ||
           span.category == Category::Step || span.step != -1 || span.stage != -1 || span.micro_batch != -1 ||
           span.phase != Phase::None || span.mark != 0 || span.cpu >= 0;
  }

  void gpuArgs(JsonObject& args, const ImportedRow& row) const {
    args.number("device", row.device);
    args.number("stream", row.stream);
    if (row.launcher && m_several_launch)
      appendId(args.key("lanelab_launcher"), m_imported.processes[*row.launcher].pid);
  }

  void instant(const ImportedInstant& what) {
    JsonObject i = event('i');
    named(i, what.name);
    labelled(i, what.label);
    placed(i, what.row);
    timed(i, what.time);
    i.text("s", std::string_view(&what.scope, 1));
    i.close();
  }

  /// Numbers of one counter at one time go into one event.
  void counters() {
    std::map<std::pair<std::uint32_t, std::string_view>, std::vector<const Counter*>> byName;
    for (const Counter& series : m_trace.counters) byName[{series.process, series.name}].push_back(&series);
    for (const auto& [name, all] : byName) counter(all);
  }

  void counter(const std::vector<const Counter*>& all) {
    std::vector<std::size_t> next(all.size());
    while (true) {
      std::optional<Nanoseconds> time;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (next[i] < all[i]->times.size() && (!time || all[i]->times[next[i]] < *time)) time = all[i]->times[next[i]];
      if (!time) return;
      JsonObject c = event('C');
      c.text("name", all.front()->name);
      labelled(c, all.front()->label);
      processOf(c, all.front()->process);
      timed(c, *time);
      JsonObject args(c.key("args"));
      for (std::size_t i = 0; i < all.size(); ++i)
        if (next[i] < all[i]->times.size() && all[i]->times[next[i]] == *time)
          appendNumber(args.textKey(all[i]->series), all[i]->values[next[i]++]);
      args.close();
      c.close();
    }
  }

  void flowEnd(const ImportedFlowEnd& end) {
    const ImportedFlow& flow = m_imported.flows[end.flow];
    JsonObject f = event(end.phase);
    if (flow.text_id) {
      f.text("id", m_imported.flow_texts[flow.id]);
    } else {
      appendFlowId(f.key("id"), flow.id);
    }
    named(f, flow.name);
    labelled(f, flow.label);
    placed(f, end.row);
    timed(f, end.time);
    if (end.encloses) f.text("bp", "e");
    f.close();
  }

  const ImportedTrace& m_imported;
  const Trace& m_trace;
  std::string& m_out;
  std::function<void()> m_flush;
  std::vector<std::string> m_names;  ///< in quotes
  std::vector<std::size_t> m_lane_of_process;
  const bool m_several_launch = severalProcessesLaunch(m_imported);
  bool m_any = false;
};

bool tellsAll(const ImportedTrace& imported) { return imported.declared && imported.instants.empty(); }

}  // namespace

Status writeChromeTrace(const ImportedTrace& imported, const std::string& path, const WorkControl& control, int level) {
  if (tellsAll(imported)) return writeChromeTrace(*imported.trace, path, control, level);
  return writeEventFile(path, level, writtenEvents(imported), control,
                        [&imported](std::string& text, const std::function<void()>& flush) {
                          ImportedText(imported, text, flush).write();
                        });
}

}  // namespace lanelab
