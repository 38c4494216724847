// SPDX-License-Identifier: GPL-3.0-only
// What a span is that a file calls a kernel, as its name says.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "profiler/trace/name_table.h"
#include "profiler/trace/span.h"

namespace lanelab {

/// Files have one category for kernels that compute and those that communicate; MTIA's has copies and what its streams
/// do to order each other as well. Each name is looked at once.
class KernelKinds {
 public:
  /// `names` must outlive this. `mtia` is the label of spans of MTIA's category, 0 if the file has none.
  KernelKinds(const NameTable& names, std::uint16_t mtia) : m_names(names), m_mtia(mtia) {}

  /// That of the span itself unless it is a kernel.
  Category of(const Span& span) {
    if (span.category != Category::Kernel) return span.category;
    const bool mtia = m_mtia != 0 && span.label == m_mtia;
    std::vector<std::optional<Category>>& known = m_known[mtia ? 1 : 0];
    if (known.size() <= span.name) known.resize(m_names.size());
    std::optional<Category>& category = known[span.name];
    if (!category) category = kindOf(m_names.textOf(span.name), mtia);
    return *category;
  }

 private:
  static Category kindOf(std::string_view name, bool mtia);

  const NameTable& m_names;
  std::uint16_t m_mtia;
  std::array<std::vector<std::optional<Category>>, 2> m_known;  ///< by name; of kernels, and of MTIA's events
};

}  // namespace lanelab
