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

class LaidOutOperation final : public GraphOperation {
 public:
  LaidOutOperation(std::unique_ptr<GraphOperation> operation, const ExportedGraph& graph, std::vector<ValueId> results,
                   std::string batch_symbol)
      : m_operation(std::move(operation)),
        m_graph(graph),
        m_results(std::move(results)),
        m_batch_symbol(std::move(batch_symbol)) {}

  void run(GraphFrame& frame, const GraphPass& pass) override {
    m_operation->run(frame, pass);
    for (const ValueId id : m_results) {
      if (frame[id].isTensor())
        frame[id] = inExportedLayout(frame[id].toTensor(), m_graph.value(id), m_batch_symbol, pass.batch);
    }
  }

 private:
  std::unique_ptr<GraphOperation> m_operation;
  const ExportedGraph& m_graph;
  std::vector<ValueId> m_results;
  std::string m_batch_symbol;
};

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

std::unique_ptr<GraphOperation> laidOut(std::unique_ptr<GraphOperation> operation, const ExportedGraph& graph,
                                        std::vector<ValueId> results, const std::string& batch_symbol) {
  return std::make_unique<LaidOutOperation>(std::move(operation), graph, std::move(results), batch_symbol);
}

}  // namespace lanelab
