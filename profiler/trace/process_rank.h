// SPDX-License-Identifier: GPL-3.0-only
// The rank of a process, as scripts that merge the traces of several ranks write it into names and pids.
#pragma once

#include <string>
#include <string_view>

#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// "rank 3" of "Rank_03 python", "tp01" of "[TP01] GPU 1"; "" without a rank.
std::string rankIn(std::string_view text);
/// Of its name, else its pid, else its labels.
std::string rankOf(const ImportedProcess& process);

}  // namespace lanelab
