// SPDX-License-Identifier: GPL-3.0-only
#include "base/file_name.h"

#include <cstdint>

#include "base/utf8.h"

namespace lanelab {
namespace {

constexpr std::size_t hash_digits = 8;

/// FNV-1a, folded to 32 bits: unlike std::hash the same in every build.
std::uint32_t hashOfName(std::string_view name) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

}  // namespace

std::string shortFileName(std::string_view name) {
  if (name.size() <= most_file_name_bytes) return std::string(name);
  std::string text(firstBytes(name, most_file_name_bytes - hash_digits - 1));
  text += '-';
  const std::uint32_t hash = hashOfName(name);
  for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[hash >> shift & 15];
  return text;
}

bool belongsInFileName(char32_t code) { return !isControl(code) && !isBidiMark(code) && !isNonCharacter(code); }

}  // namespace lanelab
