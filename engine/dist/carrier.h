// SPDX-License-Identifier: GPL-3.0-only
// What carries the gradients of replicas: NCCL between GPUs, Gloo everywhere else. Pure.
#pragma once

#include <string>
#include <vector>

namespace lanelab {

/// Where one replica computes, as it tells the others.
struct ReplicaPlace {
  std::string machine;      ///< by the kernel's boot: two containers of one machine say the same
  std::string gpu;          ///< its address on the bus, by which NCCL tells GPUs apart; empty: on the CPU
  int lanes = 1;            ///< of its process that compute on that GPU
  bool nccl_wanted = true;  ///< LANELAB_NCCL is not 0 there

  std::string line() const;
  /// Nothing is checked, since only processes of this program write it.
  static ReplicaPlace fromLine(const std::string& line);
  bool operator==(const ReplicaPlace&) const = default;
};

struct Carrier {
  bool nccl = false;
  std::string why_not;  ///< a sentence; empty where no replica is on a GPU
  bool operator==(const Carrier&) const = default;
};

/// By the places of all replicas, in their order, so that all find the same. NCCL takes no GPU twice, and may wait for
/// ever where several lanes of a GPU have communicators of their own and launch in different order.
Carrier chooseCarrier(const std::vector<ReplicaPlace>& places);

}  // namespace lanelab
