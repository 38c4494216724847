// SPDX-License-Identifier: GPL-3.0-only
// Text inside JSON, HTML and SVG. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

namespace lanelab {

/// Appends `text` in quotes and escaped; bytes that are no UTF-8 become U+FFFD, so the result is valid whatever the
/// text holds.
void appendJsonString(std::string& out, std::string_view text);

/// `text` for HTML and XML 1.0, between tags or in a quoted attribute: & < > " ' as entities. Control characters but
/// tab and newline, non-characters and bytes that are not valid UTF-8 become U+FFFD, since XML forbids them.
std::string escapedMarkup(std::string_view text);

}  // namespace lanelab
