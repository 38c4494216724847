// Inference from files: eval mode, in chunks, on one CPU lane.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>

#include <algorithm>

#include "engine/torch/tensor_file.h"
#include "engine/torch/torch_errors.h"
#include "engine/torch/torch_executor.h"

namespace lanelab {

namespace {

constexpr std::int64_t kChunk = 16;

Error badInputs(const std::string& path, const std::string& why) { return Error::badInput(path + ": " + why + "."); }

Result<at::Tensor> readInputs(const ModelSpec& spec, const std::string& path) {
  Result<TensorMap> tensors = readSafetensors(path, {"inputs"});
  if (!tensors.ok()) return tensors.error();
  const auto found = tensors->find("inputs");
  if (found == tensors->end()) return badInputs(path, "there is no tensor named inputs. Write the images under this name");
  const at::Tensor inputs = found->second.to(at::kFloat);
  const auto sizes = inputs.sizes();
  if (sizes.empty() || sizes[0] < 1) return badInputs(path, "inputs hold no sample. Write them as N x the shape of a sample");
  // The weights fit images of any size, so the file decides.
  const Result<ModelSpec> fits = describeModel(spec.arch, spec.classes, sizes.slice(1).vec());
  if (!fits.ok()) return Error::badInput(path + ": " + fits.error().message);
  return inputs;
}

at::Tensor logitsOf(const NetworkBlocks& blocks, const at::Tensor& inputs) {
  const at::NoGradGuard no_grad;
  std::vector<at::Tensor> parts;
  for (std::int64_t at = 0; at < inputs.size(0); at += kChunk) {
    at::Tensor x = inputs.narrow(0, at, std::min(kChunk, inputs.size(0) - at));
    if (x.dim() == 4) x = x.contiguous(at::MemoryFormat::ChannelsLast);
    for (const auto& block : blocks) x = block->forward(x, /*training=*/false);
    parts.push_back(x);
  }
  return at::cat(parts);
}

}  // namespace

Status inferFile(const ModelSpec& spec, const std::string& weights, const std::string& input, const std::string& output) {
  try {
    const Result<NetworkBlocks> blocks = makeBlocks(spec);
    if (!blocks.ok()) return blocks.error();
    Result<TensorMap> read = readWeights(weights);
    if (!read.ok()) return read.error();
    const Result<TensorMap> matched = matchWeights(*blocks, std::move(*read), weights);
    if (!matched.ok()) return matched.error();
    const Result<at::Tensor> inputs = readInputs(spec, input);
    if (!inputs.ok()) return inputs.error();
    for (const auto& block : *blocks) installWeights(*block, *matched, at::kCPU, at::MemoryFormat::ChannelsLast);
    return writeSafetensors(output, {{"logits", logitsOf(*blocks, *inputs)}});
  } catch (const std::exception& error) {
    return Error::failed("Inference failed: " + plainMessage(error) + ".");
  }
}

}  // namespace lanelab
