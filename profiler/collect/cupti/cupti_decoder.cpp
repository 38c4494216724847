#include "profiler/collect/cupti/cupti_decoder.h"

#include <cupti.h>
#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace lanelab {

namespace {

/// Calls `visit` for each record; false when CUPTI refuses the buffer before its end.
template <class Visit>
bool eachRecord(ActivityBuffer buffer, const Visit& visit) {
  if (buffer.data == nullptr || buffer.valid == 0) return true;
  CUpti_Activity* record = nullptr;
  while (true) {
    const CUptiResult result = cuptiActivityGetNextRecord(buffer.data, buffer.valid, &record);
    if (result == CUPTI_ERROR_MAX_LIMIT_REACHED) return true;
    if (result != CUPTI_SUCCESS) return false;
    visit(*record);
  }
}

template <class Record>
const Record& as(const CUpti_Activity& record) {
  return *reinterpret_cast<const Record*>(&record);
}

std::string_view copyName(std::uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD: return "memcpy host to device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH: return "memcpy device to host";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD: return "memcpy device to device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH: return "memcpy host to host";
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP: return "memcpy peer to peer";
    default: return "memcpy";
  }
}

std::string_view syncName(CUpti_ActivitySynchronizationType type) {
  switch (type) {
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE: return "event synchronize";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT: return "stream wait event";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE: return "stream synchronize";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE: return "context synchronize";
    default: return "synchronize";
  }
}

std::string_view overheadName(CUpti_ActivityOverheadKind kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER: return "driver compiler";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH: return "CUPTI buffer flush";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION: return "CUPTI instrumentation";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE: return "CUPTI resource";
    case CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING: return "module loading";
    case CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING: return "lazy function loading";
    case CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL: return "command buffer full";
    default: return "overhead";
  }
}

/// What all records with a time and a place on the GPU share.
template <class Record>
RawActivity onStream(RawActivity::Kind kind, const Record& record) {
  RawActivity activity;
  activity.kind = kind;
  activity.start = static_cast<Nanoseconds>(record.start);
  activity.end = static_cast<Nanoseconds>(record.end);
  activity.context = record.contextId;
  activity.stream = record.streamId;
  activity.correlation = record.correlationId;
  return activity;
}

}  // namespace

/// The second pass: one function a kind of record.
struct CuptiDecoder::Reading {
  CuptiDecoder& decoder;
  std::vector<RawActivity>& out;

  /// CUPTI writes 0 for a time it has lost; an end before its start is a record that a forced flush took before it ended.
  void add(RawActivity activity) {
    if (activity.end < activity.start || (activity.start == 0 && activity.end == 0)) {
      ++decoder.m_counts.zero_time;
      return;
    }
    const auto id = decoder.m_externalIds.find(activity.correlation);
    if (id != decoder.m_externalIds.end()) activity.external_id = id->second;
    out.push_back(activity);
  }

  void kernel(const CUpti_ActivityKernel10& record) {
    RawActivity activity = onStream(RawActivity::Kind::Kernel, record);
    activity.device = record.deviceId;
    activity.name = decoder.kernelName(record.name);
    add(activity);
  }

  void copy(const CUpti_ActivityMemcpy6& record) {
    RawActivity activity = onStream(RawActivity::Kind::Memcpy, record);
    activity.device = record.deviceId;
    activity.bytes = record.bytes;
    activity.name = decoder.intern(copyName(record.copyKind));
    add(activity);
  }

  void peerCopy(const CUpti_ActivityMemcpyPtoP4& record) {
    RawActivity activity = onStream(RawActivity::Kind::PeerCopy, record);
    activity.device = record.deviceId;
    activity.bytes = record.bytes;
    activity.name = decoder.intern("memcpy GPU " + std::to_string(record.srcDeviceId) + " to GPU " + std::to_string(record.dstDeviceId));
    add(activity);
  }

  void memset(const CUpti_ActivityMemset4& record) {
    RawActivity activity = onStream(RawActivity::Kind::Memset, record);
    activity.device = record.deviceId;
    activity.bytes = record.bytes;
    activity.name = decoder.intern("memset");
    add(activity);
  }

  void synchronization(const CUpti_ActivitySynchronization2& record) {
    RawActivity activity = onStream(RawActivity::Kind::Synchronization, record);
    activity.name = decoder.intern(syncName(record.type));
    add(activity);
  }

  void call(const CUpti_ActivityAPI& record, bool runtime) {
    RawActivity activity;
    activity.kind = runtime ? RawActivity::Kind::RuntimeCall : RawActivity::Kind::DriverCall;
    activity.start = static_cast<Nanoseconds>(record.start);
    activity.end = static_cast<Nanoseconds>(record.end);
    activity.thread = record.threadId;
    activity.correlation = record.correlationId;
    activity.name = decoder.apiName(runtime, record.cbid);
    add(activity);
  }

  void overhead(const CUpti_ActivityOverhead3& record) {
    RawActivity activity;
    activity.kind = RawActivity::Kind::Overhead;
    activity.start = static_cast<Nanoseconds>(record.start);
    activity.end = static_cast<Nanoseconds>(record.end);
    activity.correlation = record.correlationId;
    activity.name = decoder.intern(overheadName(record.overheadKind));
    if (record.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD) activity.thread = record.objectId.pt.threadId;
    if (record.objectKind == CUPTI_ACTIVITY_OBJECT_CONTEXT || record.objectKind == CUPTI_ACTIVITY_OBJECT_STREAM)
      activity.context = record.objectId.dcs.contextId;
    if (record.objectKind == CUPTI_ACTIVITY_OBJECT_STREAM) activity.stream = record.objectId.dcs.streamId;
    add(activity);
  }

  void read(const CUpti_Activity& record) {
    ++decoder.m_counts.records;
    switch (record.kind) {
      case CUPTI_ACTIVITY_KIND_KERNEL:
      case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: return kernel(as<CUpti_ActivityKernel10>(record));
      case CUPTI_ACTIVITY_KIND_MEMCPY: return copy(as<CUpti_ActivityMemcpy6>(record));
      case CUPTI_ACTIVITY_KIND_MEMCPY2: return peerCopy(as<CUpti_ActivityMemcpyPtoP4>(record));
      case CUPTI_ACTIVITY_KIND_MEMSET: return memset(as<CUpti_ActivityMemset4>(record));
      case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION: return synchronization(as<CUpti_ActivitySynchronization2>(record));
      case CUPTI_ACTIVITY_KIND_RUNTIME: return call(as<CUpti_ActivityAPI>(record), true);
      case CUPTI_ACTIVITY_KIND_DRIVER: return call(as<CUpti_ActivityAPI>(record), false);
      case CUPTI_ACTIVITY_KIND_OVERHEAD: return overhead(as<CUpti_ActivityOverhead3>(record));
      case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
      case CUPTI_ACTIVITY_KIND_CONTEXT: return;  // read in the first pass
      default: ++decoder.m_counts.other_kinds;
    }
  }
};

void CuptiDecoder::decode(std::span<const ActivityBuffer> buffers, std::vector<RawActivity>& out) {
  for (const ActivityBuffer& buffer : buffers) {
    eachRecord(buffer, [&](const CUpti_Activity& record) {
      if (record.kind == CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION) {
        const auto& external = as<CUpti_ActivityExternalCorrelation>(record);
        rememberExternalId(external.correlationId, external.externalId);
      } else if (record.kind == CUPTI_ACTIVITY_KIND_CONTEXT) {
        const auto& context = as<CUpti_ActivityContext3>(record);
        m_contexts[context.contextId] = {context.deviceId, context.parentContextId, context.isGreenContext != 0, context.numMultiprocessors};
      }
    });
  }
  Reading reading{*this, out};
  for (const ActivityBuffer& buffer : buffers)
    if (!eachRecord(buffer, [&](const CUpti_Activity& record) { reading.read(record); })) ++m_counts.damaged;
}

/// Most calls launch nothing, so ids are forgotten some time after their call; correlations count upwards.
void CuptiDecoder::rememberExternalId(std::uint32_t correlation, std::uint64_t id) {
  constexpr std::size_t most = 1U << 20U;
  if (m_externalIds.size() >= most) std::erase_if(m_externalIds, [&](const auto& entry) { return correlation - entry.first > most / 2; });
  m_externalIds[correlation] = id;
}

std::uint32_t CuptiDecoder::intern(std::string_view name) {
  const auto found = m_nameIndex.find(name);
  if (found != m_nameIndex.end()) return found->second;
  const auto index = static_cast<std::uint32_t>(m_names.size());
  m_names.emplace_back(name);
  m_nameIndex.emplace(name, index);
  return index;
}

std::uint32_t CuptiDecoder::kernelName(const char* mangled) {
  std::string key = mangled != nullptr ? mangled : "kernel";
  const auto found = m_kernelNames.find(key);
  if (found != m_kernelNames.end()) return found->second;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> readable(abi::__cxa_demangle(key.c_str(), nullptr, nullptr, &status), std::free);
  const std::uint32_t name = intern(readable && key.starts_with("_Z") ? std::string_view(readable.get()) : std::string_view(key));
  m_kernelNames.emplace(std::move(key), name);
  return name;
}

std::uint32_t CuptiDecoder::apiName(bool runtime, std::uint32_t callback) {
  const auto found = m_apiNames.find({runtime, callback});
  if (found != m_apiNames.end()) return found->second;
  const char* known = nullptr;
  const CUpti_CallbackDomain domain = runtime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API;
  const bool named = cuptiGetCallbackName(domain, callback, &known) == CUPTI_SUCCESS && known != nullptr;
  const std::uint32_t name = intern(named ? known : (runtime ? "runtime call " : "driver call ") + std::to_string(callback));
  m_apiNames.emplace(std::pair(runtime, callback), name);
  return name;
}

}  // namespace lanelab
