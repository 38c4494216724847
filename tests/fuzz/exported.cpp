// SPDX-License-Identifier: GPL-3.0-only
// Fuzz target: networks as torch.export.save() writes them. An input is an archive, or the JSON of a model, which is
// put into one.
#include <algorithm>
#include <set>

#include "engine/exported/archive/eager_step.h"
#include "engine/exported/archive/exported_archive.h"
#include "engine/exported/exported_model.h"
#include "tests/fuzz/fuzz_result.h"
#include "tests/support/bytes_in_memory.h"
#include "tests/unit/files/zip_writer.h"

namespace lanelab {
namespace {

std::string archiveOf(std::string_view model) {
  const std::string weight =
      R"({"path_name":"weight_0","is_param":true,"use_pickle":false,"tensor_meta":{"dtype":7,"sizes":[{"as_int":2},)"
      R"({"as_int":3}],"strides":[{"as_int":3},{"as_int":1}],"storage_offset":{"as_int":0},"layout":7}})";
  return test::zipOf({test::stored("n/models/model.json", std::string(model)),
                      test::stored("n/data/weights/model_weights_config.json", "{\"config\":{\"w\":" + weight + "}}"),
                      test::stored("n/data/constants/model_constants_config.json", "{\"config\":{}}"),
                      test::stored("n/data/weights/weight_0", std::string(24, 'x'))});
}

/// Each value is there before it is read.
void requireOrder(const ExportedProgram& program, const StageGraph& stage) {
  std::set<ValueId> there(stage.received.begin(), stage.received.end());
  for (const std::size_t weight : stage.weights) there.insert(program.graph.inputs[weight].value);
  there.insert(stage.sizes.begin(), stage.sizes.end());
  const auto require_there = [&](ValueId id) { require(there.contains(id), "each value is made before it is read"); };
  for (const StageNode& node : stage.nodes) {
    std::ranges::for_each(valuesRead(program.graph.nodes[node.node]), require_there);
    for (const auto& id : program.graph.nodes[node.node].outputs)
      if (id) there.insert(*id);
  }
  std::ranges::for_each(stage.sent, require_there);
}

void tryBlocks(const ExportedProgram& program, const ExportedBlockChoice& choice) {
  const Result<ExportedBlocks> blocks = blocksOf(program, choice);
  requireOutcome(blocks);
  if (!blocks.ok()) return;
  const BlockId end(blocks->blocks.size()), middle(end.value / 2);
  requireOrder(program, stageOf(program, *blocks, BlockId(0), end));
  if (middle.value > 0) {
    requireOrder(program, stageOf(program, *blocks, BlockId(0), middle));
    requireOrder(program, stageOf(program, *blocks, middle, end));
  }
  require(describeExported(program, *blocks).model.blocks.size() == end.index(), "a description of each block");
}

}  // namespace
}  // namespace lanelab

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanelab;
  const std::string_view text = textOf(data, size);
  const std::string bytes = text.starts_with("PK") ? std::string(text) : archiveOf(text);
  const Result<ExportedProgram> program = readExportedProgram(test::bytesInMemory(bytes), "input");
  requireOutcome(program);
  requireOutcome(readEagerStep(test::bytesInMemory(bytes), "input"));
  if (!program.ok()) return 0;
  tryBlocks(*program, {});
  tryBlocks(*program, {.depth = 1});
  return 0;
}
