// SPDX-License-Identifier: GPL-3.0-only
#include "tests/unit/injection/html_tags.h"

#include "base/utf8.h"
#include "tests/unit/injection/strict_reader.h"

namespace lanelab {
namespace {

bool isNameByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}

class TagReader : StrictReader {
 public:
  explicit TagReader(std::string_view html) : StrictReader(html) {}

  HtmlTags read() {
    checkCharacters(m_rest);
    if (!skip("<!DOCTYPE html>")) fail("no doctype");
    while (!m_rest.empty() && m_fault.empty()) {
      text(m_rest.substr(0, m_rest.find('<')));
      if (!m_rest.empty()) tag();
    }
    m_found.fault = m_fault;
    return std::move(m_found);
  }

 private:
  void checkCharacters(std::string_view html) {
    for (; !html.empty(); html.remove_prefix(firstCharacter(html).bytes)) {
      const Character first = firstCharacter(html);
      const bool blank = first.code == '\n' || first.code == '\t';
      if (!first.valid || isNonCharacter(first.code) || (isControl(first.code) && !blank))
        fail("a character that HTML forbids");
    }
  }

  void text(std::string_view text) {
    references(text);
    m_rest.remove_prefix(text.size());
  }

  void references(std::string_view text) {
    for (std::size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
      bool known = false;
      for (const char* entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"})
        known = known || text.substr(at).starts_with(entity);
      if (!known) fail("a bare &");
    }
  }

  std::string name() {
    std::size_t length = 0;
    while (length < m_rest.size() && isNameByte(m_rest[length])) ++length;
    std::string name(m_rest.substr(0, length));
    m_rest.remove_prefix(length);
    return name;
  }

  void attribute(std::string& tag) {
    const std::string attribute = name();
    if (attribute.empty() || !skip("=\"")) return fail("an attribute without a quoted value");
    tag += ' ' + attribute;
    const std::size_t end = m_rest.find('"');
    if (end == std::string_view::npos) return fail("an attribute without an end");
    references(m_rest.substr(0, end));
    m_rest.remove_prefix(end + 1);
  }

  void tag() {
    m_rest.remove_prefix(1);
    std::string tag = skip("/") ? "/" : "";
    const std::string element = name();
    if (element.empty()) return fail("a bare <");
    tag += element;
    while (m_fault.empty() && !skip(">")) {
      if (skip(" open>")) {  // the one attribute without a value
        tag += " open";
        break;
      }
      if (!skip(" ")) return fail("a tag without an end");
      attribute(tag);
    }
    m_found.tags.push_back(tag);
    if (tag == "style") m_rest.remove_prefix(std::min(m_rest.size(), m_rest.find("</style>")));
    if (tag == "title" && !m_rest.substr(m_rest.find('<')).starts_with("</title>")) fail("markup in the title");
  }

  HtmlTags m_found;
};

}  // namespace

HtmlTags tagsOf(std::string_view html) { return TagReader(html).read(); }

}  // namespace lanelab
