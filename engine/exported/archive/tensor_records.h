// SPDX-License-Identifier: GPL-3.0-only
// Where the weights and constants of a .pt2 archive are; a part of readExportedProgram(). Throws UnreadProgram.
#pragma once

#include <map>
#include <string>

#include "engine/exported/archive/weight_recipe.h"
#include "engine/exported/graph/exported_graph.h"
#include "engine/files/zip_archive.h"

namespace lanelab {

/// What a name stands for: a tensor, or the reason why it cannot be used.
struct TensorRecord {
  ExportedTensor tensor;
  bool requires_grad = true;
  std::string problem;  ///< "" if there is none
};
using TensorRecords = std::map<std::string, TensorRecord>;

/// Of data/weights and data/constants. `model`: its name in the archive, "model". Tensors lie in their records, and
/// together are no larger than a few times these; those that the recipe draws are added to it.
TensorRecords readTensorRecords(const ZipArchive& archive, WeightRecipe& recipe, const std::string& model);

}  // namespace lanelab
