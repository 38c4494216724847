// SPDX-License-Identifier: GPL-3.0-only
// Inference of ResNets and the toy from files: eval mode, in chunks, under a device map.
#include "engine/torch/inference/inference.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/text.h"
#include "engine/torch/devices/torch_errors.h"
#include "engine/torch/files/tensor_file.h"
#include "engine/torch/inference/offloaded_blocks.h"

namespace lanelab {

namespace {

constexpr std::int64_t kChunk = 16;

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

at::Tensor logitsOf(const NetworkBlocks& blocks, OffloadedBlocks& offloaded, const at::Tensor& inputs) {
  std::vector<at::Tensor> parts;
  for (std::int64_t at = 0; at < inputs.size(0); at += kChunk) {
    at::Tensor x = inputs.narrow(0, at, std::min(kChunk, inputs.size(0) - at));
    if (x.dim() == 4) x = x.contiguous(at::MemoryFormat::ChannelsLast);
    for (const auto& block : blocks) {
      const auto held = offloaded.bring(*block);
      x = block->forward(x.to(held.device()), /*training=*/false);
    }
    parts.push_back(x.to(at::kCPU));
  }
  return at::cat(parts);
}

struct Computed {
  InferenceReport report;
  at::Tensor logits;
};

Result<Computed> compute(const Inputs& inputs, const std::string& weights, const OffloadPlan& plan) {
  const Result<NetworkBlocks> blocks = makeBlocks(inputs.model);
  if (!blocks.ok()) return blocks.error();
  const std::int64_t passes = (inputs.rows.size(0) + kChunk - 1) / kChunk;
  const auto offloaded = OffloadedBlocks::install(*blocks, weights, plan, passes);
  if (!offloaded.ok()) return offloaded.error();
  const auto begin = std::chrono::steady_clock::now();
  Computed computed{{}, logitsOf(*blocks, **offloaded, inputs.rows)};
  InferenceReport& report = computed.report;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  report.waited_seconds = (*offloaded)->waitedSeconds();
  report.resident_bytes = (*offloaded)->residentBytes();
  report.offloaded_bytes = (*offloaded)->offloadedBytes();
  report.missing_gpus = plan.devices.missing();
  if (plan.int8) report.int8 = Int8Cost{0, 0, (*offloaded)->savedByInt8()};
  return computed;
}

Result<InferenceReport> infer(const ModelSpec& spec, const InferenceFiles& files, const DeviceMap& map, bool int8) {
  const Result<Inputs> inputs = readInputs(spec, files.input);
  if (!inputs.ok()) return inputs.error();
  OffloadPlan plan{ComputeDevices(map, usableGpus()), int8};
  useFullPrecisionOn(plan.devices);
  Result<Computed> computed = compute(*inputs, files.weights, plan);
  if (!computed.ok()) return computed.error();
  if (int8) {
    plan.int8 = false;
    const Result<Computed> exact = compute(*inputs, files.weights, plan);
    if (!exact.ok()) return exact.error();
    const at::Tensor difference = (exact->logits - computed->logits).abs_();
    computed->report.int8->largest = difference.max().item<double>();
    computed->report.int8->mean = difference.mean().item<double>();
  }
  if (const Status written = writeSafetensors(files.out, {{"logits", computed->logits}}); !written.ok())
    return written.error();
  return computed->report;
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
