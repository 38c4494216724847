// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/collect/cupti/cupti_collector.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
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
constexpr std::array<CUpti_ActivityKind, 4> kNeeded = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                                       CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2,
                                                       CUPTI_ACTIVITY_KIND_MEMSET};

/// What explains that work. External ids come only with records of calls, so ids first, calls last. GRAPH_TRACE is left
/// off, as it would take the place of the records of graph nodes.
constexpr std::array<std::pair<CUpti_ActivityKind, const char*>, 7> kExplaining = {{
    {CUPTI_ACTIVITY_KIND_CONTEXT, "contexts"},
    {CUPTI_ACTIVITY_KIND_CUDA_EVENT, "events"},
    {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, "synchronisation"},
    {CUPTI_ACTIVITY_KIND_OVERHEAD, "CUPTI's own time"},
    {CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, "the actions that launch it"},
    {CUPTI_ACTIVITY_KIND_RUNTIME, "calls of the CUDA runtime"},
    {CUPTI_ACTIVITY_KIND_DRIVER, "calls of the CUDA driver"},
}};

/// Calls that come before nearly every launch and tell nothing.
constexpr std::array<CUpti_CallbackId, 6> kNoisyRuntime = {
    CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020,          CUPTI_RUNTIME_TRACE_CBID_cudaSetDevice_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaGetLastError_v3020,       CUPTI_RUNTIME_TRACE_CBID_cudaPeekAtLastError_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaStreamIsCapturing_v10000, CUPTI_RUNTIME_TRACE_CBID_cudaDeviceGetAttribute_v5000};
constexpr std::array<CUpti_CallbackId, 3> kNoisyDriver = {CUPTI_DRIVER_TRACE_CBID_cuCtxGetCurrent,
                                                          CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxGetState,
                                                          CUPTI_DRIVER_TRACE_CBID_cuKernelGetAttribute};

std::string codeText(CUptiResult result) { return " (CUPTI error " + std::to_string(static_cast<int>(result)) + ")"; }

/// "GPU activity is not recorded: ..." with what to do. `holder` is the tool in the way, where it is known.
std::string refusalSentence(const std::string& doing, CUptiResult result, const std::string& holder, CuptiApi& api) {
  const std::string start = "GPU activity is not recorded: ";
  switch (result) {
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return start + (holder.empty() ? "another tool" : holder) + " already traces this program" + codeText(result) +
             "; run without Nsight, compute-sanitizer or another profiler.";
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return start + "the driver lets only administrators profile" + codeText(result) +
             "; ask yours to allow it for all users.";
    case CUPTI_ERROR_UNKNOWN:
    case CUPTI_ERROR_NOT_INITIALIZED:
      return start + "CUPTI finds no working NVIDIA driver" + codeText(result) + "; see what nvidia-smi says.";
    case CUPTI_ERROR_NOT_COMPATIBLE:
      return start + "the NVIDIA driver does not fit this CUPTI" + codeText(result) + "; update the driver.";
    default:
      return start + doing + " failed with \"" + api.textOf(result) + "\"" + codeText(result) +
             "; lanelab-cli doctor shows driver and versions.";
  }
}

/// The kinds that one collector has switched on; off again at the end of its life or by disable().
class ActivityKinds {
 public:
  explicit ActivityKinds(CuptiApi& api) : m_api(api) {}
  ~ActivityKinds() { disable(); }
  ActivityKinds(const ActivityKinds&) = delete;
  ActivityKinds& operator=(const ActivityKinds&) = delete;

  /// Work of devices must be recorded: a sentence when CUPTI refuses a kind of that. Of the others `notice` says the
  /// first that is refused.
  std::string enable(std::string& notice) {
    for (const CUpti_ActivityKind kind : kNeeded) {
      const CUptiResult result = add(kind);
      if (result != CUPTI_SUCCESS)
        return refusalSentence("enabling activity kind " + std::to_string(static_cast<int>(kind)), result, {}, m_api);
    }
    for (const auto& [kind, words] : kExplaining) {
      const CUptiResult result = add(kind);
      if (result == CUPTI_SUCCESS || !notice.empty()) continue;
      notice = std::string("GPU activity is recorded without ") + words + ": CUPTI refuses that with \"" +
               m_api.textOf(result) + "\"" + codeText(result) + ".";
    }
    leaveOutNoise();
    return {};
  }

  void disable() {
    for (const CUpti_ActivityKind kind : m_enabled) m_api.disable(kind);
    m_enabled.clear();
  }
  bool has(CUpti_ActivityKind kind) const {
    return std::find(m_enabled.begin(), m_enabled.end(), kind) != m_enabled.end();
  }

 private:
  CUptiResult add(CUpti_ActivityKind kind) {
    const CUptiResult result = kind == CUPTI_ACTIVITY_KIND_CONTEXT ? m_api.enableAndDump(kind) : m_api.enable(kind);
    if (result == CUPTI_SUCCESS) m_enabled.push_back(kind);
    return result;
  }
  /// After the kinds, which would switch all of theirs on again. Where that fails there are only more records.
  void leaveOutNoise() {
    if (has(CUPTI_ACTIVITY_KIND_RUNTIME))
      for (const CUpti_CallbackId callback : kNoisyRuntime) m_api.ignoreFunction(true, callback);
    if (has(CUPTI_ACTIVITY_KIND_DRIVER))
      for (const CUpti_CallbackId callback : kNoisyDriver) m_api.ignoreFunction(false, callback);
  }

  CuptiApi& m_api;
  std::vector<CUpti_ActivityKind> m_enabled;
};

std::uint32_t ownThread() {
  thread_local const auto id = static_cast<std::uint32_t>(::gettid());
  return id;
}

/// Ids of an earlier collector may still come out of CUPTI.
std::uint8_t nextRun() {
  static std::atomic<std::uint8_t> run{0};
  return ++run;
}

}  // namespace

std::optional<CudaStream> cudaStreamOf(void* context, void* stream) {
  CudaStream found;
  const auto cu_context = static_cast<CUcontext>(context);
  if (!cu_context) return std::nullopt;
  if (cuptiGetContextId(cu_context, &found.context) != CUPTI_SUCCESS) return std::nullopt;
  if (cuptiGetStreamIdEx(cu_context, static_cast<CUstream>(stream), 0, &found.stream) != CUPTI_SUCCESS)
    return std::nullopt;
  return found;
}

/// From a start that worked to its stop.
class CuptiCollector::Session {
 public:
  Session(TraceBuilder& builder, const CuptiOptions& options, std::shared_ptr<CuptiApi> api)
      : m_builder(builder), m_options(options), m_api(std::move(api)), m_kinds(*m_api), m_decoder(m_api->records()) {}

  /// Empty when CUPTI works; otherwise a sentence, and all is as before.
  std::string open(std::string& notice) {
    if (!ActivityBuffers::instance().claim(m_api))
      return "GPU activity is not recorded: another run of this program records it already; wait for its end.";
    std::string holder;
    if (const CUptiResult result = m_api->subscribe(holder); result != CUPTI_SUCCESS) {
      ActivityBuffers::instance().release();
      return refusalSentence("subscribing", result, holder, *m_api);
    }
    std::string problem = prepare();
    if (problem.empty()) problem = m_kinds.enable(notice);
    if (!problem.empty()) close();
    return problem;
  }

  void run() {
    const bool calls = m_kinds.has(CUPTI_ACTIVITY_KIND_RUNTIME) && m_kinds.has(CUPTI_ACTIVITY_KIND_DRIVER);
    m_sink = std::make_unique<ActivitySink>(m_builder, m_options, m_decoder, m_run, calls);
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

  GpuActivity finish() {
    m_thread.request_stop();
    m_thread.join();
    m_kinds.disable();
    m_api->flushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    drain();
    m_sink->finish(m_clock, m_owners);
    std::size_t dropped = 0;
    if (m_api->droppedRecords(nullptr, 0, dropped) == CUPTI_SUCCESS) noteDropped(static_cast<std::int64_t>(dropped));
    noteDropped(m_decoder.counts().damaged);
    m_builder.noteDropped(m_decoder.counts().zero_time);
    close();
    return counts();
  }

  void launchesBegin(const LaunchOwner& owner) {
    // An id that is not known is pushed all the same, so that each end finds its begin.
    m_api->pushExternalId(externalIdOf(owner, m_run));
    m_launches.begin(ownThread(), monotonicNow(), owner);
  }
  void launchesEnd() {
    m_launches.end(ownThread(), monotonicNow());
    m_api->popExternalId();
  }

 private:
  std::string prepare() {
    CUptiResult result = m_api->registerCallbacks(ActivityBuffers::onRequested, ActivityBuffers::onCompleted);
    if (result != CUPTI_SUCCESS) return refusalSentence("registering its buffers", result, {}, *m_api);
    result = m_api->useSystemThreadIds();
    if (result != CUPTI_SUCCESS) return refusalSentence("asking for system thread ids", result, {}, *m_api);
    std::uint64_t now = 0;
    result = m_api->timestamp(now);
    return result == CUPTI_SUCCESS ? std::string() : refusalSentence("reading its clock", result, {}, *m_api);
  }

  void close() {
    m_kinds.disable();
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

  /// After the flush, so that the new clock sample lies behind every record, and the launches of every call are in the
  /// log.
  void drain() {
    sampleClock();
    const std::vector<ActivityBuffer> buffers = ActivityBuffers::instance().collectCompleted();
    m_owners.add(m_launches.take());
    m_activities.clear();
    m_decoder.decode(buffers, m_activities);
    ActivityBuffers::instance().recycle(buffers);
    m_sink->add(m_activities, m_clock, m_owners);
    noteDropped(ActivityBuffers::instance().collectDropped());
  }

  void noteDropped(std::int64_t records) {
    m_dropped += records;
    if (records > 0) m_builder.noteDropped(records);
  }

  GpuActivity counts() const {
    GpuActivity counts = m_sink->counts();
    counts.dropped = m_dropped;
    counts.without_time = m_decoder.counts().zero_time;
    counts.clock_steps = m_clock.jumps();
    counts.clock_residual = m_clock.residual();
    return counts;
  }

  TraceBuilder& m_builder;
  const CuptiOptions& m_options;
  std::shared_ptr<CuptiApi> m_api;
  const std::uint8_t m_run = nextRun();
  ActivityKinds m_kinds;
  LaunchLog m_launches;  ///< the lanes' threads write it
  LaunchOwners m_owners;
  CuptiDecoder m_decoder;
  ClockPairing m_clock;
  std::unique_ptr<ActivitySink> m_sink;
  std::vector<RawActivity> m_activities;
  std::int64_t m_dropped = 0;
  std::mutex m_mutex;
  std::condition_variable_any m_wake;
  std::jthread m_thread;  ///< the only one that drains while it runs
};

CuptiCollector::CuptiCollector(CuptiOptions options) : CuptiCollector(std::move(options), realCuptiApi()) {}
CuptiCollector::CuptiCollector(CuptiOptions options, std::shared_ptr<CuptiApi> api)
    : m_options(std::move(options)), m_api(std::move(api)) {}
CuptiCollector::~CuptiCollector() { stop(); }

std::string CuptiCollector::start(TraceBuilder& builder) {
  stop();
  m_notice.clear();
  auto session = std::make_unique<Session>(builder, m_options, m_api);
  std::string problem = session->open(m_notice);
  if (!problem.empty()) return problem;
  session->run();
  m_session = std::move(session);
  return {};
}

void CuptiCollector::stop() {
  if (!m_session) return;
  m_counts = m_session->finish();
  m_session.reset();
}

void CuptiCollector::launchesBegin(const LaunchOwner& owner) {
  if (m_session) m_session->launchesBegin(owner);
}

void CuptiCollector::launchesEnd() {
  if (m_session) m_session->launchesEnd();
}

}  // namespace lanelab
