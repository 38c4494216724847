// Turns CUPTI's activity buffers into RawActivity, with CUPTI's own walk over the records (which needs no GPU, so hand-built buffers test it).
//
// Names are copied, since CUPTI's pointers die with their module. Records are read in two passes: the external id of a kernel may lie in
// another buffer than the kernel, as NVIDIA's headers warn. Thread: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "profiler/collect/cupti/raw_activity.h"

namespace lanelab {

/// A completed buffer: 8-byte aligned, `valid` bytes of records.
struct ActivityBuffer {
  std::uint8_t* data = nullptr;
  std::size_t valid = 0;
};

struct CuptiCounts {
  std::int64_t records = 0;      ///< all that were read
  std::int64_t zero_time = 0;    ///< their time was lost on the device or they had not ended; not among the activities
  std::int64_t other_kinds = 0;  ///< kinds that have no RawActivity
  std::int64_t damaged = 0;      ///< buffers that CUPTI refused to walk to their end
};

class CuptiDecoder {
 public:
  /// Appends what the buffers hold. External ids of earlier calls are still known.
  void decode(std::span<const ActivityBuffer> buffers, std::vector<RawActivity>& out);

  const std::string& nameOf(std::uint32_t name) const { return m_names[name]; }
  const std::map<std::uint32_t, CudaContext>& contexts() const { return m_contexts; }  ///< by CUPTI's context id
  const CuptiCounts& counts() const { return m_counts; }

 private:
  struct Reading;
  std::uint32_t intern(std::string_view name);
  std::uint32_t kernelName(const char* mangled);
  std::uint32_t apiName(bool runtime, std::uint32_t callback);
  void rememberExternalId(std::uint32_t correlation, std::uint64_t id);

  std::vector<std::string> m_names;
  std::map<std::string, std::uint32_t, std::less<>> m_nameIndex;
  std::unordered_map<std::string, std::uint32_t> m_kernelNames;  ///< mangled -> readable
  std::map<std::pair<bool, std::uint32_t>, std::uint32_t> m_apiNames;
  std::unordered_map<std::uint32_t, std::uint64_t> m_externalIds;  ///< by correlation
  std::map<std::uint32_t, CudaContext> m_contexts;
  CuptiCounts m_counts;
};

}  // namespace lanelab
