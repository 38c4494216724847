// SPDX-License-Identifier: GPL-3.0-only
// Which variant is written, and for which program. Any thread.
#pragma once

#include <QString>
#include <memory>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "engine/experiment/resolution.h"
#include "engine/frameworks/written_files.h"

namespace lanelab {

struct PlanChoice {
  std::shared_ptr<const Resolution> resolution;  ///< not null
  std::string variant;
  std::string target;  ///< a word of planTargets(), or kStagesTarget
};

/// "PyTorch script for torchrun", "Megatron-LM", ...
QString targetTitle(std::string_view target);

/// The file of a written plan that users look at first.
QString firstFileOf(std::string_view target);

/// The plan as files; stages as files have their names alone, since Python writes them. Errors (BadInput): what is
/// wrong with the experiment, or what the target cannot express.
Result<WrittenFiles> plannedFiles(const PlanChoice& choice);

/// Into a folder that is absent or empty. Blocks. Errors: those of plannedFiles(), writeFiles() and writeStageFiles().
Status writePlan(const PlanChoice& choice, const std::string& folder, const WorkControl& control);

}  // namespace lanelab
