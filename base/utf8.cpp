// SPDX-License-Identifier: GPL-3.0-only
#include "base/utf8.h"

namespace lanelab {
namespace {

/// Length of the valid UTF-8 sequence at the front of `text`, 0 if there is none (Unicode 15, table 3-7: no surrogates,
/// no overlong forms).
std::size_t sequenceLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                             : lead >= 0xE0 && lead <= 0xEF ? 3
                             : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                            : 0;
  if (length == 0 || text.size() < length) return 0;
  const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i)
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  return length;
}

}  // namespace

Character firstCharacter(std::string_view text) {
  const std::size_t length = sequenceLength(text);
  if (length == 0) return {};
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  constexpr unsigned char kLeadBits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t code = byte(0) & kLeadBits[length];
  for (std::size_t i = 1; i < length; ++i) code = (code << 6) | (byte(i) & 0x3F);
  return {code, length, true};
}

std::string validUtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequenceLength(text);
    out += length == 0 ? kReplacementCharacter : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

std::size_t countCharacters(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(firstCharacter(text).bytes);
  return count;
}

std::string_view firstCharacters(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (; count > 0 && end < text.size(); --count) end += firstCharacter(text.substr(end)).bytes;
  return text.substr(0, end);
}

std::string cutAfter(std::string_view text, std::size_t count) {
  const std::string_view first = firstCharacters(text, count);
  return std::string(first) + (first.size() < text.size() ? "..." : "");
}

std::string cutInMiddle(std::string_view text, std::size_t count) {
  constexpr std::string_view kDots = "...";
  const std::size_t all = countCharacters(text);
  if (all <= count) return std::string(text);
  const std::size_t room = std::max(count, kDots.size()) - kDots.size();
  const std::size_t tail = room / 2;
  const std::string_view before_tail = firstCharacters(text, all - tail);
  return std::string(firstCharacters(text, room - tail)).append(kDots).append(text.substr(before_tail.size()));
}

std::string_view firstBytes(std::string_view text, std::size_t bytes) {
  std::size_t end = 0;
  while (end < text.size()) {
    const std::size_t next = end + firstCharacter(text.substr(end)).bytes;
    if (next > bytes) break;
    end = next;
  }
  return text.substr(0, end);
}

}  // namespace lanelab
