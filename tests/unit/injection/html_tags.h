// SPDX-License-Identifier: GPL-3.0-only
// Reads HTML as a browser does, as far as this is needed to see whether a name became markup.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanelab {

struct HtmlTags {
  std::vector<std::string> tags;  ///< "td class", "/td": the element with the names of its attributes, in order
  std::string fault;  ///< the first thing that no strict page has: a comment, a bare < or &, a control character; empty
                      ///< if there is none
};

HtmlTags tagsOf(std::string_view html);

}  // namespace lanelab
