#include "profiler/collect/cupti/cupti_collector.h"

#include <array>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "profiler/collect/cupti/activity_buffers.h"
#include "profiler/collect/cupti/activity_sink.h"
#include "profiler/collect/cupti/clock_pairing.h"
#include "profiler/collect/cupti/cupti_api.h"

namespace lanelab {

namespace {

/// Peer copies are MEMCPY2 in some versions and MEMCPY in others, so both are asked for.
constexpr std::array<CUpti_ActivityKind, 6> deviceKinds = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                                           CUPTI_ACTIVITY_KIND_MEMCPY2,           CUPTI_ACTIVITY_KIND_MEMSET,
                                                           CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,   CUPTI_ACTIVITY_KIND_OVERHEAD};
constexpr std::array<CUpti_ActivityKind, 2> callKinds = {CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER};

std::string sentence(const std::string& doing, CUptiResult result, const std::string& holder, CuptiApi& api) {
  const std::string code = " (CUPTI error " + std::to_string(static_cast<int>(result)) + ")";
  const std::string start = "GPU activity is not recorded: ";
  switch (result) {
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return start + (holder.empty() ? "another tool" : holder) + " already traces this program" + code +
             "; run without Nsight, compute-sanitizer or another profiler.";
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return start + "the driver lets only administrators profile" + code + "; ask yours to allow it for all users.";
    case CUPTI_ERROR_UNKNOWN:
    case CUPTI_ERROR_NOT_INITIALIZED: return start + "CUPTI finds no working NVIDIA driver" + code + "; see what nvidia-smi says.";
    case CUPTI_ERROR_NOT_COMPATIBLE: return start + "the NVIDIA driver does not fit this CUPTI" + code + "; update the driver.";
    default: return start + doing + " failed with \"" + api.textOf(result) + "\"" + code + "; lanelab-cli doctor shows driver and versions.";
  }
}

}  // namespace

std::optional<CudaStream> cudaStreamOf(void* context, void* stream) {
  CudaStream found;
  const auto cuContext = static_cast<CUcontext>(context);
  if (cuptiGetContextId(cuContext, &found.context) != CUPTI_SUCCESS) return std::nullopt;
  if (cuptiGetStreamIdEx(cuContext, static_cast<CUstream>(stream), 0, &found.stream) != CUPTI_SUCCESS) return std::nullopt;
  return found;
}

/// From a start that worked to its stop.
class CuptiCollector::Session {
 public:
  Session(TraceBuilder& builder, const CuptiOptions& options, std::shared_ptr<CuptiApi> api)
      : m_builder(builder), m_options(options), m_api(std::move(api)), m_sink(builder, options) {}

  /// Empty when CUPTI works; otherwise a sentence, and all is as before.
  std::string open() {
    if (!ActivityBuffers::instance().claim(m_api))
      return "GPU activity is not recorded: another run of this program records it already; wait for its end.";
    std::string holder;
    if (const CUptiResult result = m_api->subscribe(holder); result != CUPTI_SUCCESS) {
      ActivityBuffers::instance().release();
      return sentence("subscribing", result, holder, *m_api);
    }
    std::string problem = enableAll();
    if (!problem.empty()) close();
    return problem;
  }

  void run() {
    sampleClock();
    m_thread = std::jthread([this](std::stop_token stop) {
      std::unique_lock lock(m_mutex);
      while (!m_wake.wait_for(lock, stop, m_options.flush_period, [&] { return stop.stop_requested(); })) {
        // The lock belongs to the waiting alone: a flush calls back, and callbacks take locks.
        lock.unlock();
        m_api->flushAll(0);
        drain();
        lock.lock();
      }
    });
  }

  void finish() {
    m_thread.request_stop();
    m_thread.join();
    disableAll();
    m_api->flushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    drain();
    std::size_t dropped = 0;
    if (m_api->droppedRecords(nullptr, 0, dropped) == CUPTI_SUCCESS) m_builder.noteDropped(static_cast<std::int64_t>(dropped));
    m_builder.noteDropped(m_decoder.counts().zero_time);
    m_api->unsubscribe();
    ActivityBuffers::instance().release();
  }

  const CuptiDecoder& decoder() const { return m_decoder; }
  const ClockPairing& clock() const { return m_clock; }

 private:
  std::string enableAll() {
    CUptiResult result = m_api->registerCallbacks(ActivityBuffers::onRequested, ActivityBuffers::onCompleted);
    if (result != CUPTI_SUCCESS) return sentence("registering its buffers", result, {}, *m_api);
    result = m_api->useSystemThreadIds();
    if (result != CUPTI_SUCCESS) return sentence("asking for system thread ids", result, {}, *m_api);
    std::uint64_t now = 0;
    result = m_api->timestamp(now);
    if (result != CUPTI_SUCCESS) return sentence("reading its clock", result, {}, *m_api);
    std::vector<CUpti_ActivityKind> kinds(deviceKinds.begin(), deviceKinds.end());
    if (m_options.lane_of_thread) kinds.insert(kinds.end(), callKinds.begin(), callKinds.end());
    for (const CUpti_ActivityKind kind : kinds) {
      result = m_api->enable(kind);
      if (result != CUPTI_SUCCESS) return sentence("enabling activity kind " + std::to_string(static_cast<int>(kind)), result, {}, *m_api);
      m_enabled.push_back(kind);
    }
    return {};
  }

  void disableAll() {
    for (const CUpti_ActivityKind kind : m_enabled) m_api->disable(kind);
    m_enabled.clear();
  }

  void close() {
    disableAll();
    m_api->unsubscribe();
    ActivityBuffers::instance().release();
  }

  void sampleClock() {
    m_clock.sample(
        [this] {
          std::uint64_t time = 0;
          m_api->timestamp(time);
          return static_cast<Nanoseconds>(time);
        },
        monotonicNow);
  }

  /// After the flush, so that the new clock sample lies behind every record.
  void drain() {
    sampleClock();
    const std::vector<ActivityBuffer> buffers = ActivityBuffers::instance().takeCompleted();
    m_activities.clear();
    m_decoder.decode(buffers, m_activities);
    ActivityBuffers::instance().recycle(buffers);
    m_sink.add(m_activities, m_decoder, m_clock);
    if (const std::int64_t dropped = ActivityBuffers::instance().takeDropped(); dropped > 0) m_builder.noteDropped(dropped);
  }

  TraceBuilder& m_builder;
  const CuptiOptions& m_options;
  std::shared_ptr<CuptiApi> m_api;
  std::vector<CUpti_ActivityKind> m_enabled;
  CuptiDecoder m_decoder;
  ClockPairing m_clock;
  ActivitySink m_sink;
  std::vector<RawActivity> m_activities;
  std::mutex m_mutex;
  std::condition_variable_any m_wake;
  std::jthread m_thread;  ///< the only one that drains while it runs
};

CuptiCollector::CuptiCollector(CuptiOptions options) : CuptiCollector(std::move(options), realCuptiApi()) {}
CuptiCollector::CuptiCollector(CuptiOptions options, std::shared_ptr<CuptiApi> api) : m_options(std::move(options)), m_api(std::move(api)) {}
CuptiCollector::~CuptiCollector() { stop(); }

std::string CuptiCollector::start(TraceBuilder& builder) {
  stop();
  auto session = std::make_unique<Session>(builder, m_options, m_api);
  std::string problem = session->open();
  if (!problem.empty()) return problem;
  session->run();
  m_session = std::move(session);
  return {};
}

void CuptiCollector::stop() {
  if (!m_session) return;
  m_session->finish();
  m_counts = m_session->decoder().counts();
  m_clockJumps = m_session->clock().jumps();
  m_session.reset();
}

CuptiCounts CuptiCollector::counts() const { return m_counts; }
std::int64_t CuptiCollector::clockJumps() const { return m_clockJumps; }

}  // namespace lanelab
