// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/model/row_arrangement.h"

#include <algorithm>

namespace lanelab {
namespace {

constexpr RowKind kDetails[] = {RowKind::Blocks, RowKind::Operators, RowKind::HostThreads};

void keep(std::set<int>& lanes, int lane, bool on) {
  if (on)
    lanes.insert(lane);
  else
    lanes.erase(lane);
}

}  // namespace

void RowArrangement::show(RowKind kind, bool on) {
  if (on)
    m_hidden.erase(kind);
  else if (kind != RowKind::Actions)
    m_hidden.insert(kind);
}

bool RowArrangement::showsDetails() const {
  return std::all_of(std::begin(kDetails), std::end(kDetails), [this](RowKind kind) { return shows(kind); });
}

void RowArrangement::showDetails(bool on) {
  for (const RowKind kind : kDetails) show(kind, on);
}

void RowArrangement::collapse(int lane, bool on) { keep(m_collapsed, lane, on); }

void RowArrangement::collapseAll(int lanes, bool on) {
  for (int lane = 0; lane < lanes; ++lane) collapse(lane, on);
}

void RowArrangement::toggleCollapse(const std::vector<int>& lanes) {
  const bool all = std::all_of(lanes.begin(), lanes.end(), [this](int lane) { return isCollapsed(lane); });
  for (const int lane : lanes) collapse(lane, !all);
}

void RowArrangement::pin(int lane, bool on) { keep(m_pinned, lane, on); }

std::vector<int> RowArrangement::order(int lanes) const {
  std::vector<int> order;
  std::vector<bool> placed(static_cast<std::size_t>(std::max(lanes, 0)));
  const auto place = [&](int lane) {
    if (lane >= lanes || placed[static_cast<std::size_t>(lane)]) return;
    placed[static_cast<std::size_t>(lane)] = true;
    order.push_back(lane);
  };
  for (const int lane : m_order) place(lane);
  for (int lane = 0; lane < lanes; ++lane) place(lane);
  std::stable_partition(order.begin(), order.end(), [this](int lane) { return isPinned(lane); });
  return order;
}

void RowArrangement::moveBefore(int lane, std::optional<int> next, int lanes) {
  if (lane < 0 || lane >= lanes || next == lane) return;
  std::vector<int> order = this->order(lanes);
  order.erase(std::find(order.begin(), order.end(), lane));
  order.insert(next ? std::find(order.begin(), order.end(), *next) : order.end(), lane);
  m_order = std::move(order);
  m_order = this->order(lanes);
}

bool RowArrangement::moveBy(int lane, int direction, const std::vector<int>& seen, int lanes) {
  const auto place = std::find(seen.begin(), seen.end(), lane) - seen.begin();
  const auto other = place + direction;
  const auto count = static_cast<std::ptrdiff_t>(seen.size());
  if (place == count || other < 0 || other >= count) return false;
  const int neighbour = seen[static_cast<std::size_t>(other)];
  if (isPinned(neighbour) != isPinned(lane)) return false;
  std::vector<int> order = this->order(lanes);
  order.erase(std::find(order.begin(), order.end(), lane));
  order.insert(std::find(order.begin(), order.end(), neighbour) + (direction > 0 ? 1 : 0), lane);
  m_order = std::move(order);
  return true;
}

void RowArrangement::forgetLanes() {
  m_order.clear();
  m_collapsed.clear();
  m_pinned.clear();
}

}  // namespace lanelab
