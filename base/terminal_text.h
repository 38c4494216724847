// SPDX-License-Identifier: GPL-3.0-only
// Text for a terminal, which would obey the control characters in a name: names in traces and experiments were chosen
// by others. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <streambuf>
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

/// While it lives, all that is written to `stream` goes through forTerminal(); ordinary text stays as it is, byte for
/// byte. The stream may be used by several threads.
class TerminalStream {
 public:
  explicit TerminalStream(std::ostream& stream);
  ~TerminalStream();
  TerminalStream(const TerminalStream&) = delete;
  TerminalStream& operator=(const TerminalStream&) = delete;

 private:
  std::ostream& m_stream;
  std::streambuf* m_plain;
  std::unique_ptr<std::streambuf> m_escaping;
};

/// Clears the line of the terminal and returns to its begin, past a TerminalStream of `stream`.
void clearTerminalLine(std::ostream& stream);

}  // namespace lanelab
