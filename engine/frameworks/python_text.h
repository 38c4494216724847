// SPDX-License-Identifier: GPL-3.0-only
// Values as Python writes them. Names come from files that anybody made, so what is not an identifier is written as
// an escaped string. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanelab {

/// Whether it is an identifier of ASCII letters and no keyword.
bool isPythonName(std::string_view text);
/// In double quotes; control characters, quotes and bytes that are not UTF-8 are escaped.
std::string pythonString(std::string_view text);
std::string pythonBool(bool value);
/// With all of its digits; float("inf") of what has no literal.
std::string pythonNumber(double value);
/// Of texts that are Python already: "[a, b]".
std::string pythonList(std::span<const std::string> items);
std::string pythonList(std::span<const std::int64_t> items);
std::string pythonList(std::span<const int> items);
/// With a comma behind a single item: "(a,)".
std::string pythonTuple(std::span<const std::string> items);
/// What self.a["0"].b is of "a.0.b".
std::string pythonMember(std::string_view path);
/// For a comment or a docstring: one line of printable characters, without quotes and backslashes.
std::string pythonComment(std::string_view text);

}  // namespace lanelab
