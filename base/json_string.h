// SPDX-License-Identifier: GPL-3.0-only
// The one writer of JSON strings.
#pragma once

#include <string>
#include <string_view>

namespace lanelab {

/// Appends `text` in quotes and escaped; bytes that are no UTF-8 become U+FFFD, so the result is valid whatever the
/// text holds.
void appendJsonString(std::string& out, std::string_view text);

}  // namespace lanelab
