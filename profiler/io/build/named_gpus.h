// SPDX-License-Identifier: GPL-3.0-only
// Makes GPU work of the spans of processes that are GPUs by their names (gpu_names.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/io/build/import_builder.h"

namespace lanelab {

/// What is known of the rows of a draft besides their spans, by row.
struct RowTitles {
  std::vector<std::string> threads;  ///< names; the tid where there is none and it is a text
  std::vector<std::string> labels;   ///< categories, by Span::label - 1
  std::uint16_t none = 0;            ///< label of spans without a category
};

/// Changes nothing in a file that has kernels, copies or memsets by their categories. Linear in the spans.
void recognizeNamedGpus(const std::vector<DraftProcess>& processes, std::vector<DraftRow>& rows, const NameTable& names,
                        const RowTitles& titles);

/// Rows of GPU work whose device only their name tells, as of rocprofv3's tracks.
void recognizeAgents(std::vector<DraftRow>& rows, const RowTitles& titles);

}  // namespace lanelab
