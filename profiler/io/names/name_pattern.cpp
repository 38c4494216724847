// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/names/name_pattern.h"

#include <algorithm>

#include "base/parse_number.h"
#include "base/text.h"

namespace lanelab {

namespace {

constexpr std::string_view kDecimalDigits = "0123456789";

/// The number of a placeholder that begins behind its brace; takes it and the closing brace off the text.
Result<NameNumber> takePlaceholder(std::string_view& text) {
  const std::size_t end = text.find('}');
  if (end == std::string_view::npos)
    return Error::badInput("has a { without its }. Close it, or write \\{ for the character.");
  const std::string word(text.substr(0, end));
  text.remove_prefix(end + 1);
  if (const auto number = fromWord<NameNumber>(word)) return *number;
  return Error::badInput("has {}, which is not a number of a name. Use {}.", "{" + word + "}",
                         joinOr(std::vector<std::string>{"{step}", "{stage}", "{micro_batch}", "{replica}"}));
}

}  // namespace

Result<NamePattern> NamePattern::parse(std::string_view text) {
  if (text.empty()) return Error::badInput("is empty. Write a name, such as \"forward*\".");
  NamePattern pattern;
  pattern.m_parts.emplace_back(1);
  NameNumbers seen;
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    Part& part = pattern.m_parts.back();
    if (c == '*') {
      pattern.m_parts.emplace_back(1);
    } else if (c == '{') {
      const Result<NameNumber> number = takePlaceholder(text);
      if (!number.ok()) return number.error();
      const std::string shown = "{" + toWord(*number) + "}";
      if (seen[*number]) return Error::badInput("has {} twice. Keep one of them.", shown);
      if (part.back().text.empty() && part.size() > 1)
        return Error::badInput("has {} right behind another number, so where it begins is not known.", shown);
      seen[*number] = 0;
      part.back().number = *number;
      part.emplace_back();
    } else if (c == '\\' && !text.empty()) {
      part.back().text += text.front();
      text.remove_prefix(1);
    } else {
      part.back().text += c;
    }
  }
  return pattern;
}

/// How much of the front of the name the part takes; nothing if it does not begin with it.
std::optional<std::size_t> NamePattern::matchPart(const Part& part, std::string_view name, NameNumbers& numbers) {
  std::size_t at = 0;
  for (const Piece& piece : part) {
    if (!name.substr(at).starts_with(piece.text)) return std::nullopt;
    at += piece.text.size();
    if (!piece.number) continue;
    const std::size_t end = std::min(name.find_first_not_of(kDecimalDigits, at), name.size());
    numbers[*piece.number] = parseNumber<int>(name.substr(at, end - at));
    if (!numbers[*piece.number]) return std::nullopt;
    at = end;
  }
  return at;
}

std::optional<NameNumbers> NamePattern::match(std::string_view name) const {
  NameNumbers numbers;
  const std::optional<std::size_t> front = matchPart(m_parts.front(), name, numbers);
  if (!front) return std::nullopt;
  name.remove_prefix(*front);
  if (m_parts.size() == 1) return name.empty() ? std::optional(numbers) : std::nullopt;
  for (std::size_t i = 1; i < m_parts.size(); ++i) {
    const bool last = i + 1 == m_parts.size();
    const std::string& text = m_parts[i].front().text;
    bool found = false;
    for (std::size_t at = name.find(text); at != std::string_view::npos; at = name.find(text, at + 1)) {
      NameNumbers tried = numbers;
      const std::optional<std::size_t> length = matchPart(m_parts[i], name.substr(at), tried);
      found = length && (!last || at + *length == name.size());
      if (!found) continue;
      numbers = tried;
      name.remove_prefix(at + *length);
      break;
    }
    if (!found) return std::nullopt;
  }
  return numbers;
}

std::optional<std::string> NamePattern::onlyName() const {
  const bool one = m_parts.size() == 1 && m_parts.front().size() == 1;
  return one ? std::optional(m_parts.front().front().text) : std::nullopt;
}

std::optional<char> NamePattern::firstCharacter() const {
  const std::string& text = m_parts.front().front().text;
  return text.empty() ? std::nullopt : std::optional(text.front());
}

}  // namespace lanelab
