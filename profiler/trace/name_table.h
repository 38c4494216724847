// SPDX-License-Identifier: GPL-3.0-only
// Texts that occur again and again, each stored once and named by its place.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lanelab {

/// Lookup of texts by view, without making a string.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
template <class Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

class NameTable {
 public:
  NameTable() = default;
  NameTable(NameTable&&) = default;
  NameTable& operator=(NameTable&&) = default;

  std::uint32_t indexOf(std::string_view text) {
    const auto found = m_index.find(text);
    if (found != m_index.end()) return found->second;
    const auto index = static_cast<std::uint32_t>(m_texts.size());
    m_texts.push_back(&m_index.emplace(text, index).first->first);
    return index;
  }
  bool contains(std::string_view text) const { return m_index.find(text) != m_index.end(); }
  std::size_t size() const { return m_texts.size(); }
  const std::string& textOf(std::uint32_t index) const { return *m_texts[index]; }
  /// All texts by their index.
  std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    texts.reserve(m_texts.size());
    for (const std::string* const text : m_texts) texts.push_back(*text);
    return texts;
  }
  /// The same; the table is empty afterwards.
  std::vector<std::string> releaseTexts() {
    std::vector<std::string> texts(m_texts.size());
    m_texts.clear();
    while (!m_index.empty()) {
      auto node = m_index.extract(m_index.begin());
      texts[node.mapped()] = std::move(node.key());
    }
    return texts;
  }

 private:
  TextMap<std::uint32_t> m_index;
  std::vector<const std::string*> m_texts;  ///< by index; keys of the map, which never move
};

}  // namespace lanelab
