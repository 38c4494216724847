// SPDX-License-Identifier: GPL-3.0-only
// Which kernels move data between GPUs, by their names.
#pragma once

#include <string_view>

namespace lanelab {

/// Whether a GPU's kernel of this name, mangled or not, is a collective or sends and receives: those of NCCL, RCCL,
/// MSCCL, oneCCL, HCCL, NVSHMEM, DeepEP and TransformerEngine's userbuffers, XLA's collectives, and the all-reduce
/// kernels of PyTorch and of inference servers. A kernel that only reduces within a block, or that a compiler named
/// after collectives around it, computes. Any thread; time linear in the name.
bool isCommunicationKernel(std::string_view name);

}  // namespace lanelab
