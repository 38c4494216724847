// SPDX-License-Identifier: GPL-3.0-only
// Command lines that a POSIX shell reads back as the same words. Pure functions; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lanelab {

/// The word itself if a shell takes it literally, else in single quotes.
std::string shellWord(std::string_view word);
/// The words, quoted if needed, with spaces between them.
std::string shellLine(std::span<const std::string> words);

}  // namespace lanelab
