// SPDX-License-Identifier: GPL-3.0-only
// One record of GPU activity, free of CUPTI's versioned structs. Times are nanoseconds on CUPTI's clock.
#pragma once

#include <cstdint>

#include "profiler/trace/trace.h"

namespace lanelab {

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
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;  ///< a device, context, stream or thread that is not known

  Nanoseconds start = 0;
  Nanoseconds end = 0;
  std::uint64_t bytes = 0;       ///< copies and memsets
  std::uint64_t graph_node = 0;  ///< the node of a CUDA graph that it was; 0 when none
  std::uint32_t graph = 0;  ///< the graph that was launched; all its nodes have its launch's correlation. 0 when none
  std::uint32_t device = kNone;
  std::uint32_t context = kNone;
  std::uint32_t stream = kNone;
  std::uint32_t thread = kNone;   ///< host calls and overhead: the system's thread id
  std::uint32_t correlation = 0;  ///< ties a launch call to what it launched; 0 when none
  std::uint32_t awaited = kNone;  ///< waits for an event: the stream on which that was recorded, where it is known
  std::uint32_t name = 0;         ///< CuptiDecoder::nameOf
  Kind kind = Kind::Kernel;

  bool isCall() const { return kind == Kind::RuntimeCall || kind == Kind::DriverCall; }
  /// Work of a device, as against what a host thread did.
  bool isDeviceWork() const { return kind <= Kind::Memset; }
};

/// A CUDA context as CUPTI describes it; a green context is a lane's share of a GPU.
struct CudaContext {
  std::uint32_t device = 0;
  std::uint32_t parent = 0;  ///< of a green context
  bool is_green = false;
  std::uint32_t multiprocessors = 0;  ///< of a green context
};

}  // namespace lanelab
