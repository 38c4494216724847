// SPDX-License-Identifier: GPL-3.0-only
#include "base/file_name.h"

#include <cstdint>

#include "base/fingerprint.h"
#include "base/utf8.h"

namespace lanelab {
namespace {

constexpr int kHashDigits = 8;

}  // namespace

std::string shortFileName(std::string_view name) {
  if (name.size() <= kMostFileNameBytes) return std::string(name);
  std::string text(firstBytes(name, kMostFileNameBytes - kHashDigits - 1));
  text += '-';
  const std::uint64_t fingerprint = fingerprintOf(name);
  return text + hexDigits(fingerprint ^ (fingerprint >> 32), kHashDigits);
}

bool belongsInFileName(char32_t code) { return !isControl(code) && !isBidiMark(code) && !isNonCharacter(code); }

}  // namespace lanelab
