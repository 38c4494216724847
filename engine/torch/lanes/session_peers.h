// SPDX-License-Identifier: GPL-3.0-only
// What a training session of several processes asks of its peers: sums, tensors of other processes, and ways to their
// lanes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/lanes/remote_links.h"
#include "engine/torch/lanes/peers.h"
#include "engine/torch/nn/initial_weights.h"
#include "profiler/trace/gpu_activity.h"

namespace lanelab {

/// Seconds become the longest of all processes, losses their sum.
Status settleStep(Peers& peers, double& seconds, double& loss);

/// The tensors of all processes. Names of an earlier rank win.
Result<TensorMap> tensorsOfAll(Peers& peers, const TensorMap& mine);

/// Number by number the largest of all processes.
Result<std::vector<std::int64_t>> largestOfAll(Peers& peers, const std::vector<std::int64_t>& mine);

Result<std::int64_t> sumOfAll(Peers& peers, std::int64_t mine);

/// Counts of GPU work add up over all processes; what another one says of its recording is reported with its rank.
Status settleRecording(Peers& peers, std::optional<GpuActivity>& gpu, std::string& notice);

/// What rank 0 says.
Result<bool> asRankZeroSays(Peers& peers, bool mine);

/// A way for packets of tensors; `peer` is the process at its other end, `group` its name at both.
std::unique_ptr<PacketCarrier> carryByPeers(Peers& peers, const LinkPlan& link, int peer, const std::string& group);

}  // namespace lanelab
