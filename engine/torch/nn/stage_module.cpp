// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/stage_module.h"

#include <stdexcept>
#include <utility>

namespace lanelab {

std::unique_ptr<StageModule> builtModule(const StageModuleFactory& factory, BlockId first, BlockId end) {
  Result<std::unique_ptr<StageModule>> module = factory(first, end);
  if (!module.ok()) throw std::runtime_error(module.error().message);
  return std::move(*module);
}

std::unique_ptr<StageModule> wholeModule(const StageModuleFactory& factory, std::size_t blocks) {
  return builtModule(factory, BlockId{0}, BlockId{blocks});
}

}  // namespace lanelab
