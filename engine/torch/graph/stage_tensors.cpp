// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/stage_tensors.h"

#include <map>
#include <optional>
#include <set>
#include <string>

#include "engine/exported/operator_traits.h"
#include "engine/exported/weight_ties.h"
#include "engine/torch/graph/graph_arguments.h"
#include "engine/torch/nn/scalar_types.h"

namespace lanelab {

namespace {

bool isConvolution(const ExportedNode& node) {
  return node.target.starts_with("aten.conv2d.") || node.target.starts_with("aten.convolution.");
}

/// The weight that a linear layer or a convolution of any kind multiplies by.
std::optional<ValueId> factorOf(const ExportedNode& node) {
  if (node.target == "aten.linear.default" || node.target.starts_with("aten.conv")) return valueOr(node, "weight");
  return node.target == "aten.addmm.default" ? valueOr(node, "mat2") : std::nullopt;
}

/// Values that are read as such weights, and by nothing else in the whole graph.
std::set<ValueId> factorsOnly(const ExportedGraph& graph) {
  std::set<ValueId> factors, others;
  for (const ExportedNode& node : graph.nodes) {
    const std::optional<ValueId> factor = factorOf(node);
    for (const ValueId value : valuesRead(node)) (value == factor ? factors : others).insert(value);
  }
  for (const ValueId value : others) factors.erase(value);
  return factors;
}

/// How parameters are held, by the calls that read them.
struct Readers {
  std::set<ValueId> of_norms, of_convolutions;

  Readers(const ExportedGraph& graph, const StageGraph& stage) : of_norms(normParameters(graph)) {
    for (const StageNode& each : stage.nodes) {
      const ExportedNode& node = graph.nodes[each.node];
      if (!isConvolution(node)) continue;
      if (const auto value = valueOr(node, "weight")) of_convolutions.insert(*value);
    }
  }
};

SlotTraits traitsOf(const ExportedInput& input, const ExportedTensor& tensor, const Readers& readers) {
  SlotTraits traits;
  traits.parameter = input.kind == ExportedInput::Kind::Parameter;
  traits.trained = input.trained;
  traits.type = torchTypeOf(tensor.type);
  traits.in_compute_type =
      traits.parameter && tensor.type == ScalarKind::Float32 && !readers.of_norms.contains(input.value);
  traits.zero_if_missing = !traits.parameter && input.name.ends_with("num_batches_tracked");
  traits.in_image_format = tensor.sizes.size() == 4 && readers.of_convolutions.contains(input.value);
  return traits;
}

/// Under their held names; of tied parameters, all must be read so.
std::set<std::string> namesOfProducts(const ExportedProgram& program, const std::map<ValueId, std::string>& held) {
  const std::set<ValueId> factors = factorsOnly(program.graph);
  std::set<std::string> names, others;
  for (const ExportedInput& input : program.graph.inputs) {
    if (input.kind != ExportedInput::Kind::Parameter) continue;
    const ExportedTensor& tensor = program.tensors.at(input.name);
    const bool fits = factors.contains(input.value) && tensor.sizes.size() >= 2 && tensor.elements() > 0 &&
                      c10::isFloatingType(torchTypeOf(tensor.type));
    (fits ? names : others).insert(held.at(input.value));
  }
  for (const std::string& name : others) names.erase(name);
  return names;
}

}  // namespace

StageTensors::StageTensors(const ExportedProgram& program, const StageGraph& stage, const TensorMap& constants) {
  const Readers readers(program.graph, stage);
  const std::map<ValueId, std::string> names = heldNames(program);
  const std::set<std::string> of_products = namesOfProducts(program, names);
  std::map<std::string, at::Tensor*> places;
  for (const std::size_t i : stage.weights) {
    const ExportedInput& input = program.graph.inputs[i];
    const std::string& name = names.at(input.value);
    const auto [place, added] = places.try_emplace(name, nullptr);
    if (added) {
      place->second = &m_tensors.emplace_back();
      if (input.kind == ExportedInput::Kind::Constant) {
        *place->second = constants.at(input.name);
        m_constants.push_back(place->second);
      } else {
        const ExportedTensor& tensor = program.tensors.at(input.name);
        SlotTraits traits = traitsOf(input, tensor, readers);
        traits.of_products = of_products.contains(name);
        m_slots.push_back({name, traits, tensor.sizes, place->second});
      }
    }
    m_values.emplace_back(input.value, place->second);
  }
}

CallTarget StageTensors::target(const TensorList& received) const {
  CallTarget target;
  for (const at::Tensor& value : received) {
    target.device = value.device();
    if (value.is_floating_point()) target.compute = value.scalar_type();
  }
  for (const TensorSlot& slot : m_slots)
    if (slot.traits.in_compute_type) target.compute = slot.tensor->scalar_type();
  return target;
}

void StageTensors::moveConstantsTo(at::Device device) {
  for (at::Tensor* const constant : m_constants) *constant = constant->to(device);
}

void StageTensors::put(GraphFrame& frame) const {
  for (const auto& [value, tensor] : m_values) frame[value] = *tensor;
}

}  // namespace lanelab
