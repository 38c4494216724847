// SPDX-License-Identifier: GPL-3.0-only
// Turns CUPTI's activity buffers into RawActivity, with CUPTI's own walk over the records (which needs no GPU, so
// hand-built buffers test it).
//
// Names are copied, since CUPTI's pointers die with their module. Records are read in two passes: the launch call, the
// external id and the event that explain a record may lie behind it or in another buffer. Thread: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/collect/cupti/kernel_names.h"
#include "profiler/collect/cupti/launch_table.h"
#include "profiler/collect/cupti/raw_activity.h"
#include "profiler/trace/name_table.h"

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
  /// Appends what the buffers hold. Calls, ids, events and contexts of earlier calls are still known.
  void decode(std::span<const ActivityBuffer> buffers, std::vector<RawActivity>& out);

  const std::string& nameOf(std::uint32_t name) const { return m_names.textOf(name); }
  const LaunchTable& launches() const { return m_launches; }
  const std::map<std::uint32_t, CudaContext>& contexts() const { return m_contexts; }  ///< by CUPTI's context id
  const CuptiCounts& counts() const { return m_counts; }

 private:
  struct Preparing;
  struct Reading;
  /// Names that are made of one or two numbers, and kept by these.
  enum class NameGroup : std::uint8_t { Copy, PeerCopy, Memset, Sync, Overhead, RuntimeCall, DriverCall };
  template <class Make>
  std::uint32_t nameOf(NameGroup group, std::uint32_t first, std::uint32_t second, const Make& make);
  std::uint32_t kernelName(const char* mangled);

  /// Where an event was recorded last; ids count upwards, so that a ring keeps the newest.
  struct RecordedEvent {
    std::uint64_t sync_id = 0;
    std::uint32_t stream = RawActivity::kNone;
  };
  static constexpr std::size_t kKeptEvents = std::size_t{1} << 14U;

  NameTable m_names;
  KernelNames m_kernel_names;
  std::unordered_map<std::uint64_t, std::uint32_t> m_group_names;
  LaunchTable m_launches;
  std::vector<RecordedEvent> m_events = std::vector<RecordedEvent>(kKeptEvents);
  std::map<std::uint32_t, CudaContext> m_contexts;
  CuptiCounts m_counts;
};

}  // namespace lanelab
