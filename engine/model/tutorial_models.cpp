// SPDX-License-Identifier: GPL-3.0-only
#include "engine/model/tutorial_models.h"

#include "engine/model/block_builder.h"

namespace lanelab {

ModelSpec describeToy(int classes) {
  ModelSpec model{"toy", classes, {kToyFeatures}, {}};

  BlockBuilder net1("net1", "Linear", "stem", {kToyFeatures}, false);
  net1.linear("net1", kToyFeatures);
  BlockBuilder relu("relu", "ReLU", "layer1", net1.shape(), net1.outputKept());
  relu.relu();
  relu.listRelu("relu");
  BlockBuilder net2("net2", "Linear", "head", relu.shape(), relu.outputKept());
  net2.linear("net2", classes);

  for (BlockBuilder* block : {&net1, &relu, &net2}) model.blocks.push_back(block->finish());
  return model;
}

ModelSpec describeLinear(int classes, const Shape& input) {
  ModelSpec model{"linear", classes, input, {}};
  BlockBuilder block("linear", "Linear", "head", {numbersOf(input)}, false);
  block.linear("linear", classes);
  model.blocks.push_back(block.finish());
  return model;
}

int usualClasses(const std::string& arch) { return arch == "toy" ? 5 : arch == "linear" ? 2 : 1000; }

}  // namespace lanelab
