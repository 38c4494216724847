// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/weight_ties.h"

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

}  // namespace lanelab
