// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/collect/cupti/activity_kinds.h"

#include <algorithm>
#include <array>
#include <utility>

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

}  // namespace

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

std::string ActivityKinds::enable(std::string& notice) {
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

CUptiResult ActivityKinds::add(CUpti_ActivityKind kind) {
  const CUptiResult result = kind == CUPTI_ACTIVITY_KIND_CONTEXT ? m_api.enableAndDump(kind) : m_api.enable(kind);
  if (result == CUPTI_SUCCESS) m_enabled.push_back(kind);
  return result;
}

/// After the kinds, which would switch all of theirs on again. Where that fails there are only more records.
void ActivityKinds::leaveOutNoise() {
  if (has(CUPTI_ACTIVITY_KIND_RUNTIME))
    for (const CUpti_CallbackId callback : kNoisyRuntime) m_api.ignoreFunction(true, callback);
  if (has(CUPTI_ACTIVITY_KIND_DRIVER))
    for (const CUpti_CallbackId callback : kNoisyDriver) m_api.ignoreFunction(false, callback);
}

void ActivityKinds::disable() {
  for (const CUpti_ActivityKind kind : m_enabled) m_api.disable(kind);
  m_enabled.clear();
}

bool ActivityKinds::has(CUpti_ActivityKind kind) const {
  return std::find(m_enabled.begin(), m_enabled.end(), kind) != m_enabled.end();
}

}  // namespace lanelab
