// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/stage_tensors.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "engine/exported/operators/operator_traits.h"
#include "engine/exported/weight_ties.h"
#include "engine/torch/graph/graph_arguments.h"
#include "engine/torch/nn/scalar_types.h"

namespace lanelab {

namespace {

bool convolvesImages(std::string_view target) {
  return target.starts_with("aten.conv2d.") || target.starts_with("aten.convolution.");
}
bool looksUpRows(std::string_view target) { return target == "aten.embedding.default"; }
bool isLinear(std::string_view target) { return target == "aten.linear.default"; }
/// A linear layer or a convolution of any kind.
bool multiplies(std::string_view target) {
  return isLinear(target) || target == "aten.addmm.default" || target.starts_with("aten.conv");
}

/// How a value is read: the calls that have it as their weight, and "" for all others.
using Uses = std::set<std::string_view>;

/// How weights are held depends on the calls that read them.
struct Readers {
  std::set<ValueId> of_norms;
  std::map<ValueId, Uses> uses;  ///< in the whole graph
  std::set<int> written;         ///< storages, by the stage

  Readers(const ExportedGraph& graph, const ValueFlow& flow, const StageGraph& stage)
      : of_norms(normParameters(graph)) {
    for (const ExportedNode& node : graph.nodes) {
      const auto weight = valueOr(node, node.target == "aten.addmm.default" ? "mat2" : "weight");
      for (const ValueId value : valuesRead(node))
        uses[value].insert(value == weight ? std::string_view(node.target) : std::string_view());
    }
    for (const StageNode& each : stage.nodes)
      for (const ValueId value : flow.written[each.node]) written.insert(flow.storages[value.index()]);
  }
};

SlotTraits traitsOf(const ExportedInput& input, const ExportedTensor& tensor, Readers& readers, const ValueFlow& flow) {
  const Uses& uses = readers.uses[input.value];
  SlotTraits traits;
  traits.parameter = input.kind == ExportedInput::Kind::Parameter;
  traits.trained = input.trained;
  traits.type = torchTypeOf(tensor.type);
  traits.in_compute_type =
      traits.parameter && tensor.type == ScalarKind::Float32 && !readers.of_norms.contains(input.value);
  traits.zero_if_missing = !traits.parameter && input.name.ends_with("num_batches_tracked");
  traits.in_image_format = tensor.sizes.size() == 4 && std::ranges::any_of(uses, convolvesImages);
  traits.written = readers.written.contains(flow.storages[input.value.index()]);
  traits.of_rows = !traits.written && std::ranges::all_of(uses, looksUpRows);
  return traits;
}

/// Held names of parameters that only such calls read as their weights; tied ones under all of their names.
std::set<std::string> namesReadBy(bool (*are_such)(std::string_view), const ExportedProgram& program, Readers& readers,
                                  const std::map<ValueId, std::string>& held) {
  std::set<std::string> names, others;
  for (const ExportedInput& input : program.graph.inputs) {
    if (input.kind != ExportedInput::Kind::Parameter) continue;
    const ExportedTensor& tensor = program.tensors.at(input.name);
    const Uses& uses = readers.uses[input.value];
    const bool fits = !uses.empty() && std::ranges::all_of(uses, are_such) && tensor.sizes.size() >= 2 &&
                      tensor.elements() > 0 && c10::isFloatingType(torchTypeOf(tensor.type));
    (fits ? names : others).insert(held.at(input.value));
  }
  for (const std::string& name : others) names.erase(name);
  return names;
}

}  // namespace

StageTensors::StageTensors(const ExportedProgram& program, const ValueFlow& flow, const StageGraph& stage,
                           const TensorMap& constants) {
  const std::map<ValueId, std::string> names = heldNames(program);
  Readers readers(program.graph, flow, stage);
  const std::set<std::string> of_products = namesReadBy(multiplies, program, readers, names),
                              of_linears = namesReadBy(isLinear, program, readers, names);
  struct Place {
    at::Tensor *tensor = nullptr, *scale = nullptr;
  };
  std::map<std::string, Place> places;
  for (const std::size_t i : stage.weights) {
    const ExportedInput& input = program.graph.inputs[i];
    const std::string& name = names.at(input.value);
    const auto [found, added] = places.try_emplace(name);
    Place& place = found->second;
    if (added) {
      place.tensor = &m_tensors.emplace_back();
      if (input.kind == ExportedInput::Kind::Constant) {
        *place.tensor = constants.at(input.name);
        m_constants.push_back(place.tensor);
      } else {
        const ExportedTensor& tensor = program.tensors.at(input.name);
        SlotTraits traits = traitsOf(input, tensor, readers, flow);
        traits.of_products = of_products.contains(name);
        if (of_linears.contains(name)) place.scale = &m_tensors.emplace_back();
        m_slots.push_back({name, traits, tensor.sizes, place.tensor, place.scale});
      }
    }
    m_values.emplace_back(input.value, place.tensor);
    if (place.scale) m_scales.emplace_back(input.value, place.scale);
  }
}

CallTarget StageTensors::target(const TensorList& received) const {
  CallTarget target;
  for (const at::Tensor& value : received) {
    target.device = value.device();
    if (value.is_floating_point()) target.compute = value.scalar_type();
  }
  for (const TensorSlot& slot : m_slots)
    if (slot.traits.in_compute_type && slot.tensor->is_floating_point()) target.compute = slot.tensor->scalar_type();
  return target;
}

void StageTensors::moveConstantsTo(at::Device device) {
  for (at::Tensor* const constant : m_constants) *constant = constant->to(device);
}

void StageTensors::put(GraphFrame& frame) const {
  for (const auto& [value, tensor] : m_values) frame[value] = *tensor;
  for (const auto& [value, scale] : m_scales)
    if (scale->defined()) frame.scales.emplace(value, *scale);
}

}  // namespace lanelab
