// SPDX-License-Identifier: GPL-3.0-only
// JSON text to value and back, for people: comments allowed, keys given twice refused, errors with line and column or
// path.
//
// Public headers of the engine do not include this: the JSON library stays behind them. Pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lanelab {

using Json = nlohmann::ordered_json;

/// Errors (BadInput) begin with `place`: not JSON (line, column), a key given twice (path), nested deeper than 64, a
/// number no double can hold.
Result<Json> parseJsonText(std::string_view text, const std::string& place);

/// Indented by two; values that fit on a line, and lists of plain values, stay on one. NaN and infinities become null.
std::string prettyJson(const Json& value);

/// The library's own layout: on one line, or indented by `indent`. As in prettyJson(), bytes that are not valid UTF-8
/// become U+FFFD; the library would throw.
std::string jsonText(const Json& value, int indent = -1);

/// "data" + "batch" -> "data.batch"; "" + "data" -> "data".
std::string joinPath(const std::string& path, std::string_view key);
/// "variants" + 2 -> "variants[2]".
std::string indexPath(const std::string& path, std::size_t index);

}  // namespace lanelab
