// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/perfetto/perfetto_writer.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

#include "base/utf8.h"
#include "profiler/io/perfetto/perfetto_fields.h"
#include "profiler/io/perfetto/protobuf_text.h"
#include "profiler/io/written/json_text.h"
#include "profiler/io/written/text_file.h"
#include "profiler/io/written/written_rows.h"

namespace lanelab {

namespace {

const char* const annotation_names[] = {"stage",       "micro_batch", "phase",  "step",  "mark_ns",
                                        "correlation", "device",      "stream", "cpu_ns"};
enum Annotation : std::uint64_t { stage = 1, micro_batch, phase, step, mark, correlation, device, stream, cpu };

class PerfettoText {
 public:
  PerfettoText(const ImportedTrace& imported, std::string& out, std::function<void()> flush)
      : m_imported(imported),
        m_trace(*imported.trace),
        m_rows(writtenRowsOf(imported)),
        m_out(out),
        m_flush(std::move(flush)) {
    for (std::uint32_t i = 0; i < m_rows.arrows.size(); ++i) {
      m_arrowsFrom.emplace(keyOf(m_rows.arrows[i].from), i + 1);
      m_arrowsTo.emplace(keyOf(m_rows.arrows[i].to), i + 1);
    }
    Nanoseconds first = m_trace.range().start;
    for (const ImportedInstant& what : m_imported.instants) first = std::min(first, what.time);
    for (const Counter& series : m_trace.counters)
      for (const Nanoseconds time : series.times) first = std::min(first, time);
    m_shift = first < 0 ? first : 0;
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
  Span at(SpanPlace place) const { return m_trace.tracks[place.track].spans[place.span]; }

  // One space of numbers for all tracks; 0 is the trace itself.
  std::uint64_t processTrack(std::uint32_t process) const { return 1 + process; }
  std::uint64_t rowTrack(std::uint32_t row) const { return 1 + m_rows.processes.size() + row; }
  std::uint64_t counterTrack(std::uint32_t series) const {
    return 1 + m_rows.processes.size() + m_rows.rows.size() + series;
  }

  void packet(const std::function<void(ProtobufText&)>& put) {
    m_packet.clear();
    ProtobufText packet(m_packet);
    packet.varint(perfetto::packet::sequence, 1);
    put(packet);
    ProtobufText(m_out).bytes(perfetto::trace::packet, m_packet);
    m_flush();
  }

  void internAll() {
    std::string data;
    const auto intern = [&](std::uint32_t field, std::uint64_t id, std::string_view text) {
      std::string entry;
      ProtobufText name(entry);
      name.varint(perfetto::interned::id, id);
      name.bytes(perfetto::interned::text, validUtf8(text));
      ProtobufText(data).bytes(field, entry);
    };
    for (std::size_t i = 0; i < m_trace.names.size(); ++i) intern(perfetto::interned::names, i + 1, m_trace.names[i]);
    for (std::size_t i = 0; i < std::size(annotation_names); ++i)
      intern(perfetto::interned::annotation_names, i + 1, annotation_names[i]);
    for (std::size_t i = 0; i < m_trace.labels.size(); ++i)
      intern(perfetto::interned::categories, i + 1, m_trace.labels[i]);
    for (std::size_t i = 0; i <= static_cast<std::size_t>(Category::Other); ++i)
      intern(perfetto::interned::categories, ownCategory(static_cast<Category>(i)), toString(static_cast<Category>(i)));
    packet([&](ProtobufText& packet) {
      packet.varint(perfetto::packet::sequence_flags, perfetto::packet::cleared_state);
      packet.bytes(perfetto::packet::interned_data, data);
    });
  }
  static std::uint64_t ownCategory(Category category) { return 0x10000 + static_cast<std::uint64_t>(category); }
  static std::uint64_t categoryOf(const Span& span) {
    return span.label != 0 ? span.label : ownCategory(span.category);
  }

  void describe(std::uint64_t track, std::uint64_t parent, std::uint64_t order, std::string_view name,
                const std::function<void(ProtobufText&)>& put) {
    m_inner.clear();
    ProtobufText descriptor(m_inner);
    descriptor.varint(perfetto::track::uuid, track);
    if (parent != 0) descriptor.varint(perfetto::track::parent, parent);
    descriptor.varint(perfetto::track::sibling_order, order);
    if (!name.empty()) descriptor.bytes(perfetto::track::name, validUtf8(name));
    put(descriptor);
    packet([&](ProtobufText& packet) { packet.bytes(perfetto::packet::track_descriptor, m_inner); });
  }

  void describeProcess(std::uint32_t process) {
    std::string known;
    ProtobufText inner(known);
    inner.varint(perfetto::process::pid,
                 process + 1);  // ids of the file may be texts, and 0 is the kernel's idle thread
    inner.bytes(perfetto::process::name, validUtf8(m_rows.processes[process]));
    describe(processTrack(process), 0, process, {}, [&](ProtobufText& descriptor) {
      descriptor.bytes(perfetto::track::process, known);
      descriptor.varint(perfetto::track::child_ordering, perfetto::track::explicit_order);
    });
  }
  void describeRow(std::uint32_t row) {
    describe(rowTrack(row), processTrack(m_rows.rows[row].process), row, m_rows.rows[row].name, [](ProtobufText&) {});
  }
  void describeCounter(std::uint32_t series) {
    const Counter& counter = m_trace.counters[series];
    const bool same = counter.name == counter.series || counter.series.empty();
    const std::uint64_t parent = !m_imported.declared ? processTrack(counter.process)
                                 : counter.lane < 0   ? 0
                                                      : processTrack(static_cast<std::uint32_t>(counter.lane));
    describe(counterTrack(series), parent, m_rows.rows.size() + series,
             same ? counter.name : counter.name + " " + counter.series,
             [](ProtobufText& descriptor) { descriptor.bytes(perfetto::track::counter, {}); });
  }

  void event(Nanoseconds time, std::uint64_t track, perfetto::event::Type type,
             const std::function<void(ProtobufText&)>& put) {
    m_inner.clear();
    ProtobufText event(m_inner);
    event.varint(perfetto::event::type, type);
    event.varint(perfetto::event::track, track);
    put(event);
    packet([&](ProtobufText& packet) {
      packet.varint(perfetto::packet::timestamp, static_cast<std::uint64_t>(time - m_shift));
      packet.varint(perfetto::packet::sequence_flags, perfetto::packet::needs_state);
      packet.bytes(perfetto::packet::track_event, m_inner);
    });
  }

  void slices(std::uint32_t row) {
    const std::uint64_t track = rowTrack(row);
    std::vector<Nanoseconds> open;
    const auto closeUntil = [&](Nanoseconds time) {
      for (; !open.empty() && open.back() <= time; open.pop_back())
        event(open.back(), track, perfetto::event::slice_end, [](ProtobufText&) {});
    };
    for (const SpanPlace place : m_rows.rows[row].spans) {
      closeUntil(at(place).start);
      begin(place, track);
      open.push_back(at(place).end);
    }
    closeUntil(std::numeric_limits<Nanoseconds>::max());
  }

  void begin(SpanPlace place, std::uint64_t track) {
    const Span span = at(place);
    event(span.start, track, perfetto::event::slice_begin, [&](ProtobufText& event) {
      event.varint(perfetto::event::name_id, span.name + 1U);
      event.varint(perfetto::event::category, categoryOf(span));
      annotate(event, span, correlationOf(place));
      if (isGpuWork(span.category)) placeOnGpu(event, m_imported.rows[place.track]);
      arrows(event, m_arrowsFrom, place, perfetto::event::flow);
      arrows(event, m_arrowsTo, place, perfetto::event::terminating_flow);
    });
  }

  std::int64_t correlationOf(SpanPlace place) const {
    const std::vector<std::int64_t>& all = m_imported.rows[place.track].correlations;
    return place.span < all.size() ? all[place.span] : -1;
  }

  static void annotation(ProtobufText& event, Annotation name, const std::function<void(ProtobufText&)>& value) {
    std::string annotation;
    ProtobufText inner(annotation);
    inner.varint(perfetto::annotation::name_id, name);
    value(inner);
    event.bytes(perfetto::event::annotation, annotation);
  }
  static void whole(ProtobufText& event, Annotation name, std::int64_t value) {
    annotation(event, name, [&](ProtobufText& inner) {
      inner.varint(perfetto::annotation::int_value, static_cast<std::uint64_t>(value));
    });
  }

  void annotate(ProtobufText& event, const Span& span, std::int64_t correlated) const {
    if (span.stage >= 0) whole(event, stage, span.stage);
    if (span.micro_batch >= 0) whole(event, micro_batch, span.micro_batch);
    if (span.phase != Phase::None)
      annotation(event, phase, [&](ProtobufText& inner) {
        inner.bytes(perfetto::annotation::string_value, std::string(1, letterOf(span.phase)));
      });
    if (span.step >= 0) whole(event, step, span.step);
    if (span.mark != 0) whole(event, mark, span.mark - m_shift);
    if (span.cpu >= 0) whole(event, cpu, span.cpu);
    if (correlated > 0) whole(event, correlation, correlated);
  }
  static void placeOnGpu(ProtobufText& event, const ImportedRow& row) {
    if (row.device >= 0) whole(event, device, row.device);
    if (row.stream >= 0) whole(event, stream, row.stream);
  }

  using Arrows = std::multimap<std::uint64_t, std::uint32_t>;
  static void arrows(ProtobufText& event, const Arrows& ends, SpanPlace place, std::uint32_t field) {
    const auto [first, last] = ends.equal_range(keyOf(place));
    for (auto end = first; end != last; ++end) event.fixed64(field, end->second);
  }

  void instantAt(const ImportedInstant& what) {
    event(what.time, rowTrack(m_rows.row_of_imported[what.row]), perfetto::event::instant, [&](ProtobufText& event) {
      event.varint(perfetto::event::name_id, what.name + 1U);
      if (what.label != 0) event.varint(perfetto::event::category, what.label);
    });
  }

  void values(std::uint32_t series) {
    const Counter& all = m_trace.counters[series];
    for (std::size_t i = 0; i < all.times.size(); ++i)
      event(all.times[i], counterTrack(series), perfetto::event::counter,
            [&](ProtobufText& event) { event.number(perfetto::event::double_counter, all.values[i]); });
  }

  const ImportedTrace& m_imported;
  const Trace& m_trace;
  WrittenRows m_rows;
  std::string& m_out;
  std::function<void()> m_flush;
  std::string m_packet;
  std::string m_inner;
  Arrows m_arrowsFrom;
  Arrows m_arrowsTo;
  Nanoseconds m_shift = 0;
};

}  // namespace

std::string toPerfetto(const ImportedTrace& imported) {
  std::string out;
  PerfettoText(imported, out, [] {}).write();
  return out;
}

std::string writePerfettoTrace(const ImportedTrace& imported, const std::string& path) {
  TextFile file(path);
  PerfettoText(imported, file.text(), [&file] { file.flushIfLarge(); }).write();
  return file.finish();
}

}  // namespace lanelab
