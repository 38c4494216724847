// SPDX-License-Identifier: GPL-3.0-only
// A variant as a folder that trains it with torchrun and torch.distributed.pipelining (PyTorch 2.11 to 2.15), without
// LaneLab: train.py, check.py and weights.py, which are the same for all plans, and what the plan says: plan.py,
// network.py, schedule.csv and weights.json. Pure; any thread.
#pragma once

#include "base/result.h"
#include "engine/experiment/resolution.h"
#include "engine/frameworks/written_files.h"

namespace lanelab {

/// The variant belongs to a resolution that can be trained. Errors (BadInput) say what PyTorch cannot express, and what
/// to do.
Result<WrittenFiles> pytorchScript(const ResolvedVariant& variant);

}  // namespace lanelab
