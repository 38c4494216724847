// SPDX-License-Identifier: GPL-3.0-only
// What the readers of HTML and CSV share: the rest of the text, and the first place that breaks the rules.
#pragma once

#include <string>
#include <string_view>

namespace lanelab {

class StrictReader {
 protected:
  explicit StrictReader(std::string_view text) : m_rest(text) {}

  /// Only the first fault is recorded.
  void fail(const std::string& what) {
    if (m_fault.empty()) m_fault = what + " before: " + std::string(m_rest.substr(0, 60));
  }

  /// Removes `expected` if it comes next.
  bool skip(std::string_view expected) {
    const bool found = m_rest.starts_with(expected);
    if (found) m_rest.remove_prefix(expected.size());
    return found;
  }

  std::string_view m_rest;
  std::string m_fault;
};

}  // namespace lanelab
