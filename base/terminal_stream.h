// SPDX-License-Identifier: GPL-3.0-only
// What the program prints, with everything visible that a terminal would obey: names in traces and experiments were
// chosen by others.
#pragma once

#include <iosfwd>
#include <memory>
#include <streambuf>

namespace lanelab {

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
