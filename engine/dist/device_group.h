// SPDX-License-Identifier: GPL-3.0-only
// The group that carries the tensors of replicas on GPUs.
#pragma once

#include <string>

#include "engine/dist/watched_backend.h"
#include "engine/torch/lanes/peers.h"

namespace lanelab {

struct DeviceGroup {
  c10::intrusive_ptr<WatchedBackend> backend;  ///< NCCL's; null: the host's group carries them too
  std::string notice;                          ///< why so, where a replica is on a GPU
};

/// All members of the group call it, with the group that joins them on the host, and find the same. Returns when NCCL
/// has connected them. Throws std::runtime_error with a sentence. `name` is the group's.
DeviceGroup joinOnDevices(const ReplicaMember& member, const std::string& name, WatchedBackend& host,
                          std::shared_ptr<const GlooWays> ways);

}  // namespace lanelab
