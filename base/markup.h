// SPDX-License-Identifier: GPL-3.0-only
// Text inside HTML and SVG. Pure function; any thread.
#pragma once

#include <string>
#include <string_view>

namespace lanelab {

/// `text` for HTML and XML 1.0, between tags or in a quoted attribute: & < > " ' as entities. Control characters but
/// tab and newline, non-characters and bytes that are not valid UTF-8 become U+FFFD, since XML forbids them.
std::string escapedMarkup(std::string_view text);

}  // namespace lanelab
