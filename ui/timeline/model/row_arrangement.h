// SPDX-License-Identifier: GPL-3.0-only
// Which rows a user wants to see and how: kinds of rows, and of the lanes their order, which are collapsed and which
// are pinned. A plain value; it knows no trace, so lanes are identified by their number in one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "base/words.h"

namespace lanelab {

/// What a row of a lane is. Actions are always shown.
/// Exchange: what the replicas of a model send each other, and wait for. Predicted: when each action was expected.
/// Idle is no row: the hatching and the causes between the actions of a row. Nor is Overview: all of the trace in a
/// strip above the time axis.
enum class RowKind : std::uint8_t {
  Actions,
  Blocks,
  Operators,
  Transfers,
  Exchange,
  HostThreads,
  Streams,
  Counters,
  Predicted,
  Idle,
  Overview
};
inline constexpr RowKind kChosenRowKinds[] = {
    RowKind::Blocks,  RowKind::Operators, RowKind::Transfers, RowKind::Exchange, RowKind::HostThreads,
    RowKind::Streams, RowKind::Counters,  RowKind::Predicted, RowKind::Idle,     RowKind::Overview};
/// Keys of settings.
constexpr std::array<Word<RowKind>, 11> wordTable(RowKind) {
  return {{{RowKind::Actions, "actions"},
           {RowKind::Blocks, "blocks"},
           {RowKind::Operators, "operators"},
           {RowKind::Transfers, "transfers"},
           {RowKind::Exchange, "exchange"},
           {RowKind::HostThreads, "host"},
           {RowKind::Streams, "streams"},
           {RowKind::Counters, "counters"},
           {RowKind::Predicted, "predicted"},
           {RowKind::Idle, "idle"},
           {RowKind::Overview, "overview"}}};
}

class RowArrangement {
 public:
  /// At first transfers, exchange, streams, idle time and the overview are shown, all lanes in the trace's order.
  bool shows(RowKind kind) const { return !m_hidden.contains(kind); }
  void show(RowKind kind, bool on);
  /// Blocks, operators and host threads: what is inside actions.
  bool showsDetails() const;
  void showDetails(bool on);

  /// Of a collapsed lane only the actions are seen, thin.
  bool isCollapsed(int lane) const { return m_collapsed.contains(lane); }
  void collapse(int lane, bool on);
  void collapseAll(int lanes, bool on);
  /// All of them, unless they are collapsed already: then none.
  void toggleCollapse(const std::vector<int>& lanes);
  /// Pinned lanes are first and stay in sight while the others scroll.
  bool isPinned(int lane) const { return m_pinned.contains(lane); }
  void pin(int lane, bool on);

  /// The numbers below `lanes` from top to bottom, the pinned ones first. Lanes that were never moved keep the trace's
  /// order behind those that were.
  std::vector<int> order(int lanes) const;
  /// To right before `next`, or to the end without one. A pinned lane stays among the pinned ones, and the others below
  /// them.
  void moveBefore(int lane, std::optional<int> next, int lanes);
  /// One place up (-1) or down (+1) among the lanes of `seen`, as far as its group goes: lanes that a variant leaves
  /// out do not count. False where it is at the end already. `seen` is in this order, of the numbers below
  /// `lanes`.
  bool moveBy(int lane, int direction, const std::vector<int>& seen, int lanes);

  /// Whether any lane was moved, collapsed or pinned.
  bool arrangesLanes() const { return !m_order.empty() || !m_collapsed.empty() || !m_pinned.empty(); }
  /// All lanes as they were at first; which kinds are shown stays.
  void forgetLanes();

  bool operator==(const RowArrangement&) const = default;

 private:
  std::set<RowKind> m_hidden = {RowKind::Blocks, RowKind::Operators, RowKind::HostThreads, RowKind::Counters,
                                RowKind::Predicted};
  std::vector<int> m_order;  ///< of the lanes there were when one was last moved
  std::set<int> m_collapsed;
  std::set<int> m_pinned;
};

}  // namespace lanelab
