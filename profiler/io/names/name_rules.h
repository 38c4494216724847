// SPDX-License-Identifier: GPL-3.0-only
// Rules that say what spans of a name do. Of several that are for a name the first holds. Immutable once filled; any
// thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "profiler/io/names/named_work.h"
#include "profiler/trace/name_table.h"

namespace lanelab {

struct NameRule {
  NamePattern pattern;
  std::vector<WorkPart> does;  ///< not empty
  GroupKind group = GroupKind::Unknown;
  bool timeline = false;
};

class NameRules {
 public:
  void add(NameRule rule);
  std::size_t size() const { return m_rules.size(); }

  struct Found {
    std::size_t rule = 0;  ///< in the order in which they were added
    NamedWork work;
  };
  /// Looks at rules of the name's first character only, and at those for any.
  std::optional<Found> find(std::string_view name) const;

 private:
  std::vector<NameRule> m_rules;
  TextMap<std::uint32_t> m_of_name;                               ///< rules for one name
  std::array<std::vector<std::uint32_t>, 256> m_of_first_letter;  ///< rules for several
  std::vector<std::uint32_t> m_of_any_letter;
};

}  // namespace lanelab
