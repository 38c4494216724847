// SPDX-License-Identifier: GPL-3.0-only
// Hand-built buffers of CUPTI: the record of a kernel as the CUPTI of this build writes it, and a walk over records
// that needs no driver.
#pragma once

#include <cupti.h>
#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "profiler/collect/cupti/cupti_decoder.h"

namespace lanelab::test {

/// A buffer has records of this size; programs read the part that all versions have.
#if CUPTI_API_VERSION >= 130200
using CuptiKernel = CUpti_ActivityKernel11;
#else
using CuptiKernel = CUpti_ActivityKernel10;
#endif

/// Of a record in a hand-built buffer; 0 for kinds that none of them has.
inline std::size_t sizeOf(std::uint32_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: return sizeof(CuptiKernel);
    case CUPTI_ACTIVITY_KIND_MEMCPY: return sizeof(CUpti_ActivityMemcpy6);
    case CUPTI_ACTIVITY_KIND_MEMCPY2: return sizeof(CUpti_ActivityMemcpyPtoP4);
    case CUPTI_ACTIVITY_KIND_MEMSET: return sizeof(CUpti_ActivityMemset4);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION: return sizeof(CUpti_ActivitySynchronization2);
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER: return sizeof(CUpti_ActivityAPI);
    case CUPTI_ACTIVITY_KIND_OVERHEAD: return sizeof(CUpti_ActivityOverhead3);
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: return sizeof(CUpti_ActivityExternalCorrelation);
    case CUPTI_ACTIVITY_KIND_CUDA_EVENT: return sizeof(CUpti_ActivityCudaEvent2);
    case CUPTI_ACTIVITY_KIND_CONTEXT: return sizeof(CUpti_ActivityContext3);
    case CUPTI_ACTIVITY_KIND_MARKER: return sizeof(CUpti_ActivityMarker2);
    default: return 0;
  }
}

inline NextRecord nextBySize(ActivityBuffer buffer, const void* record) {
  const auto* const begin = static_cast<const std::uint8_t*>(buffer.data);
  const auto* at = static_cast<const std::uint8_t*>(record);
  const auto kindAt = [](const std::uint8_t* place) {
    std::uint32_t kind = 0;  // a damaged buffer has kinds that are none
    std::memcpy(&kind, place, sizeof kind);
    return kind;
  };
  at = at ? at + sizeOf(kindAt(at)) : begin;
  const std::size_t left = buffer.valid - static_cast<std::size_t>(at - begin);
  if (left == 0) return {};
  const std::size_t size = sizeOf(kindAt(at));
  if (size == 0 || size > left) return {nullptr, true};
  return {at, false};
}

inline const char* nameOfCall(bool runtime, std::uint32_t) { return runtime ? "cudaLaunchKernel" : nullptr; }

/// CUPTI itself, unless that would end the process: all functions of CUDA 13.2's CUPTI call themselves without end
/// where there is no driver.
inline RecordLibrary recordLibrary() {
  static const bool has_driver = ::dlopen("libcuda.so.1", RTLD_LAZY) != nullptr;
  if (CUPTI_API_VERSION < 130200 || has_driver) return RecordLibrary::ofCupti();
  return {nextBySize, nameOfCall};
}

}  // namespace lanelab::test
