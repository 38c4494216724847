// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/weight_ties.h"

#include <algorithm>
#include <tuple>

namespace lanelab {

std::map<ValueId, int> weightTiesOf(const ExportedProgram& program) {
  using View = std::tuple<std::string, std::int64_t, std::vector<std::int64_t>, std::vector<std::int64_t>>;
  std::map<View, int> known;
  std::map<ValueId, int> ties;
  for (const ExportedInput& input : program.graph.inputs) {
    if (input.kind == ExportedInput::Kind::User) continue;
    const ExportedTensor& tensor = program.tensors.at(input.name);
    const View view(tensor.record, tensor.offset, tensor.sizes, tensor.strides);
    ties[input.value] = known.try_emplace(view, static_cast<int>(known.size())).first->second;
  }
  return ties;
}

std::map<ValueId, std::string> heldNames(const ExportedProgram& program) {
  std::map<int, std::string> first;
  std::map<ValueId, std::string> names;
  for (const auto& [value, tie] : weightTiesOf(program)) {
    const auto input = std::ranges::find(program.graph.inputs, value, &ExportedInput::value);
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
