// SPDX-License-Identifier: GPL-3.0-only
// Tensors in and out of files: safetensors both ways, PyTorch's zip state dicts in.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "base/result.h"
#include "engine/files/safetensors_header.h"
#include "engine/torch/nn/initial_weights.h"

namespace lanelab {

/// Reads all tensors of a safetensors file, or only those of `only` (absent ones are no error). Errors (BadInput) name
/// the file, what is wrong and the fix; nothing in the file can make it read outside the file or ask for more memory
/// than the file is long.
Result<TensorMap> readSafetensors(const std::string& path, const std::vector<std::string>& only = {});

/// Where the tensors of a safetensors file lie in it.
struct SafetensorsLayout {
  SafetensorsHeader entries;
  std::uint64_t data_at = 0;  ///< of the file: entries count from there
  std::uint64_t file_bytes = 0;
};

/// The checked header alone, whatever the size of the file. Errors as readSafetensors.
Result<SafetensorsLayout> readSafetensorsLayout(const std::string& path);
/// "BF16" -> bfloat16; nothing for a type that torch cannot hold here.
std::optional<at::ScalarType> scalarTypeOf(std::string_view dtype);

/// Whether a file holds a checksum of itself, which checkFileChecksum compares (file_checksum.h). Any reader of
/// safetensors ignores it.
enum class Checksum { No, Yes };

/// Writes contiguous copies, beside the target first and then renamed, so that a full disk or a kill leaves no half
/// file. A stop point may throw; then the target is as it was.
Status writeSafetensors(const std::string& path, const NamedTensors& tensors, Checksum checksum = Checksum::No,
                        Durable durable = Durable::No);

/// By content: a zip archive is read as a PyTorch state dict, everything else as safetensors.
Result<TensorMap> readWeights(const std::string& path);

}  // namespace lanelab
