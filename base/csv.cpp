#include "base/csv.h"

#include <algorithm>

#include "base/utf8.h"

namespace lanelab {
namespace {

constexpr bool isPlainByte(char c) { return c >= ' ' && c <= '~' && c != ',' && c != '"'; }

constexpr bool beginsFormula(char32_t code) {
  constexpr std::u32string_view marks = U"=+-@\t\r\n＝＋－＠";
  return marks.find(code) != std::u32string_view::npos;
}

bool isFormula(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin != std::string_view::npos && beginsFormula(firstCharacter(text.substr(begin)).code);
}

bool isKept(const Character& character) {
  const bool blank = character.code == '\t' || character.code == '\r' || character.code == '\n';
  return character.valid && (blank || !isControl(character.code));
}

void appendCleaned(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const Character character = firstCharacter(text);
    if (character.code == '"') out += '"';
    out += isKept(character) ? text.substr(0, character.bytes) : replacement_character;
    text.remove_prefix(character.bytes);
  }
}

}  // namespace

void appendCsvText(std::string& out, std::string_view text, CsvQuotes quotes) {
  const std::string_view mark = isFormula(text) ? "'" : "";
  const bool plain = std::all_of(text.begin(), text.end(), isPlainByte);
  if (plain && quotes == CsvQuotes::IfNeeded) {
    (out += mark) += text;
    return;
  }
  const bool quoted = quotes == CsvQuotes::Always || text.find_first_of(",\"\r\n") != std::string_view::npos;
  if (quoted) out += '"';
  out += mark;
  appendCleaned(out, text);
  if (quoted) out += '"';
}

}  // namespace lanelab
