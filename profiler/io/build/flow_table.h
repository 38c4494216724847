// SPDX-License-Identifier: GPL-3.0-only
// Gathers the ends of arrows (ph s, t, f) and keeps those arrows that have a beginning and an end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "profiler/io/source/imported_id.h"
#include "profiler/trace/imported_trace.h"
#include "profiler/trace/name_table.h"

namespace lanelab {

/// An arrow is identified by category and id together, since two kinds of arrows may count from 1 each; it has the name
/// of the end that came first.
class FlowTable {
 public:
  /// `end.flow` is set here.
  void add(std::uint16_t label, std::uint32_t name, std::string_view id, ImportedFlowEnd end) {
    const auto whole = wholeId(id);
    const Key key{whole ? *whole : m_texts.indexOf(id), label, !whole};
    const auto [found, fresh] = m_index.try_emplace(key, static_cast<std::uint32_t>(m_flows.size()));
    if (fresh) m_flows.push_back({key.id, name, key.label, key.text_id});
    end.flow = found->second;
    m_ends.push_back(end);
  }

  /// Moves the arrows with both ends into `trace`; counts each end of the others in its problems. Those of a launch
  /// (`launches` of the label) are no loss but a note: PyTorch writes an end for each runtime call, also of those that
  /// start no work of a GPU, and kernels find their launch by correlation id.
  template <class Launches>
  void finish(ImportedTrace& trace, const Launches& launches) {
    m_index.clear();
    std::vector<Ends> ends(m_flows.size());
    for (const ImportedFlowEnd& end : m_ends) {
      ends[end.flow].starts += end.phase == 's' ? 1 : 0;
      ends[end.flow].finishes += end.phase == 'f' ? 1 : 0;
    }
    std::vector<std::uint32_t> place(m_flows.size());
    for (std::size_t i = 0; i < m_flows.size(); ++i) {
      place[i] = static_cast<std::uint32_t>(trace.flows.size());
      if (ends[i].both()) trace.flows.push_back(m_flows[i]);
    }
    for (ImportedFlowEnd& end : m_ends) {
      if (!ends[end.flow].both()) {
        noteUnmatched(trace, end.phase, launches(m_flows[end.flow].label));
        continue;
      }
      end.flow = place[end.flow];
      trace.flow_ends.push_back(end);
    }
    std::ranges::stable_sort(trace.flow_ends, {}, [](const ImportedFlowEnd& end) {
      return std::tuple(end.flow, rank(end.phase), end.time);
    });
    trace.flow_texts = m_texts.releaseTexts();
    trace.counts.flows = static_cast<std::int64_t>(trace.flows.size());
    *this = {};
  }

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

  struct Ends {
    std::int64_t starts = 0;
    std::int64_t finishes = 0;
    bool both() const { return starts > 0 && finishes > 0; }
  };
  static int rank(char phase) { return phase == 's' ? 0 : phase == 't' ? 1 : 2; }
  static void noteUnmatched(ImportedTrace& trace, char phase, bool launch) {
    if (launch) {
      ++trace.counts.notes["launch_flow_without_partner"];
      return;
    }
    constexpr const char* kKinds[] = {"unmatched_flow_start", "unmatched_flow_step", "unmatched_flow_end"};
    ++trace.counts.problems[kKinds[rank(phase)]];
  }

  std::unordered_map<Key, std::uint32_t, KeyHash> m_index;
  std::vector<ImportedFlow> m_flows;
  std::vector<ImportedFlowEnd> m_ends;
  NameTable m_texts;
};

}  // namespace lanelab
