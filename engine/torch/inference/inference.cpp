// SPDX-License-Identifier: GPL-3.0-only
// Inference of ResNets and the toy from files: eval mode, in chunks, under a device map.
#include "engine/torch/inference/inference.h"

#include <ATen/core/grad_mode.h>

#include <memory>
#include <utility>

#include "base/text.h"
#include "engine/networks/built_network.h"
#include "engine/torch/devices/torch_errors.h"
#include "engine/torch/files/tensor_file.h"
#include "engine/torch/graph/graph_stage.h"
#include "engine/torch/inference/block_inference.h"

namespace lanelab {

namespace {

Error badInputs(const std::string& path, const std::string& why) { return Error::badInput("{}: {}.", path, why); }

struct Inputs {
  at::Tensor rows;
  ModelSpec model;  ///< for samples of their shape
};

Result<Inputs> readInputs(const ModelSpec& spec, const std::string& path) {
  Result<TensorMap> tensors = readSafetensors(path, {"inputs"});
  if (!tensors.ok()) return tensors.error();
  const auto found = tensors->find("inputs");
  if (found == tensors->end())
    return badInputs(path, "there is no tensor named inputs. Write the images under this name");
  const at::Tensor inputs = found->second.to(at::kFloat);
  const auto sizes = inputs.sizes();
  if (sizes.empty() || sizes[0] < 1)
    return badInputs(path, "inputs hold no sample. Write them as N x the shape of a sample");
  // The weights fit images of any size, so the file decides.
  Result<ModelSpec> fits = describeModel(spec.arch, spec.classes, sizes.slice(1).vec());
  if (!fits.ok()) return Error::badInput("{}: {}", path, fits.error());
  return Inputs{inputs, std::move(*fits)};
}

Result<BlockModules> blocksOf(const ModelSpec& spec) {
  const auto network = builtNetwork(spec.arch, spec.classes, spec.input);
  if (!network.ok()) return network.error();
  BlockModules blocks;
  const StageModuleFactory stages = graphStages(*network, {}, GraphUse::Inference);
  for (std::size_t i = 0; i < spec.blocks.size(); ++i) {
    Result<std::unique_ptr<StageModule>> block = stages(BlockId{i}, BlockId{i + 1});
    if (!block.ok()) return block.error();
    (*block)->follow({Rule::ConvolutionProduct, Rule::FoldedLinear});
    blocks.push_back(std::move(*block));
  }
  return blocks;
}

Result<InferenceReport> infer(const ModelSpec& spec, const InferenceFiles& files, const DeviceMap& map, bool int8) {
  const Result<Inputs> inputs = readInputs(spec, files.input);
  if (!inputs.ok()) return inputs.error();
  const InferenceNetwork network{[&] { return blocksOf(inputs->model); },
                                 [&](const BlockModules&, bool mapped) { return openWeights(files.weights, mapped); },
                                 files.weights};
  return inferRows(network, inputs->rows, chunksOf(inputs->rows.size(0), 1, 0), map, int8, files.out);
}

}  // namespace

Result<InferenceReport> inferFile(const ModelSpec& spec, const InferenceFiles& files, const DeviceMap& map, bool int8) {
  try {
    const at::NoGradGuard no_grad;
    return infer(spec, files, map, int8);
  } catch (const std::exception& error) {
    return Error::failed("Inference failed: {}.", plainMessage(error));
  }
}

}  // namespace lanelab
