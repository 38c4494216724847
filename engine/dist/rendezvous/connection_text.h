// SPDX-License-Identifier: GPL-3.0-only
// What c10d, Gloo and NCCL say of a broken connection, as a sentence about ranks. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace lanelab {

/// What happened and what to do, without a word of the library's own. Also for what LaneLab's own parts say of a wait
/// that was too long.
std::string connectionSentence(std::string_view said);

/// Writes the library's own words to c10's log, which is shown with TORCH_CPP_LOG_LEVEL=INFO.
void logConnectionText(const std::string& said);

}  // namespace lanelab
