// SPDX-License-Identifier: GPL-3.0-only
#include "engine/frameworks/python_text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/json_text.h"
#include "base/text.h"

namespace lanelab {
namespace {

constexpr std::array<std::string_view, 35> kPythonKeywords = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

bool isWordLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

template <class Item>
std::string listOf(std::span<const Item> items) {
  std::string text = "[";
  for (const Item& item : items) {
    if (text.size() > 1) text += ", ";
    if constexpr (std::is_same_v<Item, std::string>) {
      text += item;
    } else {
      text += std::to_string(item);
    }
  }
  return text + "]";
}

}  // namespace

bool isPythonName(std::string_view text) {
  const bool digit_first = !text.empty() && text.front() >= '0' && text.front() <= '9';
  return !text.empty() && !digit_first && std::ranges::all_of(text, isWordLetter) &&
         std::ranges::find(kPythonKeywords, text) == kPythonKeywords.end();
}

std::string pythonString(std::string_view text) {
  // A string of JSON is a literal of Python, too, as long as nothing is written as a pair of surrogates.
  const Json value = std::string(text);
  std::string written = value.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
  std::erase(written, '\x7f');
  return written;
}

std::string pythonBool(bool value) { return value ? "True" : "False"; }

std::string pythonNumber(double value) {
  if (std::isnan(value)) return "float(\"nan\")";
  if (std::isinf(value)) return value > 0 ? "float(\"inf\")" : "float(\"-inf\")";
  std::string text = exactNumber(value);
  if (text.find_first_of(".eE") == std::string::npos) text += ".0";
  return text;
}

std::string pythonList(std::span<const std::string> items) { return listOf(items); }
std::string pythonList(std::span<const std::int64_t> items) { return listOf(items); }
std::string pythonList(std::span<const int> items) { return listOf(items); }

std::string pythonTuple(std::span<const std::string> items) {
  return "(" + joined(items, ", ") + (items.size() == 1 ? ",)" : ")");
}

std::string pythonMember(std::string_view path) {
  std::string text = "self";
  for (const std::string_view part : partsBetween(path, "."))
    text += isPythonName(part) ? "." + std::string(part) : "[" + pythonString(part) + "]";
  return text;
}

std::string pythonComment(std::string_view text) {
  std::string line;
  for (const char c : text) line += c >= ' ' && c != '"' && c != '\\' && c != '\x7f' ? c : ' ';
  return line;
}

}  // namespace lanelab
