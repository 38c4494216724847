// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/record/node_owners.h"

#include <ATen/SequenceNumber.h>

#include <algorithm>

namespace lanelab {

void NodeOwners::begin(const NodeOwner& owner) {
  const std::uint64_t from = at::sequence_number::peek();
  if (m_stretches.empty() || m_stretches.back().from != from) {
    m_stretches.push_back({from, owner});
  } else {
    m_stretches.back().owner = owner;
  }
}

const NodeOwner* NodeOwners::ownerOf(std::int64_t sequence) const {
  if (sequence < 0) return nullptr;
  const auto startsBehind = [](std::uint64_t number, const Stretch& stretch) { return number < stretch.from; };
  const auto next =
      std::upper_bound(m_stretches.begin(), m_stretches.end(), static_cast<std::uint64_t>(sequence), startsBehind);
  if (next == m_stretches.begin() || (next - 1)->owner.step < 0) return nullptr;
  return &(next - 1)->owner;
}

}  // namespace lanelab
