// SPDX-License-Identifier: GPL-3.0-only
// Weights as a file has them: in memory, or views of the mapped file whose bytes are read from disk when they are
// touched or asked for ahead. Any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/torch/files/file_mapping.h"
#include "engine/torch/nn/initial_weights.h"

namespace lanelab {

struct StoredWeights {
  TensorMap tensors;                                      ///< each holds its file
  std::vector<std::shared_ptr<const FileMapping>> files;  ///< that are mapped

  /// Reads the tensor's pages from disk unless they are in memory; nothing for a tensor that is in memory.
  void read(const at::Tensor& tensor) const;
  /// Unmaps the tensor's whole pages, which no longer count as this process's memory and are read again when they are
  /// touched.
  void drop(const at::Tensor& tensor) const;
};

/// Of one file, or the shards of a larger network: a folder with model.safetensors.index.json (or one .safetensors), or
/// that index itself. Views of the files, which may not be written; copies of what does not lie on whole elements.
/// Checks the headers of all files, not the values. Errors (BadInput) name the file, what is wrong and the fix.
Result<StoredWeights> mapSafetensors(const std::string& path);

}  // namespace lanelab
