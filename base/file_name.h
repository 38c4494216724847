// SPDX-License-Identifier: GPL-3.0-only
// Names of files and folders that are made from names of others. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lanelab {

/// Leaves room for a prefix, a time and a file extension: file systems allow 255 bytes.
inline constexpr std::size_t kMostFileNameBytes = 80;

/// A name of at most 80 bytes is returned unchanged. A longer one is cut between characters and ends in a hash of the
/// whole name, so that names remain different: "a-very-long-name-1a2b3c4d". The same name always gives the same result.
std::string shortFileName(std::string_view name);

/// Whether a character may be part of a file name: not a control character, not a mark that reorders text, not a
/// non-character.
bool belongsInFileName(char32_t code);

}  // namespace lanelab
