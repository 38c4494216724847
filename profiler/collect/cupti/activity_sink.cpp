#include "profiler/collect/cupti/activity_sink.h"

#include <algorithm>

namespace lanelab {

namespace {

Category categoryOf(RawActivity::Kind kind) {
  switch (kind) {
    case RawActivity::Kind::Kernel: return Category::Kernel;
    case RawActivity::Kind::Memcpy:
    case RawActivity::Kind::PeerCopy: return Category::Memcpy;
    case RawActivity::Kind::Memset: return Category::Memset;
    case RawActivity::Kind::Synchronization: return Category::Sync;
    case RawActivity::Kind::RuntimeCall:
    case RawActivity::Kind::DriverCall: return Category::Runtime;
    case RawActivity::Kind::Overhead: return Category::Profiler;
  }
  return Category::Other;
}

}  // namespace

ActivitySink::RowKey ActivitySink::rowOf(const RawActivity& activity) const {
  RowKey key;
  const bool ofThread = activity.context == RawActivity::none;
  if (ofThread) {
    key.lane = m_options.lane_of_thread && activity.thread != RawActivity::none ? m_options.lane_of_thread(activity.thread) : -1;
    key.number = activity.thread;
  } else {
    key.lane = m_options.lane_of_stream ? m_options.lane_of_stream({activity.context, activity.stream}) : -1;
    key.number = activity.stream;
    key.context = activity.context;
  }
  switch (activity.kind) {
    case RawActivity::Kind::Synchronization: key.row = Row::Sync; break;
    case RawActivity::Kind::Overhead: key.row = Row::Overhead; break;
    default: key.row = ofThread ? Row::Calls : Row::Stream; break;
  }
  if (key.row == Row::Overhead) key.number = key.context = 0;  // one row a lane
  return key;
}

TrackIndex ActivitySink::trackOf(const RowKey& key) {
  const auto found = m_tracks.find(key);
  if (found != m_tracks.end()) return found->second;
  const std::string number = std::to_string(key.number);
  TrackIndex track;
  switch (key.row) {
    case Row::Stream: track = m_builder.addTrack(key.lane, Track::Kind::Stream, "stream " + number); break;
    case Row::Sync:
      track = m_builder.addTrack(key.lane, Track::Kind::Stream, key.number == RawActivity::none ? "device sync" : "stream " + number + " sync");
      break;
    case Row::Calls: track = m_builder.addTrack(key.lane, Track::Kind::Host, "CUDA calls of thread " + number); break;
    case Row::Overhead: track = m_builder.addTrack(key.lane, Track::Kind::Host, "profiler"); break;
  }
  m_tracks.emplace(key, track);
  return track;
}

std::uint32_t ActivitySink::nameOf(std::uint32_t name, const CuptiDecoder& decoder) {
  while (m_names.size() <= name) m_names.push_back(m_builder.intern(decoder.nameOf(static_cast<std::uint32_t>(m_names.size()))));
  return m_names[name];
}

void ActivitySink::add(const std::vector<RawActivity>& activities, const CuptiDecoder& decoder, const ClockPairing& clock) {
  for (const RawActivity& activity : activities) {
    const RowKey key = rowOf(activity);
    if (key.lane < 0) continue;
    Span span;
    span.start = clock.toOurs(activity.start);
    // Rounding between two samples must not turn a span around.
    span.end = std::max(span.start, clock.toOurs(activity.end));
    span.category = categoryOf(activity.kind);
    span.name = nameOf(activity.name, decoder);
    m_builder.append(trackOf(key), span);
  }
}

}  // namespace lanelab
