// SPDX-License-Identifier: GPL-3.0-only
#include "tests/unit/io/perfetto_decoder.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <list>
#include <optional>
#include <stdexcept>

namespace lanelab {

namespace {

struct Field {
  std::uint64_t number = 0;
  std::uint64_t value = 0;  ///< of varints and fixed ones
  std::string_view bytes;   ///< of the rest
  bool has_bytes = false;
};

[[noreturn]] void fault(const std::string& what) { throw std::runtime_error(what); }

std::uint64_t varint(std::string_view& text) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    if (text.empty()) fault("a number is cut");
    const auto byte = static_cast<unsigned char>(text.front());
    text.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  fault("a number is too long");
}

std::vector<Field> fieldsOf(std::string_view message) {
  std::vector<Field> fields;
  while (!message.empty()) {
    const std::uint64_t tag = varint(message);
    Field field;
    field.number = tag >> 3;
    switch (tag & 7) {
      case 0: field.value = varint(message); break;
      case 1:
        if (message.size() < 8) fault("a fixed number is cut");
        std::memcpy(&field.value, message.data(), 8);
        message.remove_prefix(8);
        break;
      case 2: {
        const std::uint64_t length = varint(message);
        if (length > message.size()) fault("a message is cut");
        field.bytes = message.substr(0, length);
        field.has_bytes = true;
        message.remove_prefix(length);
        break;
      }
      default: fault("an unknown wire type");
    }
    fields.push_back(field);
  }
  return fields;
}

std::uint64_t numberIn(const std::vector<Field>& fields, std::uint64_t number, std::uint64_t otherwise = 0) {
  for (const Field& field : fields)
    if (field.number == number && !field.has_bytes) return field.value;
  return otherwise;
}

std::string textIn(const std::vector<Field>& fields, std::uint64_t number) {
  for (const Field& field : fields)
    if (field.number == number && field.has_bytes) return std::string(field.bytes);
  return {};
}

struct DecodedTrack {
  std::string name, process;
  std::uint64_t parent = 0;
  bool counter = false;
  std::uint64_t now = 0;
  std::vector<std::size_t> open;  ///< slices
};

struct ArrowEnds {
  std::vector<std::string> begins, ends;
};

class Decoder {
 public:
  PerfettoTrace run(std::string_view bytes) {
    try {
      for (const std::string_view packet : packetsOf(bytes)) read(fieldsOf(packet));
      finish();
    } catch (const std::exception& error) {
      m_trace.fault = error.what();
    }
    return std::move(m_trace);
  }

  PerfettoTrace runByTime(std::string_view bytes) {
    try {
      std::vector<std::vector<Field>> packets;
      unpackAll(bytes, packets);
      const auto timeOf = [](const std::vector<Field>& packet) { return numberIn(packet, 8); };
      std::stable_sort(packets.begin(), packets.end(),
                       [&](const auto& a, const auto& b) { return timeOf(a) < timeOf(b); });
      for (const std::vector<Field>& packet : packets) read(packet);
      finish();
    } catch (const std::exception& error) {
      m_trace.fault = error.what();
    }
    return std::move(m_trace);
  }

 private:
  static std::vector<std::string_view> packetsOf(std::string_view bytes) {
    std::vector<std::string_view> packets;
    for (const Field& packet : fieldsOf(bytes)) {
      if (packet.number != 1 || !packet.has_bytes) fault("something else than a packet");
      packets.push_back(packet.bytes);
    }
    return packets;
  }

  void unpackAll(std::string_view bytes, std::vector<std::vector<Field>>& packets) {
    for (const std::string_view packet : packetsOf(bytes)) {
      const std::vector<Field> fields = fieldsOf(packet);
      const std::string packed = textIn(fields, 50);
      if (packed.empty() && numberIn(fields, 10) != 0) packets.push_back(fields);
      if (!packed.empty()) unpackAll(m_unpacked.emplace_back(unpacked(packed)), packets);
    }
  }
  static std::string unpacked(const std::string& packed) {
    std::string bytes(1U << 20U, '\0');
    uLongf size = bytes.size();
    if (packed.size() >= 512U << 10U) fault("a packet that is too long for viewers");
    if (uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
                   packed.size()) != Z_OK)
      fault("packed packets are damaged");
    bytes.resize(size);
    return bytes;
  }

  void read(const std::vector<Field>& packet) {
    if (numberIn(packet, 10) == 0) fault("a packet without a sequence");
    for (const Field& field : packet) {
      if (field.number == 12) intern(fieldsOf(field.bytes));
      if (field.number == 60) describe(fieldsOf(field.bytes));
      if (field.number == 11) {
        if (numberIn(packet, 13) != 2) fault("an event that does not ask for the interned names");
        event(numberIn(packet, 8), fieldsOf(field.bytes));
      }
    }
  }

  void intern(const std::vector<Field>& data) {
    for (const Field& field : data) {
      const std::vector<Field> entry = fieldsOf(field.bytes);
      if (!m_interned[field.number].emplace(numberIn(entry, 1), textIn(entry, 2)).second)
        fault("a name interned twice");
    }
  }
  std::string interned(std::uint64_t table, std::uint64_t id) {
    const auto found = m_interned[table].find(id);
    if (found == m_interned[table].end()) fault("a name that was never interned");
    return found->second;
  }

  void describe(const std::vector<Field>& descriptor) {
    DecodedTrack track;
    track.name = textIn(descriptor, 2);
    track.parent = numberIn(descriptor, 5);
    track.process = textIn(fieldsOf(textIn(descriptor, 3)), 6);
    for (const Field& field : descriptor) track.counter = track.counter || field.number == 8;
    if (track.parent != 0 && !m_tracks.contains(track.parent)) fault("a track without its parent");
    if (track.parent != 0) track.process = m_tracks[track.parent].process;
    if (!m_tracks.emplace(numberIn(descriptor, 1), track).second) fault("a track described twice");
  }

  void event(std::uint64_t time, const std::vector<Field>& event) {
    const auto found = m_tracks.find(numberIn(event, 11));
    if (found == m_tracks.end()) fault("an event on no track");
    DecodedTrack& track = found->second;
    const std::uint64_t type = numberIn(event, 9);
    if (type == 1 || type == 2) {
      if (time < track.now) fault("time goes back on " + track.name);
      track.now = time;
    }
    switch (type) {
      case 1: return begin(track, time, event);
      case 2: return end(track, time);
      case 3:
        m_trace.instants.push_back(interned(2, numberIn(event, 10)) + " at " + std::to_string(time) + " on " +
                                   track.name);
        return;
      case 4: return value(track, time, event);
      default: fault("an unknown type of event");
    }
  }

  void begin(DecodedTrack& track, std::uint64_t time, const std::vector<Field>& event) {
    PerfettoSlice slice{
        track.process, track.name, interned(1, numberIn(event, 3)), interned(2, numberIn(event, 10)), time, 0, 0, {}};
    slice.depth = static_cast<int>(track.open.size());
    for (const Field& field : event) {
      if (field.number == 47) m_arrows[field.value].begins.push_back(slice.name);
      if (field.number == 48) m_arrows[field.value].ends.push_back(slice.name);
      if (field.number == 4) annotate(slice, fieldsOf(field.bytes));
    }
    track.open.push_back(m_trace.slices.size());
    m_trace.slices.push_back(slice);
  }
  void annotate(PerfettoSlice& slice, const std::vector<Field>& annotation) {
    const std::string text = textIn(annotation, 6);
    slice.annotations[interned(3, numberIn(annotation, 1))] =
        text.empty() ? std::to_string(numberIn(annotation, 4)) : text;
  }

  void end(DecodedTrack& track, std::uint64_t time) {
    if (track.open.empty()) fault("an end without a begin on " + track.name);
    m_trace.slices[track.open.back()].end = time;
    track.open.pop_back();
  }

  void value(const DecodedTrack& track, std::uint64_t time, const std::vector<Field>& event) {
    if (!track.counter) fault("a counter's value on another track");
    double number = 0;
    const std::uint64_t bits = numberIn(event, 44);
    std::memcpy(&number, &bits, 8);
    m_trace.counters.push_back(track.name + " " + std::to_string(time) + "=" + std::to_string(number));
  }

  void finish() {
    for (const auto& [id, track] : m_tracks)
      if (!track.open.empty()) fault("a begin without an end on " + track.name);
    for (const auto& [id, ends] : m_arrows) {
      if (ends.begins.size() != 1 || ends.ends.size() != 1) fault("an arrow without both ends");
      m_trace.arrows.push_back({ends.begins.front(), ends.ends.front()});
    }
  }

  PerfettoTrace m_trace;
  std::list<std::string> m_unpacked;                                         ///< which fields look into
  std::map<std::uint64_t, std::map<std::uint64_t, std::string>> m_interned;  ///< by field of InternedData
  std::map<std::uint64_t, DecodedTrack> m_tracks;
  std::map<std::uint64_t, ArrowEnds> m_arrows;
};

}  // namespace

PerfettoTrace decodePerfetto(std::string_view bytes) { return Decoder().run(bytes); }
PerfettoTrace decodePerfettoByTime(std::string_view bytes) { return Decoder().runByTime(bytes); }

}  // namespace lanelab
