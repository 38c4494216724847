// SPDX-License-Identifier: GPL-3.0-only
// Turns CUPTI's activity buffers into RawActivity, with CUPTI's own walk over the records, or with that of a test for
// hand-built buffers.
//
// Names are copied, since CUPTI's pointers die with their module. Records are read in two passes: the launch call, the
// external id and the event that explain a record may lie behind it or in another buffer. Thread: one at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profiler/collect/cupti/launch_table.h"
#include "profiler/trace/name_table.h"

namespace lanelab {

/// One record of GPU activity, free of CUPTI's versioned structs. Times are nanoseconds on CUPTI's clock.
struct RawActivity {
  /// Overhead is time that CUPTI takes, Upkeep what CUDA itself takes beside launching: loading and compiling code, a
  /// full queue.
  enum class Kind : std::uint8_t {
    Kernel,
    Memcpy,
    PeerCopy,
    Memset,
    Synchronization,
    RuntimeCall,
    DriverCall,
    Overhead,
    Upkeep
  };
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;  ///< a context, stream or thread that is not known

  Nanoseconds start = 0;
  Nanoseconds end = 0;
  std::uint64_t graph_node =
      0;  ///< the node of a CUDA graph that it was; all share its launch's correlation. 0 when none
  std::uint32_t context = kNone;
  std::uint32_t stream = kNone;
  std::uint32_t thread = kNone;   ///< host calls and overhead: the system's thread id
  std::uint32_t correlation = 0;  ///< ties a launch call to what it launched; 0 when none
  std::uint32_t name = 0;         ///< CuptiDecoder::nameOf
  Kind kind = Kind::Kernel;

  bool isCall() const { return kind == Kind::RuntimeCall || kind == Kind::DriverCall; }
  /// Work of a device, as against what a host thread did.
  bool isDeviceWork() const { return kind <= Kind::Memset; }
};

/// A completed buffer: 8-byte aligned, `valid` bytes of records.
struct ActivityBuffer {
  std::uint8_t* data = nullptr;
  std::size_t valid = 0;
};

/// A step of a walk over a buffer: neither a record nor damage at its end.
struct NextRecord {
  const void* record = nullptr;
  bool damaged = false;
};

/// What the decoder asks CUPTI.
struct RecordLibrary {
  /// The record behind `record`, the first one behind null.
  NextRecord (*next)(ActivityBuffer buffer, const void* record);
  /// Of the runtime, else of the driver; null where it is not known.
  const char* (*function_name)(bool runtime, std::uint32_t callback);

  /// CUPTI itself: only where a driver works, since all functions of CUDA 13.2's CUPTI call themselves without end
  /// where none does.
  static RecordLibrary ofCupti();
};

struct CuptiCounts {
  std::int64_t zero_time = 0;  ///< their time was lost on the device or they had not ended; not among the activities
  std::int64_t damaged = 0;    ///< buffers that CUPTI refused to walk to their end
};

class CuptiDecoder {
 public:
  explicit CuptiDecoder(RecordLibrary library) : m_library(library) {}

  /// Appends what the buffers hold. Calls, ids, events and contexts of earlier calls are still known.
  void decode(std::span<const ActivityBuffer> buffers, std::vector<RawActivity>& out);

  const std::string& nameOf(std::uint32_t name) const { return m_names.textOf(name); }
  const LaunchTable& launches() const { return m_launches; }
  /// How many multiprocessors green contexts have, which are lanes' shares of a GPU; by CUPTI's context id.
  const std::map<std::uint32_t, std::uint32_t>& greenContexts() const { return m_green_contexts; }
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
  /// Of a kernel's mangled name, by its pointer, so that a long name is compared and not hashed. What it points to is
  /// compared, since a module that is unloaded may give its addresses to another.
  struct RecentKernel {
    const char* pointer = nullptr;
    const std::pair<const std::string, std::uint32_t>* entry = nullptr;
  };
  static constexpr std::size_t kKeptEvents = std::size_t{1} << 14U;

  RecordLibrary m_library;
  NameTable m_names;
  TextMap<std::uint32_t> m_kernel_names;  ///< by mangled name
  std::array<RecentKernel, 1024> m_recent_kernels{};
  std::unordered_map<std::uint64_t, std::uint32_t> m_group_names;
  LaunchTable m_launches;
  std::vector<RecordedEvent> m_events = std::vector<RecordedEvent>(kKeptEvents);
  std::map<std::uint32_t, std::uint32_t> m_green_contexts;
  CuptiCounts m_counts;
};

}  // namespace lanelab
