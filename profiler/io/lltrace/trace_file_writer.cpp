// SPDX-License-Identifier: GPL-3.0-only
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <new>
#include <span>
#include <sstream>
#include <utility>

#include "base/partial_file.h"
#include "profiler/io/lltrace/trace_file.h"
#include "profiler/io/lltrace/trace_file_bytes.h"

namespace lanelab {

namespace {

constexpr std::size_t spans_a_record = 4096;

template <class Value>
void appendColumn(std::string& out, std::span<const Span> spans, const Value& value) {
  std::uint64_t before = 0;
  for (const Span& span : spans) {
    const std::uint64_t now = value(span);
    appendVarint(out, zigzag(now - before));
    before = now;
  }
}

/// Each column as differences from span to span; lengths, leads and CPU times vary little, so they pack well that way
/// too.
std::string packedSpans(std::span<const Span> spans) {
  const auto bits = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  std::string out;
  appendColumn(out, spans, [&](const Span& span) { return bits(span.start); });
  appendColumn(out, spans, [&](const Span& span) { return bits(span.end) - bits(span.start); });
  appendColumn(out, spans, [&](const Span& span) { return bits(span.mark == 0 ? 0 : 1); });
  appendColumn(out, spans, [&](const Span& span) { return span.mark == 0 ? 0 : bits(span.start) - bits(span.mark); });
  appendColumn(out, spans, [&](const Span& span) { return bits(span.cpu); });
  appendColumn(out, spans, [&](const Span& span) { return bits(span.name); });
  appendColumn(out, spans, [&](const Span& span) { return bits(span.step); });
  appendColumn(out, spans, [&](const Span& span) { return bits(span.stage); });
  appendColumn(out, spans, [&](const Span& span) { return bits(span.micro_batch); });
  appendColumn(out, spans, [&](const Span& span) { return bits(static_cast<std::uint8_t>(span.category)); });
  appendColumn(out, spans, [&](const Span& span) { return bits(static_cast<std::uint8_t>(span.phase)); });
  appendColumn(out, spans, [&](const Span& span) { return bits(span.label); });
  return out;
}

}  // namespace

TraceFileWriter::TraceFileWriter(const std::string& path)
    : TraceFileWriter(std::make_unique<std::ofstream>(path, std::ios::binary | std::ios::trunc), path) {}

TraceFileWriter::TraceFileWriter(std::unique_ptr<std::ostream> stream, std::string name)
    : m_path(std::move(name)), m_file(std::move(stream)) {
  m_file->write(trace_file_magic.data(), static_cast<std::streamsize>(trace_file_magic.size()));
}

void TraceFileWriter::record(char kind, std::string_view payload) {
  uLongf size = compressBound(static_cast<uLong>(payload.size()));
  std::string packed(size, '\0');
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(payload.data()),
            static_cast<uLong>(payload.size()), 3);
  packed.resize(size);
  const RecordHead head = headOf(kind, payload.size(), packed);
  m_file->write(reinterpret_cast<const char*>(&head), sizeof head);
  m_file->write(packed.data(), static_cast<std::streamsize>(packed.size()));
}

std::string TraceFileWriter::update(const Trace& trace) {
  header(trace);
  tracks(trace);
  texts('N', trace.names, m_names);
  texts('L', trace.labels, m_labels);
  for (std::size_t track = 0; track < trace.tracks.size(); ++track) spans(track, trace.tracks[track].spans);
  counters(trace);
  m_file->flush();
  return outcome();
}

std::string TraceFileWriter::finish(const Trace& trace) {
  if (const std::string problem = update(trace); !problem.empty()) return problem;
  std::string payload;
  appendVarint(payload, trace.spanCount());
  record('E', payload);
  m_file->flush();
  return outcome();
}

std::string TraceFileWriter::outcome() {
  return *m_file ? std::string()
                 : m_path + " could not be written; check that its folder is there and the disk has room.";
}

void TraceFileWriter::header(const Trace& trace) {
  std::string payload;
  appendText(payload, trace.title);
  appendVarint(payload, static_cast<std::uint64_t>(trace.origin));
  appendVarint(payload, static_cast<std::uint64_t>(trace.epoch));
  appendVarint(payload, static_cast<std::uint64_t>(trace.dropped));
  appendVarint(payload, trace.lanes.size());
  for (const LaneInfo& lane : trace.lanes) {
    appendText(payload, lane.name);
    appendText(payload, lane.device);
  }
  if (payload == m_header) return;
  record('H', payload);
  m_header = std::move(payload);
}

void TraceFileWriter::tracks(const Trace& trace) {
  for (std::size_t i = m_spans.size(); i < trace.tracks.size(); ++i) {
    std::string payload;
    appendVarint(payload, i);
    appendVarint(payload, zigzag(static_cast<std::uint64_t>(static_cast<std::int64_t>(trace.tracks[i].lane))));
    appendVarint(payload, static_cast<std::uint64_t>(trace.tracks[i].kind));
    appendText(payload, trace.tracks[i].name);
    record('T', payload);
  }
  m_spans.resize(trace.tracks.size());
}

void TraceFileWriter::texts(char kind, const std::vector<std::string>& texts, std::size_t& written) {
  if (written == texts.size()) return;
  std::string payload;
  appendVarint(payload, written);
  for (; written < texts.size(); ++written) appendText(payload, texts[written]);
  record(kind, payload);
}

/// From the first span on that is not as it was written: mostly the end, earlier where one that ended late was put
/// among them.
void TraceFileWriter::spans(std::size_t track, const SpanColumns& spans) {
  SpanColumns& written = m_spans[track];
  std::size_t from = spans.sharedWith(written);
  while (from < written.size() && from < spans.size() && spans[from] == written[from]) ++from;
  if (from == spans.size() && from == written.size()) return;
  std::vector<Span> part;
  for (std::size_t begin = from; begin < spans.size(); begin += part.size()) {
    part.resize(std::min(spans_a_record, spans.size() - begin));
    spans.copyTo(begin, part);
    std::string payload;
    appendVarint(payload, track);
    appendVarint(payload, begin);
    appendVarint(payload, part.size());
    record('S', payload + packedSpans(part));
  }
  written = spans;
}

void TraceFileWriter::counters(const Trace& trace) {
  m_values.resize(std::max(m_values.size(), trace.counters.size()));
  for (std::size_t i = 0; i < trace.counters.size(); ++i) {
    const Counter& counter = trace.counters[i];
    if (m_values[i] == counter.times.size()) continue;
    std::string payload;
    appendVarint(payload, i);
    appendVarint(payload, zigzag(static_cast<std::uint64_t>(static_cast<std::int64_t>(counter.lane))));
    appendText(payload, counter.name);
    appendText(payload, counter.series);
    appendVarint(payload, counter.label);
    appendVarint(payload, m_values[i]);
    appendVarint(payload, counter.times.size() - m_values[i]);
    for (; m_values[i] < counter.times.size(); ++m_values[i]) {
      appendVarint(payload, static_cast<std::uint64_t>(counter.times[m_values[i]]));
      appendVarint(payload, std::bit_cast<std::uint64_t>(counter.values[m_values[i]]));
    }
    record('C', payload);
  }
}

std::string writeTraceFile(const Trace& trace, const std::string& path) {
  const PartialFile partial(pathBeside(path));
  auto file = std::make_unique<std::ofstream>(partial.path(), std::ios::binary | std::ios::trunc);
  std::string problem = TraceFileWriter(std::move(file), path).finish(trace);
  if (problem.empty() && std::rename(partial.path().c_str(), path.c_str()) != 0)
    problem = path + " could not be written: " + std::strerror(errno) + "; choose another file or folder.";
  if (!problem.empty()) std::remove(partial.path().c_str());
  return problem;
}

std::string packTrace(const Trace& trace) {
  auto stream = std::make_unique<std::ostringstream>();
  std::ostringstream& bytes = *stream;
  TraceFileWriter writer(std::move(stream), "the trace");
  if (!writer.finish(trace).empty()) throw std::bad_alloc();
  return std::move(bytes).str();
}

}  // namespace lanelab
