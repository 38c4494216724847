// SPDX-License-Identifier: GPL-3.0-only
// Gathers the ends of arrows (ph s, t, f) and keeps those arrows that have a beginning and an end.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "profiler/trace/imported_trace.h"
#include "profiler/trace/name_table.h"

namespace lanelab {

/// An arrow is told by category and id together, since two kinds of arrows may count from 1 each; it has the name of
/// the end that came first.
class FlowTable {
 public:
  /// `end.flow` is set here.
  void add(std::uint16_t label, std::uint32_t name, std::string_view id, ImportedFlowEnd end);
  /// Moves the arrows with both ends into `trace`; counts each end of the others in its problems.
  void finish(ImportedTrace& trace);

 private:
  struct Key {
    std::uint64_t id;
    std::uint16_t label;
    bool text_id;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return static_cast<std::size_t>((key.id * 0x9E3779B97F4A7C15ULL) ^ key.label ^ (key.text_id ? 1U << 17U : 0U));
    }
  };

  std::unordered_map<Key, std::uint32_t, KeyHash> m_index;
  std::vector<ImportedFlow> m_flows;
  std::vector<ImportedFlowEnd> m_ends;
  NameTable m_texts;
};

}  // namespace lanelab
