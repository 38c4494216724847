// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/inference/stored_weights.h"

#include <cstdint>
#include <utility>

#include "engine/torch/files/mapped_tensors.h"
#include "engine/torch/files/tensor_file.h"

namespace lanelab {
namespace {

/// From the first of its elements to the last.
std::uint64_t spanOf(const at::Tensor& tensor) {
  if (tensor.numel() == 0) return 0;
  std::int64_t elements = 1;
  for (std::int64_t i = 0; i < tensor.dim(); ++i) elements += (tensor.size(i) - 1) * tensor.stride(i);
  return static_cast<std::uint64_t>(elements) * tensor.element_size();
}

template <class Use>
void withinFile(const StoredWeights& weights, const at::Tensor& tensor, const Use& use) {
  const std::uint64_t bytes = spanOf(tensor);
  if (bytes == 0) return;
  for (const auto& file : weights.files)
    if (const auto begin = file->offsetOf(tensor.const_data_ptr())) return use(*file, *begin, *begin + bytes);
}

}  // namespace

void StoredWeights::read(const at::Tensor& tensor) const {
  withinFile(*this, tensor,
             [](const FileMapping& file, std::uint64_t begin, std::uint64_t end) { file.read(begin, end); });
}

void StoredWeights::drop(const at::Tensor& tensor) const {
  withinFile(*this, tensor,
             [](const FileMapping& file, std::uint64_t begin, std::uint64_t end) { file.drop(begin, end); });
}

Result<StoredWeights> openWeights(const std::string& path, bool mapped) {
  if (!mapped) {
    Result<TensorMap> tensors = readWeights(path);
    if (!tensors.ok()) return tensors.error();
    return StoredWeights{std::move(*tensors), {}};
  }
  const Result<MappedTensors> opened = MappedTensors::open(path);
  if (!opened.ok()) return opened.error();
  StoredWeights weights{{}, opened->files()};
  for (const std::string& name : opened->names()) weights.tensors[name] = opened->view(name);
  return weights;
}

}  // namespace lanelab
