// SPDX-License-Identifier: GPL-3.0-only
#include "base/escaped_text.h"

#include "base/fingerprint.h"
#include "base/utf8.h"

namespace lanelab {
namespace {

void appendEscaped(std::string& out, char c) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\t': out += "\\t"; return;
    case '\r': out += "\\r"; return;
    default: break;
  }
  if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) {
    out += c;
    return;
  }
  out += "\\u" + hexDigits(static_cast<unsigned char>(c), 4);
}

std::string_view entityOf(char32_t code) {
  switch (code) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return {};
  }
}

bool isForbidden(const Character& character) {
  if (character.code == '\t' || character.code == '\n') return false;
  return !character.valid || isControl(character.code) || isNonCharacter(character.code);
}

}  // namespace

void appendJsonString(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    if (static_cast<unsigned char>(text.front()) < 0x80) {
      appendEscaped(out, text.front());
      text.remove_prefix(1);
      continue;
    }
    const Character first = firstCharacter(text);
    out += first.valid ? text.substr(0, first.bytes) : kReplacementCharacter;
    text.remove_prefix(first.bytes);
  }
  out += '"';
}

std::string escapedMarkup(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = firstCharacter(text);
    const std::string_view entity = entityOf(character.code);
    out += isForbidden(character) ? kReplacementCharacter : entity.empty() ? text.substr(0, character.bytes) : entity;
    text.remove_prefix(character.bytes);
  }
  return out;
}

}  // namespace lanelab
