// SPDX-License-Identifier: GPL-3.0-only
// Each stage of a variant as files of its own: a .pt2 of torch.export, a .safetensors with its weights, and stages.json
// with the shapes of what goes in and out. Python with PyTorch writes them (engine/exporter). Blocks; any thread.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "engine/experiment/resolution.h"

namespace lanelab {

/// Into `folder`, which is absent or empty, and is so again after an error. `line` gets what Python prints. Errors:
/// those of pytorchScript(); Failed: no Python with PyTorch, or its last message; Cancelled.
Status writeStageFiles(const ResolvedVariant& variant, const std::string& folder,
                       const std::function<void(const std::string& line)>& line, const std::stop_token& stop);

}  // namespace lanelab
