#include "profiler/io/perfetto_import.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "profiler/io/foreign_id.h"
#include "profiler/io/perfetto_fields.h"
#include "profiler/io/perfetto_sequence.h"
#include "profiler/io/protobuf_fields.h"

namespace lanelab {

namespace {

struct TrackInfo {
  std::string_view name;
  std::uint64_t parent = 0;
  std::optional<std::int64_t> pid, tid, order;
  std::string_view process_name, thread_name;
};

struct EventInfo {
  std::uint64_t type = 0;
  std::uint64_t track = 0;
  std::string_view name, category;
  std::optional<double> value;
  std::vector<std::pair<std::uint64_t, bool>> flows;  ///< and whether they end here
  std::vector<std::string_view> annotations;
};

struct FlowPlace {
  std::uint64_t id = 0;
  Nanoseconds time = 0;
  std::uint32_t row = 0;
  bool ends = false;
};

class PerfettoReader {
 public:
  explicit PerfettoReader(ImportBuilder& builder) : m_builder(builder) {}

  void run(std::string_view bytes) {
    // Tracks may be described after their first events.
    eachPacket(bytes, [this](std::string_view packet) { describe(packet); });
    if (!eachPacket(bytes, [this](std::string_view packet) { read(packet); })) ++m_builder.problems()["cut_file"];
    for (auto& [row, open] : m_open)
      if (!open.empty()) m_builder.problems()["unmatched_begin"] += static_cast<std::int64_t>(open.size());
    flows();
  }

 private:
  template <class Visit>
  static bool eachPacket(std::string_view bytes, const Visit& visit) {
    return eachField(bytes, [&](const ProtobufField& field) {
      if (field.number == perfetto::trace::packet && field.has_bytes) visit(field.bytes);
    });
  }

  void describe(std::string_view packet) {
    eachField(packet, [this](const ProtobufField& field) {
      if (field.number == perfetto::packet::track_descriptor && field.has_bytes) describeTrack(field.bytes);
    });
  }

  void describeTrack(std::string_view descriptor) {
    TrackInfo track;
    std::uint64_t uuid = 0;
    eachField(descriptor, [&](const ProtobufField& field) {
      switch (field.number) {
        case perfetto::track::uuid: uuid = field.value; break;
        case perfetto::track::name: track.name = field.bytes; break;
        case perfetto::track::parent: track.parent = field.value; break;
        case perfetto::track::sibling_order: track.order = static_cast<std::int64_t>(field.value); break;
        case perfetto::track::process: describeProcess(field.bytes, track); break;
        case perfetto::track::thread: describeThread(field.bytes, track); break;
        default: break;
      }
    });
    m_tracks.insert_or_assign(uuid, track);
  }
  static void describeProcess(std::string_view descriptor, TrackInfo& track) {
    eachField(descriptor, [&](const ProtobufField& field) {
      if (field.number == perfetto::process::pid) track.pid = static_cast<std::int64_t>(field.value);
      if (field.number == perfetto::process::name) track.process_name = field.bytes;
    });
  }
  static void describeThread(std::string_view descriptor, TrackInfo& track) {
    eachField(descriptor, [&](const ProtobufField& field) {
      if (field.number == perfetto::thread::pid) track.pid = static_cast<std::int64_t>(field.value);
      if (field.number == perfetto::thread::tid) track.tid = static_cast<std::int64_t>(field.value);
      if (field.number == perfetto::thread::name) track.thread_name = field.bytes;
    });
  }

  void read(std::string_view packet) {
    std::uint64_t sequence_id = 0, flags = 0, time = 0;
    std::optional<std::uint64_t> clock;
    std::string_view event, interned, snapshot, defaults;
    eachField(packet, [&](const ProtobufField& field) {
      switch (field.number) {
        case perfetto::packet::sequence: sequence_id = field.value; break;
        case perfetto::packet::sequence_flags: flags = field.value; break;
        case perfetto::packet::timestamp: time = field.value; break;
        case perfetto::packet::timestamp_clock: clock = field.value; break;
        case perfetto::packet::track_event: event = field.bytes; break;
        case perfetto::packet::interned_data: interned = field.bytes; break;
        case perfetto::packet::clock_snapshot: snapshot = field.bytes; break;
        case perfetto::packet::defaults: defaults = field.bytes; break;
        default: break;
      }
    });
    PerfettoSequence& sequence = m_sequences[sequence_id];
    if ((flags & perfetto::packet::cleared_state) != 0) sequence = PerfettoSequence();
    if (!defaults.empty()) sequence.takeDefaults(defaults);
    if (!snapshot.empty()) sequence.takeClocks(snapshot);
    if (!interned.empty()) sequence.intern(interned);
    if (!event.empty()) addEvent(event, sequence, sequence.timeOf(time, clock));
  }

  static EventInfo eventOf(std::string_view event, const PerfettoSequence& sequence) {
    EventInfo info;
    info.track = sequence.defaultTrack();
    eachField(event, [&](const ProtobufField& field) {
      switch (field.number) {
        case perfetto::event::type: info.type = field.value; break;
        case perfetto::event::track: info.track = field.value; break;
        case perfetto::event::name_id: info.name = sequence.nameOf(field.value); break;
        case perfetto::event::name: info.name = field.bytes; break;
        case perfetto::event::category: info.category = sequence.categoryOf(field.has_bytes ? 0 : field.value); break;
        case perfetto::event::category_text: info.category = field.bytes; break;
        case perfetto::event::int_counter: info.value = static_cast<double>(static_cast<std::int64_t>(field.value)); break;
        case perfetto::event::double_counter: info.value = std::bit_cast<double>(field.value); break;
        case perfetto::event::annotation: info.annotations.push_back(field.bytes); break;
        case perfetto::event::flow:
        case perfetto::event::old_flow: info.flows.emplace_back(field.value, false); break;
        case perfetto::event::terminating_flow:
        case perfetto::event::old_terminating_flow: info.flows.emplace_back(field.value, true); break;
        default: break;
      }
    });
    return info;
  }

  void addEvent(std::string_view message, const PerfettoSequence& sequence, std::optional<Nanoseconds> time) {
    if (!time) {
      ++m_builder.problems()["bad_number"];
      return;
    }
    const EventInfo event = eventOf(message, sequence);
    switch (event.type) {
      case perfetto::event::slice_begin: return begin(event, sequence, *time);
      case perfetto::event::slice_end: return end(event, *time);
      case perfetto::event::instant:
        m_builder.addInstant({*time, m_builder.nameOf(event.name), rowOf(event.track), m_builder.labelOf(event.category), 't'});
        return addFlows(event, *time);
      case perfetto::event::counter: return count(event, *time);
      default: ++m_builder.problems()["unsupported_phase"];
    }
  }

  void begin(const EventInfo& event, const PerfettoSequence& sequence, Nanoseconds time) {
    Open open{ImportBuilder::blankSpan(), -1};
    const auto key = m_builder.categoryOf(event.category);
    open.span.start = time;
    open.span.name = m_builder.nameOf(event.name);
    open.span.category = key.category;
    open.span.label = key.label;
    const std::uint32_t row = rowOf(event.track);
    for (const std::string_view annotation : event.annotations) annotate(annotation, sequence, row, open);
    m_open[event.track].push_back(open);
    addFlows(event, time);
  }

  void end(const EventInfo& event, Nanoseconds time) {
    std::vector<Open>& open = m_open[event.track];
    if (open.empty() || open.back().span.start > time) {
      ++m_builder.problems()["unmatched_end"];
      return;
    }
    open.back().span.end = time;
    m_builder.addSpan(rowOf(event.track), open.back().span, open.back().correlation);
    open.pop_back();
  }

  struct Open {
    Span span;
    std::int64_t correlation = -1;
  };

  /// What our own writer says of a span.
  void annotate(std::string_view annotation, const PerfettoSequence& sequence, std::uint32_t row, Open& open) {
    std::string_view name, text;
    std::int64_t number = 0;
    eachField(annotation, [&](const ProtobufField& field) {
      switch (field.number) {
        case perfetto::annotation::name_id: name = sequence.annotationNameOf(field.value); break;
        case perfetto::annotation::name: name = field.bytes; break;
        case perfetto::annotation::uint_value:
        case perfetto::annotation::int_value: number = static_cast<std::int64_t>(field.value); break;
        case perfetto::annotation::string_value: text = field.bytes; break;
        default: break;
      }
    });
    constexpr std::int64_t most = 1 << 15;
    if (name == "correlation") open.correlation = number;
    if (name == "mark_ns" && number >= -perfetto_reach && number <= perfetto_reach) open.span.mark = number;
    if (name == "cpu_ns" && number >= 0 && number <= perfetto_reach) open.span.cpu = number;
    if (name == "phase" && text.size() == 1) open.span.phase = phaseOfLetter(text.front());
    if (name == "step" && number >= 0 && number < std::int64_t{1} << 31) open.span.step = static_cast<std::int32_t>(number);
    if (number < 0 || number >= most) return;
    if (name == "stage") open.span.stage = static_cast<std::int16_t>(number);
    if (name == "micro_batch") open.span.micro_batch = static_cast<std::int16_t>(number);
    if (name == "device") m_builder.row(row).device = static_cast<int>(number);
    if (name == "stream") m_builder.row(row).stream = number;
  }

  void addFlows(const EventInfo& event, Nanoseconds time) {
    for (const auto& [id, ends] : event.flows) m_flows.push_back({id, time, rowOf(event.track), ends});
  }

  void count(const EventInfo& event, Nanoseconds time) {
    m_builder.countCounter();
    const TrackInfo& track = m_tracks[event.track];
    if (event.value) m_builder.addCounterValue(processOf(event.track), track.name, "value", 0, time, *event.value);
  }

  /// The process of a track is that of the first track above it which has one.
  std::uint32_t processOf(std::uint64_t uuid) {
    for (int depth = 0; depth < 64; ++depth) {
      const auto found = m_tracks.find(uuid);
      if (found == m_tracks.end()) break;
      const TrackInfo& track = found->second;
      if (track.pid) return processWith(*track.pid, track);
      uuid = track.parent;
    }
    return m_builder.processOf({});
  }
  std::uint32_t processWith(std::int64_t pid, const TrackInfo& track) {
    const std::uint32_t index = m_builder.processOf(foreignId(std::to_string(pid)));
    DraftProcess& process = m_builder.process(index);
    if (!track.process_name.empty()) process.known.name = track.process_name;
    if (!track.process_name.empty() && track.order) process.known.sort_index = track.order;
    process.named = process.named || !track.process_name.empty();
    return index;
  }

  std::uint32_t rowOf(std::uint64_t uuid) {
    const auto [place, fresh] = m_rows.try_emplace(uuid, 0);
    if (!fresh) return place->second;
    const TrackInfo& track = m_tracks[uuid];
    const std::uint32_t process = processOf(uuid);
    // Tracks are told by their number; only a thread has one of its own.
    const ForeignId tid = track.tid ? foreignId(std::to_string(*track.tid)) : foreignId(std::to_string(uuid));
    const std::string_view name = track.thread_name.empty() ? track.name : track.thread_name;
    if (!name.empty()) m_builder.nameThread(process, tid, name);
    if (track.order) m_builder.sortThread(process, tid, *track.order);
    place->second = m_builder.rowOf(process, tid);
    return place->second;
  }

  /// An arrow goes on in the order of time; it ends where that is said, or at its last place.
  void flows() {
    std::stable_sort(m_flows.begin(), m_flows.end(),
                     [](const FlowPlace& a, const FlowPlace& b) { return a.id != b.id ? a.id < b.id : a.time < b.time; });
    const std::uint16_t label = m_builder.labelOf("flow");
    const std::uint32_t name = m_builder.nameOf("flow");
    for (auto first = m_flows.begin(); first != m_flows.end();) {
      const auto last = std::find_if(first, m_flows.end(), [&](const FlowPlace& place) { return place.id != first->id; });
      const bool told = std::any_of(first, last, [](const FlowPlace& place) { return place.ends; });
      const auto starts = std::find_if(first, last, [](const FlowPlace& place) { return !place.ends; });
      for (auto place = first; place != last; ++place) {
        ImportedFlowEnd end;
        end.time = place->time;
        end.row = place->row;
        end.phase = place == starts ? 's' : place->ends || (!told && place + 1 == last) ? 'f' : 't';
        m_builder.addFlowEnd(label, name, std::to_string(first->id), end);
      }
      first = last;
    }
  }

  ImportBuilder& m_builder;
  std::unordered_map<std::uint64_t, TrackInfo> m_tracks;
  std::unordered_map<std::uint64_t, PerfettoSequence> m_sequences;
  std::unordered_map<std::uint64_t, std::uint32_t> m_rows;
  std::map<std::uint64_t, std::vector<Open>> m_open;  ///< by track
  std::vector<FlowPlace> m_flows;
};

}  // namespace

bool seemsPerfetto(std::string_view head) {
  // A first packet that goes on behind these bytes begins with its length all the same, in more than one byte, which no text does.
  ProtobufFields packets(head);
  auto packet = packets.next();
  if (!packet) return head.size() > 2 && head[0] == '\x0A' && (static_cast<unsigned char>(head[1]) & 0x80U) != 0;
  constexpr int enough = 3;
  for (int i = 0; packet && i < enough; ++i, packet = packets.next()) {
    bool known = false;
    const auto look = [&](const ProtobufField& field) { known = known || !field.has_bytes; };
    if (packet->number != perfetto::trace::packet || !packet->has_bytes || !eachField(packet->bytes, look) || !known) return false;
  }
  return true;
}

void importPerfetto(std::string_view bytes, ImportBuilder& builder) { PerfettoReader(builder).run(bytes); }

}  // namespace lanelab
