// SPDX-License-Identifier: GPL-3.0-only
// Arrows from runtime calls to the work of GPUs that they start, by correlation id, as PyTorch writes them itself.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "profiler/io/build/import_builder.h"

namespace lanelab {

/// Gathers work and calls in any order, and adds an arrow for each call that started some, to all of it.
class LaunchFlows {
 public:
  /// One end: a call, or a kernel, copy or memset. Without a process its correlation id is compared alone.
  struct End {
    std::int64_t correlation = 0;
    std::optional<std::int64_t> process;
    Nanoseconds start = 0;
    std::uint32_t row = 0;  ///< the builder's
  };
  /// A correlation id of 0 or below is none.
  void addWork(const End& work) {
    if (work.correlation > 0) m_work.push_back(work);
  }
  void addCall(const End& call) {
    if (call.correlation > 0) m_calls.push_back(call);
  }
  /// Called once. n log n.
  void finish(ImportBuilder& builder);

 private:
  std::vector<End> m_work;
  std::vector<End> m_calls;
};

}  // namespace lanelab
