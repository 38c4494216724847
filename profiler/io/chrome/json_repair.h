// SPDX-License-Identifier: GPL-3.0-only
// Makes JSON out of what careless writers take for JSON: PyTorch and others have written raw control characters, bytes
// that are no UTF-8, unescaped quotes and wrong escapes into names (pytorch#130622, pytorch#146900).
#pragma once

#include <string>
#include <string_view>

namespace lanelab {

struct RepairedJson {
  std::string text;
  bool invalid_utf8 = false;  ///< bytes became U+FFFD
  bool control = false;       ///< control characters were escaped
  bool quotes = false;        ///< quotes within texts were escaped
  bool escapes = false;       ///< a backslash before a character that needs none was doubled
};

/// `json` is one value, perhaps with blanks and commas behind it.
RepairedJson suggestionJson(std::string_view json);

}  // namespace lanelab
