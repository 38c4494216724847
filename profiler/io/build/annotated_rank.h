// SPDX-License-Identifier: GPL-3.0-only
// The rows of one rank, of what it annotated: actions, transfers, loading of data and collectives.
#pragma once

#include <vector>

#include "profiler/io/build/annotation_numbers.h"
#include "profiler/io/build/import_builder.h"
#include "profiler/io/build/rank_place.h"

namespace lanelab {

/// What one process annotated, on the host and as its GPU shows it. Any order.
struct RankAnnotations {
  std::vector<Annotation> on_host, on_gpu;
  std::vector<StepWindow> steps;
  int device = -1;

  /// Forward and backward.
  bool hasPasses() const;
};

/// Adds the rows to the process. n log n.
void addRankRows(ImportBuilder& builder, std::uint32_t process, RankAnnotations annotations, const RankPlace& place);

}  // namespace lanelab
