// SPDX-License-Identifier: GPL-3.0-only
// Text for a terminal, which would obey the control characters in a name. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lanelab {

/// `text` with everything visible that a terminal would obey: control characters but newline and tab, marks that
/// reorder text and bytes that are not valid UTF-8, as \x1b or \u202e. From DEL on a character is written as JSON does,
/// so that JSON on standard output reads back unchanged.
std::string forTerminal(std::string_view text);

/// Like forTerminal(), and newlines and tabs as \n and \t: for names within a line or a table.
std::string onOneTerminalLine(std::string_view text);

/// How many columns `text` takes on a terminal: none for a mark that joins the character before it, two for the wide
/// characters of East Asia and for emoji, one for each other character and each byte that is not valid UTF-8.
std::size_t terminalWidth(std::string_view text);

/// Appends forTerminal(text) to `out`.
void appendForTerminal(std::string& out, std::string_view text);

}  // namespace lanelab
