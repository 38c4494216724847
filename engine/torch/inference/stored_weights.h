// SPDX-License-Identifier: GPL-3.0-only
// Weights as a file has them: in memory, or views of the mapped file whose bytes are read from disk when they are
// touched. Any thread.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/torch/files/file_mapping.h"
#include "engine/torch/nn/initial_weights.h"

namespace lanelab {

struct StoredWeights {
  TensorMap tensors;
  std::vector<std::shared_ptr<const FileMapping>> files;  ///< that are mapped

  /// Reads the tensor's pages from disk unless they are in memory; nothing for a tensor that is in memory.
  void read(const at::Tensor& tensor) const;
  /// Unmaps the tensor's whole pages, which are read again when they are touched.
  void drop(const at::Tensor& tensor) const;
};

/// Of a safetensors file, mapped, or all in memory: then also of a zip state dict. Errors (BadInput) as readWeights and
/// MappedTensors::open.
Result<StoredWeights> openWeights(const std::string& path, bool mapped);

}  // namespace lanelab
