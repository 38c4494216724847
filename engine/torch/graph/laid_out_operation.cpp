// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/laid_out_operation.h"

#include <ATen/EmptyTensor.h>
#include <ATen/ops/empty_strided.h>

#include <optional>
#include <utility>

namespace lanelab {

namespace {

/// Sizes of 1 may have any stride.
bool sameLayout(const at::Tensor& tensor, const std::vector<std::int64_t>& strides) {
  for (std::int64_t dim = 0; dim < tensor.dim(); ++dim)
    if (tensor.size(dim) != 1 && tensor.stride(dim) != strides[static_cast<std::size_t>(dim)]) return false;
  return true;
}

bool hasMemoryOfItsOwn(const at::Tensor& tensor) {
  return tensor.storage_offset() == 0 &&
         tensor.storage().nbytes() ==
             at::detail::computeStorageNbytes(tensor.sizes(), tensor.strides(), tensor.itemsize());
}

}  // namespace

at::Tensor inExportedLayout(const at::Tensor& tensor, const ExportedValue& value, const std::string& batch_symbol,
                            std::int64_t batch) {
  if (static_cast<std::size_t>(tensor.dim()) != value.strides.size()) return tensor;
  std::vector<std::int64_t> strides;
  for (const SizeExpression& stride : value.strides) {
    const std::optional<std::int64_t> at_batch = stride.evaluate({{batch_symbol, batch}});
    if (!at_batch) return tensor;
    strides.push_back(*at_batch);
  }
  if (sameLayout(tensor, strides) && hasMemoryOfItsOwn(tensor)) return tensor;
  return at::empty_strided(tensor.sizes(), strides, tensor.options()).copy_(tensor);
}

GraphOperation laidOut(GraphOperation operation, const ExportedGraph& graph, std::vector<ValueId> results,
                       const std::string& batch_symbol) {
  return [operation = std::move(operation), &graph, results = std::move(results), batch_symbol](GraphFrame& frame,
                                                                                                const GraphPass& pass) {
    operation(frame, pass);
    for (const ValueId id : results) {
      if (frame[id].isTensor())
        frame[id] = inExportedLayout(frame[id].toTensor(), graph.value(id), batch_symbol, pass.batch);
    }
  };
}

}  // namespace lanelab
