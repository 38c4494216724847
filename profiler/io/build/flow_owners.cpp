// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/flow_owners.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "profiler/io/build/process_family.h"

namespace lanelab {

namespace {

using Ends = std::vector<ImportedFlowEnd>;

std::vector<std::uint32_t> beginners(const ImportedTrace& imported) {
  std::set<std::uint32_t> processes;
  for (const ImportedFlowEnd& end : imported.flow_ends)
    if (end.phase == 's') processes.insert(imported.rows[end.row].process);
  return {processes.begin(), processes.end()};
}

class FlowOwners {
 public:
  explicit FlowOwners(ImportedTrace& imported)
      : m_imported(imported), m_families(imported.processes, beginners(imported)) {
    for (const ImportedFlow& flow : imported.flows)
      if (!flow.text_id) m_last_id = std::max(m_last_id, flow.id);
  }

  void run(const std::function<bool(std::uint16_t)>& launches) {
    const Ends ends = std::move(m_imported.flow_ends);
    m_imported.flow_ends.clear();
    for (auto first = ends.begin(); first != ends.end();) {
      const auto last = std::find_if(first, ends.end(), [&](const auto& end) { return end.flow != first->flow; });
      separate({first, last}, launches(m_imported.flows[first->flow].label));
      first = last;
    }
    m_imported.flow_ends.insert(m_imported.flow_ends.end(), m_further.begin(), m_further.end());
    m_imported.counts.flows += m_gained - m_lost;
  }

 private:
  std::uint32_t processOf(const ImportedFlowEnd& end) const { return m_imported.rows[end.row].process; }

  /// One flow of the file.
  void separate(std::span<const ImportedFlowEnd> ends, bool launch) {
    std::map<std::uint32_t, Ends> by_owner;
    for (const ImportedFlowEnd& end : ends)
      if (end.phase == 's') by_owner[processOf(end)].push_back(end);
    bool all_owned = true;
    for (const ImportedFlowEnd& end : ends) {
      if (end.phase == 's' || by_owner.size() < 2) continue;
      const auto owner = ownerOf(end, by_owner);
      all_owned = all_owned && owner;
      if (owner) by_owner[*owner].push_back(end);
    }
    if (by_owner.size() < 2 || (!all_owned && !launch)) {
      m_imported.flow_ends.insert(m_imported.flow_ends.end(), ends.begin(), ends.end());
    } else {
      addEach(by_owner, ends.front().flow);
      if (!all_owned) ++m_imported.counts.notes["ambiguous_flow"];
    }
  }

  std::optional<std::uint32_t> ownerOf(const ImportedFlowEnd& end, const std::map<std::uint32_t, Ends>& owners) const {
    if (owners.contains(processOf(end))) return processOf(end);
    std::optional<std::uint32_t> owner;
    for (const std::uint32_t process : m_families.closest(processOf(end))) {
      if (!owners.contains(process)) continue;
      if (owner) return std::nullopt;
      owner = process;
    }
    return owner;
  }

  void addEach(const std::map<std::uint32_t, Ends>& by_owner, std::uint32_t flow) {
    bool first = true;
    for (const auto& [owner, ends] : by_owner) {
      if (ends.back().phase == 's') continue;  // without an end that is its own
      const std::uint32_t own = first ? flow : copyOf(flow);
      Ends& into = first ? m_imported.flow_ends : m_further;
      for (ImportedFlowEnd end : ends) {
        end.flow = own;
        into.push_back(end);
      }
      first = false;
    }
    m_lost += first ? 1 : 0;
  }

  std::uint32_t copyOf(std::uint32_t flow) {
    ImportedFlow copy = m_imported.flows[flow];
    copy.id = ++m_last_id;
    copy.text_id = false;
    m_imported.flows.push_back(copy);
    ++m_gained;
    return static_cast<std::uint32_t>(m_imported.flows.size() - 1);
  }

  ImportedTrace& m_imported;
  ProcessFamilies m_families;
  Ends m_further;  ///< of flows that are new
  std::uint64_t m_last_id = 0;
  std::int64_t m_gained = 0;
  std::int64_t m_lost = 0;
};

}  // namespace

void separateFlows(ImportedTrace& imported, const std::function<bool(std::uint16_t)>& launches) {
  FlowOwners(imported).run(launches);
}

}  // namespace lanelab
