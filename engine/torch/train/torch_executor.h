// SPDX-License-Identifier: GPL-3.0-only
// The executor that trains for real with LibTorch. No torch header is needed to use it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/lanes/executor.h"

namespace lanelab {

class Peers;
struct ExportedNetwork;

/// CPU lanes always; CUDA lanes when the CUDA module and a driver are there (loaded on first use). Cheap to make: torch
/// starts at the first prepare(). `peers` join the replicas of ddp and reach lanes of other processes; without them ddp
/// cannot be trained.
std::unique_ptr<Executor> makeTorchExecutor(std::function<std::shared_ptr<Peers>()> peers = {});

/// Why there is no CUDA lane, such as "no NVIDIA driver was found on this machine"; empty where there is one.
std::string whyNoCuda();

/// Whether the work of GPUs can be recorded here, found out by trying; nothing without a GPU. The sentence says why
/// not, and is empty where it can.
std::optional<std::string> gpuRecordingProblem();

/// Writes a network's own weights as safetensors, which its load_state_dict() reads. Those without bytes in a file, as
/// of all that are built in, are drawn as torch.manual_seed(seed) and then the network's constructor would.
Status writeInitialWeights(const ExportedNetwork& network, std::uint64_t seed, const std::string& path);

}  // namespace lanelab
