// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/collect/cupti/cupti_decoder.h"

#include <cupti.h>
#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

namespace lanelab {

namespace {

/// Of a CUpti_ActivityMemcpyKind.
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

struct OverheadWords {
  std::string_view name;
  bool of_cuda;  ///< the time would be spent without CUPTI, too
};
OverheadWords wordsOf(CUpti_ActivityOverheadKind kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER: return {"driver compiler", true};
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH: return {"CUPTI buffer flush", false};
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION: return {"CUPTI instrumentation", false};
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE: return {"CUPTI resource", false};
    case CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING: return {"module loading", true};
    case CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING: return {"lazy function loading", true};
    case CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL: return {"command buffer full", true};
    case CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST: return {"activity buffer request", false};
    default: return {"overhead", false};
  }
}

std::string readable(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(mangled, nullptr, nullptr, &status), std::free);
  // A plain name such as "f" is also a mangled type.
  return text && std::string_view(mangled).starts_with("_Z") ? text.get() : mangled;
}

/// Calls `visit` for each record; false when the walk refuses the buffer before its end.
template <class Visit>
bool eachRecord(const RecordLibrary& library, ActivityBuffer buffer, const Visit& visit) {
  if (buffer.data == nullptr || buffer.valid == 0) return true;
  NextRecord next = library.next(buffer, nullptr);
  for (; next.record; next = library.next(buffer, next.record)) visit(*static_cast<const CUpti_Activity*>(next.record));
  return !next.damaged;
}

NextRecord nextByCupti(ActivityBuffer buffer, const void* record) {
  auto* next = const_cast<CUpti_Activity*>(static_cast<const CUpti_Activity*>(record));  // it is only read
  const CUptiResult result = cuptiActivityGetNextRecord(buffer.data, buffer.valid, &next);
  if (result == CUPTI_SUCCESS) return {next, false};
  return {nullptr, result != CUPTI_ERROR_MAX_LIMIT_REACHED};
}

const char* nameByCupti(bool runtime, std::uint32_t callback) {
  const char* known = nullptr;
  const CUpti_CallbackDomain domain = runtime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API;
  return cuptiGetCallbackName(domain, callback, &known) == CUPTI_SUCCESS ? known : nullptr;
}

/// "cudaLaunchKernel", else "driver call 307".
std::string functionName(const RecordLibrary& library, bool runtime, std::uint32_t callback) {
  if (const char* const known = library.function_name(runtime, callback)) return known;
  return (runtime ? "runtime call " : "driver call ") + std::to_string(callback);
}

template <class Record>
const Record& as(const CUpti_Activity& record) {
  return *reinterpret_cast<const Record*>(&record);
}

/// What all records with a time share.
template <class Record>
RawActivity timed(RawActivity::Kind kind, const Record& record) {
  return {.start = static_cast<Nanoseconds>(record.start),
          .end = static_cast<Nanoseconds>(record.end),
          .correlation = record.correlationId,
          .kind = kind};
}

/// Besides, what those with a place on the GPU have.
template <class Record>
RawActivity onStream(RawActivity::Kind kind, const Record& record) {
  RawActivity activity = timed(kind, record);
  activity.context = record.contextId;
  activity.stream = record.streamId;
  return activity;
}

/// Besides, what the work of a device has.
template <class Record>
RawActivity onDevice(RawActivity::Kind kind, const Record& record) {
  RawActivity activity = onStream(kind, record);
  activity.graph_node = record.graphNodeId;
  return activity;
}

}  // namespace

/// The first pass: what other records are explained by.
struct CuptiDecoder::Preparing {
  CuptiDecoder& decoder;

  void read(const CUpti_Activity& record) const {
    switch (record.kind) {
      case CUPTI_ACTIVITY_KIND_RUNTIME:
      case CUPTI_ACTIVITY_KIND_DRIVER: return call(as<CUpti_ActivityAPI>(record));
      case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: return externalId(as<CUpti_ActivityExternalCorrelation>(record));
      case CUPTI_ACTIVITY_KIND_CONTEXT: return context(as<CUpti_ActivityContext3>(record));
      case CUPTI_ACTIVITY_KIND_CUDA_EVENT: return event(as<CUpti_ActivityCudaEvent2>(record));
      default: return;
    }
  }

  void call(const CUpti_ActivityAPI& record) const {
    if (record.correlationId == 0) return;
    decoder.m_launches.addCall(record.correlationId, record.threadId, static_cast<Nanoseconds>(record.start),
                               static_cast<Nanoseconds>(record.end));
  }
  void externalId(const CUpti_ActivityExternalCorrelation& record) const {
    if (record.correlationId != 0) decoder.m_launches.addExternalId(record.correlationId, record.externalId);
  }
  void context(const CUpti_ActivityContext3& record) const {
    if (record.isGreenContext != 0) decoder.m_green_contexts[record.contextId] = record.numMultiprocessors;
  }
  void event(const CUpti_ActivityCudaEvent2& record) const {
    decoder.m_events[record.cudaEventSyncId % kKeptEvents] = {record.cudaEventSyncId, record.streamId};
  }
};

/// The second pass: one function a kind of record.
struct CuptiDecoder::Reading {
  CuptiDecoder& decoder;
  std::vector<RawActivity>& out;

  /// CUPTI writes 0 for a time it has lost; an end before its start is a record that a forced flush took before it
  /// ended.
  void add(const RawActivity& activity) const {
    if (activity.end < activity.start || (activity.start == 0 && activity.end == 0)) {
      ++decoder.m_counts.zero_time;
    } else {
      out.push_back(activity);
    }
  }

  /// The part that the records of CUDA 13.0 and of later versions have.
  void kernel(const CUpti_ActivityKernel10& record) const {
    RawActivity activity = onDevice(RawActivity::Kind::Kernel, record);
    activity.name = decoder.kernelName(record.name);
    add(activity);
  }

  void copy(const CUpti_ActivityMemcpy6& record) const {
    RawActivity activity = onDevice(RawActivity::Kind::Memcpy, record);
    activity.name =
        decoder.nameOf(NameGroup::Copy, record.copyKind, 0, [&] { return std::string(copyName(record.copyKind)); });
    add(activity);
  }

  void peerCopy(const CUpti_ActivityMemcpyPtoP4& record) const {
    RawActivity activity = onDevice(RawActivity::Kind::PeerCopy, record);
    activity.name = decoder.nameOf(NameGroup::PeerCopy, record.srcDeviceId, record.dstDeviceId, [&] {
      return "memcpy GPU " + std::to_string(record.srcDeviceId) + " to GPU " + std::to_string(record.dstDeviceId);
    });
    add(activity);
  }

  void memset(const CUpti_ActivityMemset4& record) const {
    RawActivity activity = onDevice(RawActivity::Kind::Memset, record);
    activity.name = decoder.nameOf(NameGroup::Memset, 0, 0, [] { return std::string("memset"); });
    add(activity);
  }

  /// Handles of events are used again and again; only the sync id tells which recording a wait is for.
  void synchronization(const CUpti_ActivitySynchronization2& record) const {
    RawActivity activity = onStream(RawActivity::Kind::Synchronization, record);
    const bool of_event = record.type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE ||
                          record.type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT;
    const RecordedEvent& event = decoder.m_events[record.cudaEventSyncId % kKeptEvents];
    const bool known = of_event && record.cudaEventSyncId != 0 && event.sync_id == record.cudaEventSyncId;
    const std::uint32_t awaited = known ? event.stream : RawActivity::kNone;
    activity.name = decoder.nameOf(NameGroup::Sync, static_cast<std::uint32_t>(record.type), awaited, [&] {
      const std::string name(syncName(record.type));
      return awaited == RawActivity::kNone ? name : name + " of stream " + std::to_string(awaited);
    });
    add(activity);
  }

  void call(const CUpti_ActivityAPI& record, bool runtime) const {
    RawActivity activity = timed(runtime ? RawActivity::Kind::RuntimeCall : RawActivity::Kind::DriverCall, record);
    activity.thread = record.threadId;
    activity.name = decoder.nameOf(runtime ? NameGroup::RuntimeCall : NameGroup::DriverCall, record.cbid, 0,
                                   [&] { return functionName(decoder.m_library, runtime, record.cbid); });
    add(activity);
  }

  void overhead(const CUpti_ActivityOverhead3& record) const {
    const OverheadWords words = wordsOf(record.overheadKind);
    RawActivity activity = timed(words.of_cuda ? RawActivity::Kind::Upkeep : RawActivity::Kind::Overhead, record);
    activity.name = decoder.nameOf(NameGroup::Overhead, static_cast<std::uint32_t>(record.overheadKind), 0,
                                   [&] { return std::string(words.name); });
    if (record.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD) activity.thread = record.objectId.pt.threadId;
    if (record.objectKind == CUPTI_ACTIVITY_OBJECT_CONTEXT || record.objectKind == CUPTI_ACTIVITY_OBJECT_STREAM)
      activity.context = record.objectId.dcs.contextId;
    if (record.objectKind == CUPTI_ACTIVITY_OBJECT_STREAM) activity.stream = record.objectId.dcs.streamId;
    add(activity);
  }

  void read(const CUpti_Activity& record) const {
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
      case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
      case CUPTI_ACTIVITY_KIND_CONTEXT: return;  // read in the first pass
      default: return;
    }
  }
};

RecordLibrary RecordLibrary::ofCupti() { return {nextByCupti, nameByCupti}; }

void CuptiDecoder::decode(std::span<const ActivityBuffer> buffers, std::vector<RawActivity>& out) {
  const Preparing preparing{*this};
  for (const ActivityBuffer& buffer : buffers)
    eachRecord(m_library, buffer, [&](const CUpti_Activity& record) { preparing.read(record); });
  const Reading reading{*this, out};
  for (const ActivityBuffer& buffer : buffers)
    if (!eachRecord(m_library, buffer, [&](const CUpti_Activity& record) { reading.read(record); })) ++m_counts.damaged;
}

template <class Make>
std::uint32_t CuptiDecoder::nameOf(NameGroup group, std::uint32_t first, std::uint32_t second, const Make& make) {
  // The first number is of an enum or a device.
  const std::uint64_t key =
      static_cast<std::uint64_t>(group) << 60U | static_cast<std::uint64_t>(first & 0x0FFFFFFFU) << 32U | second;
  const auto found = m_group_names.find(key);
  if (found != m_group_names.end()) return found->second;
  const std::uint32_t name = m_names.indexOf(make());
  m_group_names.emplace(key, name);
  return name;
}

std::uint32_t CuptiDecoder::kernelName(const char* mangled) {
  if (mangled == nullptr) mangled = "kernel";
  const auto address = reinterpret_cast<std::uintptr_t>(mangled);
  RecentKernel& recent = m_recent_kernels[(address ^ address >> 10U) % m_recent_kernels.size()];
  if (recent.pointer != mangled || recent.entry->first != mangled) {
    auto known = m_kernel_names.find(mangled);
    if (known == m_kernel_names.end())
      known = m_kernel_names.emplace(mangled, m_names.indexOf(readable(mangled))).first;
    recent = {mangled, &*known};
  }
  return recent.entry->second;
}

}  // namespace lanelab
