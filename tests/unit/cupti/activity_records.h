// SPDX-License-Identifier: GPL-3.0-only
// Hand-built CUPTI records and the buffers that hold them.
#pragma once

#include <cupti.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "profiler/collect/cupti/cupti_decoder.h"
#include "tests/support/cupti_records.h"

namespace lanelab {

/// A buffer as CUPTI would have filled it; 8-byte aligned.
class RecordBuffer {
 public:
  template <class Record>
  RecordBuffer& add(const Record& record) {
    static_assert(sizeof(Record) % 8 == 0);
    const std::size_t at = m_words.size();
    m_words.resize(at + sizeof(Record) / 8);
    std::memcpy(m_words.data() + at, &record, sizeof(Record));
    return *this;
  }
  ActivityBuffer view() { return {reinterpret_cast<std::uint8_t*>(m_words.data()), m_words.size() * 8}; }

 private:
  std::vector<std::uint64_t> m_words;
};

inline test::CuptiKernel kernel(const char* name, std::uint64_t start, std::uint64_t end, std::uint32_t correlation = 1,
                                std::uint32_t stream = 7) {
  test::CuptiKernel record{};
  record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  record.start = start;
  record.end = end;
  record.deviceId = 0;
  record.contextId = 1;
  record.streamId = stream;
  record.correlationId = correlation;
  record.name = name;
  return record;
}

inline CUpti_ActivityMemcpy6 copy(CUpti_ActivityMemcpyKind kind, std::uint64_t start, std::uint64_t end,
                                  std::uint64_t bytes) {
  CUpti_ActivityMemcpy6 record{};
  record.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  record.copyKind = static_cast<std::uint8_t>(kind);
  record.bytes = bytes;
  record.start = start;
  record.end = end;
  record.contextId = 1;
  record.streamId = 7;
  return record;
}

inline CUpti_ActivityMemcpyPtoP4 peerCopy(std::uint32_t from, std::uint32_t to, std::uint64_t start, std::uint64_t end,
                                          std::uint64_t bytes) {
  CUpti_ActivityMemcpyPtoP4 record{};
  record.kind = CUPTI_ACTIVITY_KIND_MEMCPY2;
  record.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
  record.bytes = bytes;
  record.start = start;
  record.end = end;
  record.contextId = 1;
  record.streamId = 7;
  record.srcDeviceId = from;
  record.dstDeviceId = to;
  return record;
}

inline CUpti_ActivityMemset4 fill(std::uint64_t start, std::uint64_t end, std::uint64_t bytes) {
  CUpti_ActivityMemset4 record{};
  record.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  record.bytes = bytes;
  record.start = start;
  record.end = end;
  record.contextId = 1;
  record.streamId = 7;
  return record;
}

inline CUpti_ActivitySynchronization2 synchronization(CUpti_ActivitySynchronizationType type, std::uint64_t start,
                                                      std::uint64_t end, std::uint32_t stream = 7) {
  CUpti_ActivitySynchronization2 record{};
  record.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
  record.type = type;
  record.start = start;
  record.end = end;
  record.contextId = 1;
  record.streamId = stream;
  return record;
}

inline CUpti_ActivityAPI call(CUpti_ActivityKind kind, std::uint32_t callback, std::uint64_t start, std::uint64_t end,
                              std::uint32_t thread, std::uint32_t correlation = 1) {
  CUpti_ActivityAPI record{};
  record.kind = kind;
  record.cbid = callback;
  record.start = start;
  record.end = end;
  record.threadId = thread;
  record.correlationId = correlation;
  return record;
}

inline CUpti_ActivityExternalCorrelation externalId(std::uint32_t correlation, std::uint64_t id) {
  CUpti_ActivityExternalCorrelation record{};
  record.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
  record.externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;
  record.externalId = id;
  record.correlationId = correlation;
  return record;
}

inline CUpti_ActivityOverhead3 overhead(CUpti_ActivityOverheadKind kind, std::uint32_t thread, std::uint64_t start,
                                        std::uint64_t end) {
  CUpti_ActivityOverhead3 record{};
  record.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
  record.overheadKind = kind;
  record.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
  record.objectId.pt.threadId = thread;
  record.start = start;
  record.end = end;
  return record;
}

/// A record of kernel, copy or memset as a node of a launched graph.
template <class Record>
Record ofGraph(Record record, std::uint32_t graph, std::uint64_t node) {
  record.graphId = graph;
  record.graphNodeId = node;
  return record;
}

template <class Record>
Record correlated(Record record, std::uint32_t correlation) {
  record.correlationId = correlation;
  return record;
}

template <class Record>
Record onStream(Record record, std::uint32_t context, std::uint32_t stream) {
  record.contextId = context;
  record.streamId = stream;
  return record;
}

inline CUpti_ActivityCudaEvent2 recordedEvent(std::uint64_t sync_id, std::uint32_t handle, std::uint32_t stream) {
  CUpti_ActivityCudaEvent2 record{};
  record.kind = CUPTI_ACTIVITY_KIND_CUDA_EVENT;
  record.contextId = 1;
  record.streamId = stream;
  record.eventId = handle;
  record.cudaEventSyncId = sync_id;
  return record;
}

inline CUpti_ActivitySynchronization2 eventWait(CUpti_ActivitySynchronizationType type, std::uint64_t sync_id,
                                                std::uint32_t handle, std::uint64_t start, std::uint64_t end,
                                                std::uint32_t stream = 7) {
  CUpti_ActivitySynchronization2 record = synchronization(type, start, end, stream);
  record.cudaEventId = handle;
  record.cudaEventSyncId = sync_id;
  return record;
}

inline CUpti_ActivityContext3 greenContext(std::uint32_t context, std::uint32_t parent, std::uint16_t multiprocessors) {
  CUpti_ActivityContext3 record{};
  record.kind = CUPTI_ACTIVITY_KIND_CONTEXT;
  record.contextId = context;
  record.deviceId = 3;
  record.parentContextId = parent;
  record.isGreenContext = 1;
  record.numMultiprocessors = multiprocessors;
  return record;
}

}  // namespace lanelab
