// SPDX-License-Identifier: GPL-3.0-only
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "profiler/io/build/counter_order.h"
#include "profiler/io/build/known_lanes.h"
#include "profiler/io/build/time_reach.h"
#include "profiler/io/lltrace/trace_file.h"
#include "profiler/io/lltrace/trace_file_bytes.h"
#include "profiler/io/source/imported_id.h"
#include "profiler/io/source/stop_check.h"
#include "profiler/io/source/text_window.h"

namespace lanelab {

namespace {

constexpr std::size_t most_lanes = 1U << 16U;
constexpr std::int64_t most_lane = 1'000'000;
constexpr std::size_t most_texts = 4'000'000;
constexpr std::size_t columns_a_span = 12;       ///< of a byte at least
constexpr std::size_t bytes_a_value = 2;         ///< at least
constexpr std::size_t most_spans = 1U << 16U;    ///< of a record; those that are written hold 4096
constexpr std::uint32_t most_bytes = 1U << 28U;  ///< of a record's payload

/// Reads a payload; once it has run out or found nonsense it gives zeros and is not ok.
class Payload {
 public:
  explicit Payload(std::string_view bytes) : m_bytes(bytes) {}
  bool ok() const { return m_ok; }
  std::size_t left() const { return m_bytes.size(); }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (m_bytes.empty()) break;
      const auto byte = static_cast<std::uint8_t>(m_bytes.front());
      m_bytes.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    m_ok = false;
    return 0;
  }
  /// At most `most`.
  std::size_t count(std::size_t most) {
    const std::uint64_t value = number();
    if (value > most) m_ok = false;
    return m_ok ? static_cast<std::size_t>(value) : 0;
  }
  std::string text() {
    const std::string text(m_bytes.substr(0, count(m_bytes.size())));
    m_bytes.remove_prefix(text.size());
    return text;
  }

 private:
  std::string_view m_bytes;
  bool m_ok = true;
};

std::optional<std::string> unpacked(const RecordHead& head, std::string_view packed) {
  std::string payload(head.size, '\0');
  uLongf size = head.size;
  const int done = uncompress(reinterpret_cast<Bytef*>(payload.data()), &size,
                              reinterpret_cast<const Bytef*>(packed.data()), head.packed);
  if (done != Z_OK || size != head.size) return std::nullopt;
  return payload;
}

template <class Set>
void readColumn(Payload& payload, std::vector<Span>& spans, const Set& set) {
  std::uint64_t value = 0;
  for (Span& span : spans) {
    value += unzigzag(payload.number());
    set(span, value);
  }
}

class TraceFileReader {
 public:
  TraceFileReader(ByteSource& source, const ImportLimits& limits) : m_window(source, 0), m_limits(limits) {
    if (m_window.holds(trace_file_magic.size())) m_window.drop(trace_file_magic.size());
  }

  ImportedTrace read() {
    while (!tooLarge() && m_window.holds(1)) nextRecord();
    if (!m_ended) note("unfinished_file", 1);
    suggestionNames();
    addMissingLanes(m_trace);  // where the header was lost
    repairCounters();
    return result();
  }
  bool foundAny() const { return m_records > 0; }
  bool tooLarge() const { return m_unpacked > m_limits.unpacked_bytes; }

 private:
  void note(const char* problem, std::int64_t count) {
    if (count > 0) m_problems[problem] += count;
  }
  /// How many records the bytes up to here can hold, and with them tracks, counters and the like.
  std::size_t recordsThere() const { return (m_window.dropped() + m_window.text().size()) / sizeof(RecordHead); }

  void nextRecord() {
    StopCheck(m_limits.stop).now();
    const std::optional<RecordHead> head = headHere();
    if (head && m_window.holds(sizeof *head + head->packed)) {
      if (readRecord(*head)) return;
      // Each of many heads that lie might claim all of the rest.
      if (m_vain > most_vain + m_window.dropped()) return skip(sizeof *head + head->packed);
    }
    skipToMark();
  }

  /// The head of a record that may be one.
  std::optional<RecordHead> headHere() {
    RecordHead head;
    if (!m_window.holds(sizeof head)) return std::nullopt;
    std::memcpy(&head, m_window.text().data(), sizeof head);
    constexpr std::uint32_t most_packed = 1032;  // times, by zlib
    const bool fits = head.mark == record_mark && head.size <= most_bytes && head.packed <= compressBound(most_bytes) &&
                      head.size / most_packed <= head.packed;
    return fits ? std::optional(head) : std::nullopt;
  }

  /// Whether the whole record that lies here is one.
  bool readRecord(const RecordHead& head) {
    const std::string_view packed = m_window.text().substr(sizeof head, head.packed);
    if (crcOf(head, packed) != head.crc) {
      m_vain += packed.size();
      return false;
    }
    m_unpacked += head.size;
    const std::optional<std::string> payload = unpacked(head, packed);
    if (!payload || !take(static_cast<char>(head.kind), Payload(*payload))) note("damaged_record", 1);
    m_window.drop(sizeof head + packed.size());
    m_skipping = false;
    ++m_records;
    return true;
  }

  void skip(std::size_t bytes) {
    if (!m_skipping) note("damaged_record", 1);
    m_skipping = true;
    m_window.drop(bytes);
  }

  /// A record that was cut by the end of a run is no damage of its own: unfinished_file tells it.
  void skipToMark() {
    const std::string_view mark(reinterpret_cast<const char*>(&record_mark), sizeof record_mark);
    m_window.drop(1);
    while (true) {
      const std::size_t next = m_window.text().find(mark);
      if (next != std::string_view::npos) return skip(next);
      m_window.drop(m_window.text().size() - std::min(m_window.text().size(), mark.size() - 1));
      if (!m_window.more()) return m_window.drop(m_window.text().size());
    }
  }

  bool take(char kind, Payload payload) {
    switch (kind) {
      case 'H': return takeHeader(payload);
      case 'T': return takeTrack(payload);
      case 'N': return takeTexts(payload, m_trace.names);
      case 'L': return takeTexts(payload, m_trace.labels);
      case 'S': return takeSpans(payload);
      case 'C': return takeValues(payload);
      case 'E': return takeEnd(payload);
      default: return true;  // of a later version
    }
  }

  bool takeHeader(Payload& payload) {
    Trace header;
    header.title = payload.text();
    header.origin = static_cast<Origin>(payload.count(2));
    header.epoch = static_cast<Nanoseconds>(payload.number());
    header.dropped = static_cast<std::int64_t>(payload.number());
    header.lanes.resize(payload.count(std::min(payload.left(), most_lanes)));
    for (LaneInfo& lane : header.lanes) {
      lane.name = payload.text();
      lane.device = payload.text();
    }
    if (!payload.ok()) return false;
    m_trace.title = header.title;
    m_trace.origin = header.origin;
    m_trace.epoch = header.epoch;
    m_trace.dropped = header.dropped;
    m_trace.lanes = header.lanes;
    return true;
  }

  /// Also of a track whose own record was lost.
  Track& trackAt(std::size_t index) {
    while (m_trace.tracks.size() <= index) m_trace.tracks.push_back({0, Track::Kind::Host, "unknown", {}});
    return m_trace.tracks[index];
  }

  bool takeTrack(Payload& payload) {
    const std::size_t index = payload.count(recordsThere());
    const auto lane = static_cast<std::int64_t>(unzigzag(payload.number()));
    const auto kind = static_cast<Track::Kind>(payload.count(5));
    const std::string name = payload.text();
    if (!payload.ok() || lane < -1 || lane > most_lane) return false;
    Track& track = trackAt(index);
    track.lane = static_cast<int>(lane);
    track.kind = kind;
    track.name = name;
    return true;
  }

  bool takeTexts(Payload& payload, std::vector<std::string>& texts) {
    const std::size_t from = payload.count(most_texts);
    std::vector<std::string> more;
    while (payload.ok() && payload.left() > 0 && from + more.size() < most_texts) more.push_back(payload.text());
    if (!payload.ok() || payload.left() > 0) return false;
    m_missing_texts += from - std::min(from, texts.size());
    if (m_missing_texts > most_texts_a_byte * (m_window.dropped() + sizeof(RecordHead))) return false;
    texts.resize(from);  // what is missing before stays empty
    texts.insert(texts.end(), more.begin(), more.end());
    return true;
  }

  bool takeSpans(Payload& payload) {
    const std::size_t index = payload.count(recordsThere());
    const std::uint64_t from = payload.number();
    std::vector<Span> spans(payload.count(std::min(payload.left() / columns_a_span, most_spans)));
    const auto number = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
    readColumn(payload, spans, [&](Span& span, std::uint64_t value) { span.start = number(value); });
    readColumn(payload, spans, [&](Span& span, std::uint64_t value) {
      span.end = number(static_cast<std::uint64_t>(span.start) + value);
    });
    readColumn(payload, spans, [&](Span& span, std::uint64_t value) { span.mark = number(value); });
    readColumn(payload, spans, [&](Span& span, std::uint64_t value) {
      span.mark = span.mark == 0 ? 0 : number(static_cast<std::uint64_t>(span.start) - value);
    });
    readColumn(payload, spans, [&](Span& span, std::uint64_t value) { span.cpu = number(value); });
    readColumn(payload, spans, [&](Span& span, std::uint64_t value) { span.name = static_cast<std::uint32_t>(value); });
    readColumn(payload, spans, [&](Span& span, std::uint64_t value) { span.step = static_cast<std::int32_t>(value); });
    readColumn(payload, spans, [&](Span& span, std::uint64_t value) { span.stage = static_cast<std::int16_t>(value); });
    readColumn(payload, spans,
               [&](Span& span, std::uint64_t value) { span.micro_batch = static_cast<std::int16_t>(value); });
    readColumn(payload, spans, [&](Span& span, std::uint64_t value) {
      span.category =
          static_cast<Category>(std::min<std::uint64_t>(value, static_cast<std::uint64_t>(Category::Other)));
    });
    readColumn(payload, spans, [&](Span& span, std::uint64_t value) {
      span.phase = value > static_cast<std::uint64_t>(Phase::Update) ? Phase::None : static_cast<Phase>(value);
    });
    readColumn(payload, spans,
               [&](Span& span, std::uint64_t value) { span.label = static_cast<std::uint16_t>(value); });
    const auto sound = [](const Span& span) {
      return inReach(span.start) && inReach(span.end) && inReach(span.mark) && span.start <= span.end;
    };
    if (!payload.ok() || !std::all_of(spans.begin(), spans.end(), sound)) return false;
    put(trackAt(index).spans, from, spans, index);
    return true;
  }

  /// A record that is missing before this one leaves a hole, so places are told by how many were lost.
  void put(SpanColumns& into, std::uint64_t from, const std::vector<Span>& spans, std::size_t track) {
    std::uint64_t& lost = m_lost[track];
    if (from < lost + into.size()) {
      into.truncate(static_cast<std::size_t>(from < lost ? 0 : from - lost));
      lost = std::min(lost, from);
    }
    lost = from - into.size();
    into.append(spans);
  }

  bool takeValues(Payload& payload) {
    constexpr std::size_t few = 4096;  // counters without values have no record
    const std::size_t index = payload.count(recordsThere() + few);
    Counter counter;
    const auto lane = static_cast<std::int64_t>(unzigzag(payload.number()));
    counter.lane = lane >= -1 && lane <= most_lane ? static_cast<int>(lane) : -1;
    counter.name = payload.text();
    counter.series = payload.text();
    counter.label = static_cast<std::uint16_t>(payload.number());
    payload.number();  // the place of the first: a hole shows in the times
    const std::size_t values = payload.count(payload.left() / bytes_a_value);
    for (std::size_t i = 0; i < values && payload.ok(); ++i) {
      counter.times.push_back(static_cast<Nanoseconds>(payload.number()));
      counter.values.push_back(std::bit_cast<double>(payload.number()));
    }
    const bool finite =
        std::all_of(counter.values.begin(), counter.values.end(), [](double value) { return std::isfinite(value); });
    if (!payload.ok() || !finite || !std::all_of(counter.times.begin(), counter.times.end(), inReach)) return false;
    if (m_trace.counters.size() <= index) m_trace.counters.resize(index + 1);
    append(m_trace.counters[index], std::move(counter));
    return true;
  }

  /// To the end of what is known, which would else be copied for each record.
  static void append(Counter& known, Counter more) {
    std::vector<Nanoseconds> times = std::move(known.times);
    std::vector<double> values = std::move(known.values);
    times.insert(times.end(), more.times.begin(), more.times.end());
    values.insert(values.end(), more.values.begin(), more.values.end());
    known = std::move(more);
    known.times = std::move(times);
    known.values = std::move(values);
  }

  bool takeEnd(Payload& payload) {
    const std::size_t total = payload.count(std::size_t{1} << 60);
    if (!payload.ok()) return false;
    m_ended = true;
    m_total = total;
    return true;
  }

  /// No span may name what is not there.
  void suggestionNames() {
    std::int64_t lost_names = 0;
    std::int64_t lost_spans = 0;
    for (const auto& [track, count] : m_lost)
      lost_spans += static_cast<std::int64_t>(std::min<std::uint64_t>(count, 1'000'000'000));
    // The end knows of records that nothing came behind.
    if (m_ended) lost_spans = static_cast<std::int64_t>(m_total) - static_cast<std::int64_t>(m_trace.spanCount());
    for (Track& track : m_trace.tracks) {
      std::vector<Span> spans;
      for (std::size_t i = 0; i < track.spans.size(); ++i) {
        const Span span = track.spans[i];
        if (span.name < namesThere() && span.label <= m_trace.labels.size()) continue;
        if (spans.empty()) spans = track.spans.toVector();
        if (span.name >= namesThere()) spans[i].name = static_cast<std::uint32_t>(namesThere());
        if (span.label > m_trace.labels.size()) spans[i].label = 0;
        ++lost_names;
      }
      if (!spans.empty()) track.spans = spans;
      track.spans.sort();
      track.spans.seal();
    }
    if (lost_names > 0) m_trace.names.push_back("unknown");
    note("lost_name", lost_names);
    note("lost_span", lost_spans);
  }
  std::size_t namesThere() const { return m_trace.names.size(); }

  void repairCounters() {
    for (Counter& counter : m_trace.counters) {
      if (counter.label > m_trace.labels.size()) counter.label = 0;
      sortByTime(counter);
    }
  }

  std::map<std::string, std::int64_t> spansByCategory() const {
    std::map<std::pair<Category, std::uint16_t>, std::int64_t> counts;
    for (const Track& track : m_trace.tracks)
      for (const Span& span : track.spans) ++counts[{span.category, span.label}];
    std::map<std::string, std::int64_t> named;
    for (const auto& [key, count] : counts)
      named[std::string(key.second == 0 ? toString(key.first) : m_trace.labels[key.second - 1U])] += count;
    return named;
  }

  ImportedTrace result() {
    ImportedTrace imported;
    imported.format = "lanelab";
    imported.base = m_trace.range().start;  // as the other formats have it of the same trace
    imported.declared = true;
    for (std::size_t lane = 0; lane < m_trace.lanes.size(); ++lane) {
      ImportedProcess process;
      process.pid = importedId(std::to_string(lane));
      process.name = m_trace.lanes[lane].name;
      imported.processes.push_back(process);
    }
    if (imported.processes.empty()) imported.processes.emplace_back();
    for (std::size_t i = 0; i < m_trace.tracks.size(); ++i) {
      const Track& track = m_trace.tracks[i];
      ImportedRow row;
      row.process = track.lane >= 0 && static_cast<std::size_t>(track.lane) < imported.processes.size()
                        ? static_cast<std::uint32_t>(track.lane)
                        : 0;
      row.tid = row.part_of = importedId(std::to_string(i + 1));
      row.thread = track.name;
      imported.rows.push_back(row);
    }
    imported.counts.categories = spansByCategory();
    imported.counts.spans = static_cast<std::int64_t>(m_trace.spanCount());
    for (const Counter& counter : m_trace.counters)
      imported.counts.counters += static_cast<std::int64_t>(counter.times.size());
    imported.counts.problems = m_problems;
    imported.trace = std::make_shared<const Trace>(std::move(m_trace));
    return imported;
  }

  static constexpr std::size_t most_texts_a_byte = 4;  ///< of a record that was lost
  /// Bytes whose sums may turn out wrong before heads are no longer trusted.
  static constexpr std::size_t most_vain = 64U << 20U;

  TextWindow m_window;
  ImportLimits m_limits;
  std::int64_t m_unpacked = 0;
  std::size_t m_vain = 0;
  std::size_t m_missing_texts = 0;
  Trace m_trace;
  std::map<std::string, std::int64_t> m_problems;
  std::map<std::size_t, std::uint64_t> m_lost;  ///< spans before those that a track holds or among them, by track
  std::size_t m_records = 0;
  bool m_skipping = false;
  bool m_ended = false;
  std::size_t m_total = 0;  ///< spans that the end tells of
};

}  // namespace

bool isTraceFile(std::string_view head) { return head.starts_with(trace_file_magic); }

ReadImport readTraceFile(ByteSource& source, const std::string& subject, const ImportLimits& limits) {
  TraceFileReader reader(source, limits);
  ImportedTrace imported = reader.read();
  if (reader.tooLarge()) return {nullptr, unpackedTooFar(subject, limits)};
  if (!reader.foundAny())
    return {nullptr, subject + " holds no whole record of a trace; the run ended before it wrote one. Run it again."};
  return {std::make_shared<const ImportedTrace>(std::move(imported)), {}};
}

ReadImport parseTraceFile(std::string_view bytes, const std::string& subject) {
  return readTraceFile(*memorySource(bytes), subject);
}

}  // namespace lanelab
