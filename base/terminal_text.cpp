// SPDX-License-Identifier: GPL-3.0-only
#include "base/terminal_text.h"

#include <algorithm>

#include "base/utf8.h"

namespace lanelab {
namespace {

bool isPlain(char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\t'; }

void appendHex(std::string& out, std::string_view mark, unsigned value, int digits) {
  out += mark;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += "0123456789abcdef"[value >> shift & 15];
}

/// Appends the first character, which is not plain, and returns how many bytes it had.
std::size_t appendFirst(std::string& out, std::string_view text) {
  const Character first = firstCharacter(text);
  if (!first.valid || first.code < 0x20) {
    appendHex(out, "\\x", static_cast<unsigned char>(text.front()), 2);
  } else if (isControl(first.code) || isBidiOverride(first.code)) {
    appendHex(out, "\\u", first.code, 4);
  } else {
    out += text.substr(0, first.bytes);
  }
  return first.bytes;
}

}  // namespace

void appendForTerminal(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const auto plain = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), isPlain) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (!text.empty()) text.remove_prefix(appendFirst(out, text));
  }
}

std::string forTerminal(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  appendForTerminal(out, text);
  return out;
}

std::string onOneTerminalLine(std::string_view text) {
  std::string line;
  for (const char c : forTerminal(text))
    line += c == '\n' ? std::string("\\n") : c == '\t' ? std::string("\\t") : std::string(1, c);
  return line;
}

}  // namespace lanelab
