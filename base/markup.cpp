// SPDX-License-Identifier: GPL-3.0-only
#include "base/markup.h"

#include "base/utf8.h"

namespace lanelab {
namespace {

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
