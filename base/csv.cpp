// SPDX-License-Identifier: GPL-3.0-only
#include "base/csv.h"

#include <array>
#include <cmath>

#include "base/text.h"
#include "base/utf8.h"

namespace lanelab {
namespace {

/// Printable ASCII but the quote, by byte. A table, since the names of millions of spans pass through it.
constexpr std::array<bool, 256> kPlainBytes = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = ' '; c <= '~'; ++c) plain[c] = c != '"';
  return plain;
}();

/// The beginning of `text` that consists of plain bytes.
std::string_view plainPart(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && kPlainBytes[static_cast<unsigned char>(text[length])]) ++length;
  return text.substr(0, length);
}

constexpr bool beginsFormula(char32_t code) {
  constexpr std::u32string_view kMarks = U"=+-@\t\r\n＝＋－＠";
  return kMarks.find(code) != std::u32string_view::npos;
}

bool isFormula(std::string_view text) {
  if (text.empty() || (text.front() >= 'A' && text.front() <= 'z')) return false;
  const std::size_t begin = text.find_first_not_of(' ');
  return begin != std::string_view::npos && beginsFormula(firstCharacter(text.substr(begin)).code);
}

bool isKept(const Character& character) {
  const bool blank = character.code == '\t' || character.code == '\r' || character.code == '\n';
  return character.valid && (blank || !isControl(character.code));
}

/// Appends the first character, which is not a plain byte, and returns how many bytes it had.
std::size_t appendOdd(std::string& out, std::string_view text) {
  const Character first = firstCharacter(text);
  if (first.code == '"') out += '"';
  out += isKept(first) ? text.substr(0, first.bytes) : kReplacementCharacter;
  return first.bytes;
}

void appendCleaned(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const std::string_view plain = plainPart(text);
    out += plain;
    text.remove_prefix(plain.size());
    if (!text.empty()) text.remove_prefix(appendOdd(out, text));
  }
}

}  // namespace

void appendCsvText(std::string& out, std::string_view text) {
  const bool quoted = text.find_first_of(",\"\r\n") != std::string_view::npos;
  if (quoted) out += '"';
  if (isFormula(text)) out += '\'';
  appendCleaned(out, text);
  if (quoted) out += '"';
}

CsvTable& CsvTable::exact(double value, bool known) {
  return number(known && std::isfinite(value) ? exactNumber(value) : "");
}

}  // namespace lanelab
