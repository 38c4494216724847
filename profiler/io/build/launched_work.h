// SPDX-License-Identifier: GPL-3.0-only
// What a GPU did for a stretch of the host's time: from the first to the last kernel that was launched in it.
//
// Nsight Systems calls it the projection of an NVTX range onto the GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "profiler/io/build/import_builder.h"

namespace lanelab {

class LaunchedWork {
 public:
  /// Kernels that compute, launched by this process; all of the file's where no other process launches any. n log n in
  /// the launch calls.
  LaunchedWork(ImportBuilder& builder, std::uint32_t process);

  bool empty() const { return m_launches.empty(); }
  /// Nothing where no kernel was launched. Logarithmic, and linear in those that were.
  std::optional<TimeRange> of(TimeRange host) const;

 private:
  struct Launch {
    Nanoseconds time = 0;  ///< of the begin of the call
    TimeRange work;
  };
  std::vector<Launch> m_launches;  ///< by time
};

}  // namespace lanelab
