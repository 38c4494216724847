// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/perfetto/perfetto_writer.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "profiler/io/perfetto/packet_writer.h"
#include "profiler/io/written/event_file.h"
#include "profiler/io/written/written_rows.h"
#include "profiler/trace/communication.h"

namespace lanelab {

namespace {

class PerfettoText {
 public:
  PerfettoText(const ImportedTrace& imported, std::string& out, std::function<void()> flush)
      : m_imported(imported),
        m_trace(*imported.trace),
        m_rows(writtenRowsOf(imported)),
        m_packets(out, std::move(flush)) {
    for (std::uint32_t i = 0; i < m_rows.arrows.size(); ++i) {
      m_arrows_from.emplace(keyOf(m_rows.arrows[i].from), i + 1);
      m_arrows_to.emplace(keyOf(m_rows.arrows[i].to), i + 1);
    }
    findThreads();
    Nanoseconds first = m_trace.range().start;
    for (const ImportedInstant& what : m_imported.instants) first = std::min(first, what.time);
    for (const Counter& series : m_trace.counters)
      for (const Nanoseconds time : series.times) first = std::min(first, time);
    m_packets.setShift(std::min<Nanoseconds>(first, 0));
  }

  void write() {
    internAll();
    for (std::uint32_t process = 0; process < m_rows.processes.size(); ++process) describeProcess(process);
    for (std::uint32_t row = 0; row < m_rows.rows.size(); ++row) describeRow(row);
    for (std::uint32_t series = 0; series < m_trace.counters.size(); ++series) describeCounter(series);
    for (std::uint32_t row = 0; row < m_rows.rows.size(); ++row) slices(row);
    for (const ImportedInstant& what : m_imported.instants) instantAt(what);
    for (std::uint32_t series = 0; series < m_trace.counters.size(); ++series) values(series);
  }

 private:
  static std::uint64_t keyOf(SpanPlace place) { return std::uint64_t{place.track} << 32U | place.span; }

  // One space of numbers for all tracks; 0 is the trace itself.
  std::uint64_t processTrack(std::uint32_t process) const { return 1 + process; }
  std::uint64_t rowTrack(std::uint32_t row) const { return 1 + m_rows.processes.size() + row; }
  std::uint64_t counterTrack(std::uint32_t series) const {
    return 1 + m_rows.processes.size() + m_rows.rows.size() + series;
  }

  void internAll() {
    for (std::size_t i = 0; i < m_trace.names.size(); ++i)
      m_packets.intern(perfetto::interned::kNames, i + 1, m_trace.names[i]);
    for (std::size_t i = 0; i < m_trace.labels.size(); ++i)
      m_packets.intern(perfetto::interned::kCategories, i + 1, m_trace.labels[i]);
    m_packets.internOwn();
    m_packets.putInterned(perfetto::packet::kClearedState);
  }

  /// A process of another program keeps its name, labels and id; viewers want a name.
  void describeProcess(std::uint32_t process) {
    const std::string& title = m_rows.processes[process];
    if (m_imported.declared || process >= m_imported.processes.size())
      return m_packets.describeProcess(processTrack(process), process, title);
    const ImportedProcess& known = m_imported.processes[process];
    std::string own;
    ProtobufText about(own);
    about.bytes(perfetto::own::kPid, validUtf8(known.pid.text));
    about.varint(perfetto::own::kPidIsText, known.pid.is_text ? 1 : 0);
    const bool shown = !known.name.empty() || !known.labels.empty() || m_shown.contains(process);
    m_packets.describeProcess(processTrack(process), process,
                              known.name.empty() && known.labels.empty() && shown ? title : known.name, known.labels,
                              own);
  }

  void describeRow(std::uint32_t row) {
    const std::string own = partOf(row);
    m_packets.describe(rowTrack(row), processTrack(m_rows.rows[row].process), row, m_rows.rows[row].name,
                       [&](ProtobufText& track) {
                         if (!own.empty()) track.bytes(perfetto::track::kOwn, own);
                       });
  }

  /// Which row of which thread it is; "" for the thread itself.
  std::string partOf(std::uint32_t row) const {
    std::string own;
    const auto place = m_imported_row.find(row);
    if (m_imported.declared || place == m_imported_row.end()) return own;
    const ImportedRow& known = m_imported.rows[place->second];
    if (known.part == 0) return own;
    ProtobufText about(own);
    about.varint(perfetto::own::kPartOf, rowTrack(m_first_row.at({known.process, known.part_of.text})));
    about.varint(perfetto::own::kPart, static_cast<std::uint64_t>(known.part));
    about.varint(perfetto::own::kAsync, known.async ? 1 : 0);
    return own;
  }

  /// The row of each thread that is the thread itself, or its first one.
  void findThreads() {
    for (std::size_t i = 0; i < m_imported.rows.size() && !m_imported.declared; ++i) {
      const ImportedRow& known = m_imported.rows[i];
      const std::uint32_t row = m_rows.row_of_imported[i];
      m_imported_row.try_emplace(row, i);
      const auto [first, fresh] = m_first_row.try_emplace({known.process, known.part_of.text}, row);
      if (!fresh && known.part == 0) first->second = row;
      if (!m_rows.rows[row].spans.empty()) m_shown.insert(known.process);
    }
  }
  void describeCounter(std::uint32_t series) {
    const Counter& counter = m_trace.counters[series];
    const std::uint64_t parent = !m_imported.declared ? processTrack(counter.process)
                                 : counter.lane < 0   ? 0
                                                      : processTrack(static_cast<std::uint32_t>(counter.lane));
    const bool same = counter.name == counter.series || counter.series.empty();
    m_packets.describeCounter(counterTrack(series), parent, m_rows.rows.size() + series,
                              same ? counter.name : counter.name + " " + counter.series);
  }

  void slices(std::uint32_t row) {
    const std::uint64_t track = rowTrack(row);
    std::vector<Nanoseconds> open;
    const auto closeUntil = [&](Nanoseconds time) {
      for (; !open.empty() && open.back() <= time; open.pop_back()) m_packets.end(open.back(), track);
    };
    for (const SpanPlace place : m_rows.rows[row].spans) {
      const Span span = spanAt(m_trace, place);
      closeUntil(span.start);
      begin(span, place, track);
      open.push_back(span.end);
    }
    closeUntil(std::numeric_limits<Nanoseconds>::max());
  }

  void begin(const Span& span, SpanPlace place, std::uint64_t track) {
    m_packets.begin(span, track, [&](ProtobufText& event) {
      if (const std::int64_t id = correlationOf(place); id > 0)
        m_packets.annotate(event, SpanAnnotation::Correlation, id);
      if (isGpuWork(span.category)) placeOnGpu(event, m_imported.rows[place.track]);
      // What the name alone does not say.
      if (span.category == Category::Communication && !isCommunicationKernel(m_trace.nameOf(span)))
        m_packets.annotate(event, SpanAnnotation::Communication, 1);
      arrows(event, m_arrows_from, place, perfetto::event::kFlow);
      arrows(event, m_arrows_to, place, perfetto::event::kTerminatingFlow);
    });
  }

  std::int64_t correlationOf(SpanPlace place) const {
    const std::vector<std::int64_t>& all = m_imported.rows[place.track].correlations;
    return place.span < all.size() ? all[place.span] : -1;
  }

  void placeOnGpu(ProtobufText& event, const ImportedRow& row) {
    if (row.device >= 0) m_packets.annotate(event, SpanAnnotation::Device, row.device);
    if (row.stream >= 0) m_packets.annotate(event, SpanAnnotation::Stream, row.stream);
    if (row.launcher && m_several_launch)
      m_packets.annotate(event, SpanAnnotation::Launcher, static_cast<std::int64_t>(processTrack(*row.launcher)));
  }

  using Arrows = std::multimap<std::uint64_t, std::uint32_t>;
  static void arrows(ProtobufText& event, const Arrows& ends, SpanPlace place, std::uint32_t field) {
    const auto [first, last] = ends.equal_range(keyOf(place));
    for (auto end = first; end != last; ++end) event.fixed64(field, end->second);
  }

  void instantAt(const ImportedInstant& what) {
    const std::uint64_t track = rowTrack(m_rows.row_of_imported[what.row]);
    m_packets.event(what.time, track, perfetto::event::Instant, [&](ProtobufText& event) {
      event.varint(perfetto::event::kNameId, what.name + 1U);
      if (what.label != 0) event.varint(perfetto::event::kCategory, what.label);
    });
  }

  void values(std::uint32_t series) {
    const Counter& all = m_trace.counters[series];
    for (std::size_t i = 0; i < all.times.size(); ++i)
      m_packets.value(all.times[i], counterTrack(series), all.values[i]);
  }

  const ImportedTrace& m_imported;
  const Trace& m_trace;
  WrittenRows m_rows;
  std::map<std::uint32_t, std::size_t> m_imported_row;  ///< by row: the first of ImportedTrace::rows on it
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> m_first_row;  ///< by process and thread
  std::set<std::uint32_t> m_shown;                                             ///< processes with spans
  const bool m_several_launch = !m_imported.declared && severalProcessesLaunch(m_imported);
  PacketWriter m_packets;
  Arrows m_arrows_from;
  Arrows m_arrows_to;
};

}  // namespace

Status writePerfettoTrace(const ImportedTrace& imported, const std::string& path, const WorkControl& control) {
  constexpr int kSmall = 6;
  // A span has a packet at its begin and one at its end.
  const std::int64_t packets = writtenEvents(imported) + static_cast<std::int64_t>(imported.trace->spanCount());
  return writeEventFile(path, kSmall, packets, control,
                        [&imported](std::string& text, const std::function<void()>& flush) {
                          PerfettoText(imported, text, flush).write();
                        });
}

}  // namespace lanelab
