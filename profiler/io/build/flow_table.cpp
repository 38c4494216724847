// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/flow_table.h"

#include <algorithm>
#include <tuple>

#include "profiler/io/source/imported_id.h"

namespace lanelab {

namespace {

int rank(char phase) { return phase == 's' ? 0 : phase == 't' ? 1 : 2; }

struct Ends {
  std::int64_t starts = 0;
  std::int64_t finishes = 0;
  bool both() const { return starts > 0 && finishes > 0; }
};

void noteUnmatched(ImportedTrace& trace, char phase) {
  ++trace.counts.problems[phase == 's'   ? "unmatched_flow_start"
                          : phase == 't' ? "unmatched_flow_step"
                                         : "unmatched_flow_end"];
}

}  // namespace

void FlowTable::add(std::uint16_t label, std::uint32_t name, std::string_view id, ImportedFlowEnd end) {
  const auto whole = wholeId(id);
  const Key key{whole ? *whole : m_texts.indexOf(id), label, !whole};
  const auto [found, fresh] = m_index.try_emplace(key, static_cast<std::uint32_t>(m_flows.size()));
  if (fresh) m_flows.push_back({key.id, name, key.label, key.text_id});
  end.flow = found->second;
  m_ends.push_back(end);
}

void FlowTable::finish(ImportedTrace& trace) {
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
      noteUnmatched(trace, end.phase);
      continue;
    }
    end.flow = place[end.flow];
    trace.flow_ends.push_back(end);
  }
  std::ranges::stable_sort(trace.flow_ends, {},
                           [](const ImportedFlowEnd& end) { return std::tuple(end.flow, rank(end.phase), end.time); });
  trace.flow_texts = m_texts.takeTexts();
  trace.counts.flows = static_cast<std::int64_t>(trace.flows.size());
  *this = {};
}

}  // namespace lanelab
