// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/stage_module.h"

#include <stdexcept>
#include <utility>

#include "engine/torch/nn/block_chain.h"

namespace lanelab {

StageModuleFactory handWrittenStages(ModelSpec spec) {
  return [spec = std::move(spec)](BlockId first, BlockId end) -> Result<std::unique_ptr<StageModule>> {
    Result<NetworkBlocks> all = makeBlocks(spec);
    if (!all.ok()) return all.error();
    NetworkBlocks chosen;
    for (std::size_t i = first.index(); i < end.index(); ++i) chosen.push_back(std::move((*all)[i]));
    return std::unique_ptr<StageModule>(std::make_unique<BlockChain>(std::move(chosen)));
  };
}

std::unique_ptr<StageModule> builtModule(const StageModuleFactory& factory, BlockId first, BlockId end) {
  Result<std::unique_ptr<StageModule>> module = factory(first, end);
  if (!module.ok()) throw std::runtime_error(module.error().message);
  return std::move(*module);
}

std::unique_ptr<StageModule> wholeModule(const StageModuleFactory& factory, std::size_t blocks) {
  return builtModule(factory, BlockId{0}, BlockId{blocks});
}

}  // namespace lanelab
