// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/weight_ties.h"

#include <tuple>

namespace lanelab {

std::map<ValueId, int> weightTiesOf(const ExportedProgram& program) {
  const auto view = [](const ExportedTensor* of) { return std::tie(of->record, of->offset, of->sizes, of->strides); };
  const auto isBefore = [&](const ExportedTensor* a, const ExportedTensor* b) { return view(a) < view(b); };
  std::map<const ExportedTensor*, int, decltype(isBefore)> known(isBefore);
  std::map<ValueId, int> ties;
  for (const ExportedInput& input : program.graph.inputs) {
    if (input.kind == ExportedInput::Kind::User) continue;
    const ExportedTensor& tensor = program.tensors.at(input.name);
    ties[input.value] = known.try_emplace(&tensor, static_cast<int>(known.size())).first->second;
  }
  return ties;
}

std::map<ValueId, std::string> heldNames(const ExportedProgram& program) {
  std::map<ValueId, const ExportedInput*> inputs;
  for (const ExportedInput& input : program.graph.inputs) inputs.emplace(input.value, &input);
  std::map<int, std::string> first;
  std::map<ValueId, std::string> names;
  for (const auto& [value, tie] : weightTiesOf(program)) {
    const ExportedInput* const input = inputs.at(value);
    const bool shared = input->kind != ExportedInput::Kind::Constant;
    names.emplace(value, shared ? first.try_emplace(tie, input->name).first->second : input->name);
  }
  return names;
}

std::set<ValueId> readAgain(const ExportedProgram& program, const std::vector<std::size_t>& nodes) {
  const std::map<ValueId, int> ties = weightTiesOf(program);
  std::map<int, int> reads;
  for (const std::size_t node : nodes)
    for (const ValueId value : valuesRead(program.graph.nodes[node]))
      if (const auto tie = ties.find(value); tie != ties.end()) ++reads[tie->second];
  std::set<ValueId> again;
  for (const ExportedInput& input : program.graph.inputs)
    if (input.kind == ExportedInput::Kind::Parameter && reads[ties.at(input.value)] > 1) again.insert(input.value);
  return again;
}

}  // namespace lanelab
