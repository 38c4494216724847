// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/perfetto/trace_appender.h"

#include <zlib.h>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include <algorithm>
#include <fstream>
#include <new>
#include <sstream>
#include <utility>

#include "profiler/io/perfetto/live_tracks.h"
#include "profiler/io/written/dialect.h"

namespace lanelab {

namespace {

/// Viewers want compressed packets below half a megabyte.
constexpr std::size_t kChunkBytes = std::size_t{1} << 18U;
constexpr int kQuick = 1;  ///< zlib's level: the lanes of the run want the cores

Nanoseconds firstTime(const Trace& trace) {
  Nanoseconds first = trace.range().start;
  for (const Counter& counter : trace.counters)
    if (!counter.times.empty()) first = std::min(first, counter.times.front());
  return first;
}

constexpr std::chrono::milliseconds kPause{500};

void keep(const std::stop_token& stop, const TraceBuilder& builder, const std::string& path) {
  std::optional<TraceAppender> file;
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  std::size_t seen = 0;
  while (!stop.stop_requested()) {
    wake.wait_for(lock, stop, kPause, [] { return false; });
    const std::size_t spans = builder.spanCount();
    if (spans == seen) continue;
    seen = spans;
    if (!file) file.emplace(path);
    if (!file->update(*builder.snapshot()).ok()) return;
  }
}

}  // namespace

TraceAppender::TraceAppender(const std::string& path)
    : TraceAppender(std::make_unique<std::ofstream>(path, std::ios::binary | std::ios::trunc), path) {}

TraceAppender::TraceAppender(std::unique_ptr<std::ostream> stream, std::string name)
    : m_name(std::move(name)), m_file(std::move(stream)), m_packets(m_text, [this] {
        if (m_text.size() >= kChunkBytes) compress();
      }) {
  m_packets.internOwn();
  m_packets.putInterned(perfetto::packet::kClearedState);
}

Status TraceAppender::update(const Trace& trace) {
  put(trace);
  return write(false);
}

Status TraceAppender::finish(const Trace& trace) {
  put(trace);
  return write(true);
}

void TraceAppender::put(const Trace& trace) {
  if (!std::exchange(m_begun, true)) m_packets.setShift(std::min<Nanoseconds>(firstTime(trace), 0));
  declare(trace);
  describeLanes(trace);
  internTexts(trace);
  m_tracks.resize(std::max(m_tracks.size(), trace.tracks.size()));
  for (std::size_t track = 0; track < trace.tracks.size(); ++track) putSpans(trace, track);
  putValues(trace);
}

void TraceAppender::declare(const Trace& trace) {
  std::string declaration;
  appendDeclaration(declaration, trace, {});
  if (declaration == m_declaration) return;
  putState(declaration, false);
  m_declaration = std::move(declaration);
}

void TraceAppender::describeLanes(const Trace& trace) {
  for (; m_lanes < trace.lanes.size(); ++m_lanes)
    m_packets.describeProcess(live_tracks::ofLane(m_lanes), static_cast<std::uint32_t>(m_lanes),
                              trace.lanes[m_lanes].name);
}

void TraceAppender::internTexts(const Trace& trace) {
  for (; m_names < trace.names.size(); ++m_names)
    m_packets.intern(perfetto::interned::kNames, m_names + 1, trace.names[m_names]);
  for (; m_labels < trace.labels.size(); ++m_labels)
    m_packets.intern(perfetto::interned::kCategories, m_labels + 1, trace.labels[m_labels]);
  m_packets.putInterned();
}

/// Both sequences are in order, and the later one has all of the earlier.
void TraceAppender::putSpans(const Trace& trace, std::size_t track) {
  const SpanColumns& spans = trace.tracks[track].spans;
  SpanColumns& written = m_tracks[track].spans;
  std::size_t old = spans.sharedWith(written);
  if (spans.size() == written.size() && old == spans.size()) return;
  for (std::size_t i = old; i < spans.size(); ++i) {
    const Span span = spans[i];
    if (old < written.size() && span == written[old]) {
      ++old;
    } else {
      putSpan(span, trace, track);
    }
  }
  written = spans;
}

void TraceAppender::putSpan(const Span& span, const Trace& trace, std::size_t track) {
  WrittenTrack& written = m_tracks[track];
  const std::size_t row = written.rows.rowOf(span);
  const std::uint64_t uuid = live_tracks::ofRow(track, row);
  if (row == written.described) {
    const int lane = trace.tracks[track].lane;
    // Viewers lay rows of one name out as one.
    m_packets.describe(uuid, lane < 0 ? 0 : live_tracks::ofLane(static_cast<std::size_t>(lane)), track,
                       trace.tracks[track].name, [](ProtobufText&) {});
    ++written.described;
  }
  m_packets.begin(span, uuid, [](ProtobufText&) {});
  m_packets.end(span.end, uuid);
  ++m_spans;
}

void TraceAppender::putValues(const Trace& trace) {
  m_values.resize(std::max(m_values.size(), trace.counters.size()));
  for (std::size_t i = 0; i < trace.counters.size(); ++i) {
    const Counter& counter = trace.counters[i];
    const std::uint64_t uuid = live_tracks::ofCounter(i);
    if (m_values[i] == 0 && !counter.times.empty())
      m_packets.describeCounter(uuid,
                                counter.lane < 0 ? 0 : live_tracks::ofLane(static_cast<std::size_t>(counter.lane)),
                                trace.tracks.size() + i, counter.name, counter.series);
    for (; m_values[i] < counter.times.size(); ++m_values[i])
      m_packets.value(counter.times[m_values[i]], uuid, counter.values[m_values[i]]);
  }
}

/// Past the PacketWriter, which would compress what is not yet at its end.
void TraceAppender::putState(const std::string& declaration, bool ended) {
  std::string state, packet;
  ProtobufText fields(state);
  if (!declaration.empty()) {
    fields.bytes(perfetto::own::kDeclaration, declaration);
    fields.varint(perfetto::own::kShift, static_cast<std::uint64_t>(m_packets.shift()));
  }
  fields.varint(perfetto::own::kSpans, m_spans);
  if (ended) fields.varint(perfetto::own::kEnded, 1);
  ProtobufText(packet).bytes(perfetto::packet::kOwn, state);
  ProtobufText(m_text).bytes(perfetto::trace::kPacket, packet);
}

/// What the text holds becomes one packet of the file.
void TraceAppender::compress() {
  putState({}, false);
  uLongf size = compressBound(static_cast<uLong>(m_text.size()));
  m_packed.resize(size);
  compress2(reinterpret_cast<Bytef*>(m_packed.data()), &size, reinterpret_cast<const Bytef*>(m_text.data()),
            static_cast<uLong>(m_text.size()), kQuick);
  m_packed.resize(size);
  m_text.clear();
  std::string packet, head;
  ProtobufText(packet).bytes(perfetto::packet::kCompressedPackets, m_packed);
  ProtobufText(head).bytes(perfetto::trace::kPacket, packet);
  m_file->write(head.data(), static_cast<std::streamsize>(head.size()));
}

Status TraceAppender::write(bool ended) {
  if (ended) putState({}, true);
  if (!m_text.empty()) compress();
  m_file->flush();
  if (*m_file) return {};
  return Error::failed("{} cannot be written. Check that its folder exists and the disk has room.", m_name);
}

std::string packTrace(const Trace& trace) {
  auto stream = std::make_unique<std::ostringstream>();
  std::ostringstream& bytes = *stream;
  TraceAppender file(std::move(stream), "the trace");
  if (!file.finish(trace).ok()) throw std::bad_alloc();
  return std::move(bytes).str();
}

std::shared_ptr<void> storeLiveTraceFile(std::shared_ptr<const TraceBuilder> builder, const std::string& path) {
  return std::make_shared<std::jthread>([builder = std::move(builder), path](const std::stop_token& stop) {
    try {
      keep(stop, *builder, path);
    } catch (const std::exception&) {
      return;  // no memory for it: the run continues
    }
  });
}

}  // namespace lanelab
