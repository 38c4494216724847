// SPDX-License-Identifier: GPL-3.0-only
#include "engine/frameworks/weights_table.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/json_text.h"
#include "base/words.h"
#include "engine/exported/weight_ties.h"

namespace lanelab {
namespace {

Json entryOf(const ExportedTensor& tensor) {
  return {{"record", tensor.record},
          {"type", toWord(tensor.type)},
          {"sizes", tensor.sizes},
          {"strides", tensor.strides},
          {"offset", tensor.offset}};
}

Json drawOf(const WeightDraw& draw) {
  Json object = {
      {"record", draw.record}, {"elements", draw.elements}, {"type", toWord(draw.type)}, {"rule", toWord(draw.rule)}};
  switch (draw.rule) {
    case WeightDraw::Rule::Constant: object["mean"] = draw.mean; break;
    case WeightDraw::Rule::Normal:
      object["mean"] = draw.mean;
      object["deviation"] = draw.deviation;
      break;
    case WeightDraw::Rule::TruncatedNormal:
      object["mean"] = draw.mean;
      object["deviation"] = draw.deviation;
      [[fallthrough]];
    case WeightDraw::Rule::Uniform:
      object["low"] = draw.low;
      object["high"] = draw.high;
      break;
  }
  return object;
}

}  // namespace

WeightsTable weightsTable(const ExportedNetwork& network, const ModelConfig& model) {
  WeightsTable table;
  std::set<std::string> drawn;
  Json draws = Json::array(), tensors = Json::object();
  for (const WeightDraw& draw : network.program.draws) {
    drawn.insert(draw.record);
    draws.push_back(drawOf(draw));
  }
  const std::map<ValueId, std::string> held = heldNames(network.program);
  bool stored = false;
  for (const ExportedInput& input : network.program.graph.inputs) {
    if (input.kind == ExportedInput::Kind::User) continue;
    const ExportedTensor& tensor = network.program.tensors.at(input.name);
    tensors[held.at(input.value)] = entryOf(tensor);
    stored = stored || !drawn.contains(tensor.record);
  }
  std::string file;
  if (model.weights) {
    file = "given" + std::filesystem::path(*model.weights).extension().string();
    table.copies[file] = *model.weights;
  }
  if (stored && model.file) table.copies["network.pt2"] = *model.file;
  table.json = jsonText(Json{{"file", file}, {"draws", draws}, {"tensors", tensors}}, 1) + "\n";
  return table;
}

}  // namespace lanelab
