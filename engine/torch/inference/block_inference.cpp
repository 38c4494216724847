// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/inference/block_inference.h"

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lanelab {
namespace {

constexpr std::int64_t kChunk = 16;

DeviceMap allOnDisk() {
  DeviceMap map;
  map.places[""] = {MapDevice::Kind::Disk, 0};
  return map;
}

Result<Computed> computeUnder(const OffloadPlan& plan, const InferenceNetwork& network, const Passes& passes) {
  const Result<BlockModules> blocks = network.build();
  if (!blocks.ok()) return blocks.error();
  const WeightBytes bytes = weightBytes(*blocks, plan);
  Result<StoredWeights> weights = network.load(*blocks, bytes.any_on_disk);
  if (!weights.ok()) return weights.error();
  if (const Status checked = network.check ? network.check(bytes) : Status(); !checked.ok()) return checked.error();
  const auto offloaded =
      OffloadedBlocks::install(*blocks, std::move(*weights), network.weights_place, plan, passes.most);
  if (!offloaded.ok()) return offloaded.error();
  const auto begin = std::chrono::steady_clock::now();
  Computed computed{{}, passes.logits([&](const at::Tensor& input) {
                      TensorList values = {input};
                      for (std::size_t i = 0; i < blocks->size(); ++i) {
                        stopPoint();
                        const auto held = (*offloaded)->bring(i);
                        for (at::Tensor& value : values) value = value.to(held.device());
                        values = (*blocks)[i]->forward(values, /*training=*/false, nullptr);
                      }
                      return values.front().to(at::kCPU);
                    })};
  InferenceReport& report = computed.report;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  report.waited_seconds = (*offloaded)->waitedSeconds();
  report.resident_bytes = bytes.resident + bytes.on_gpus;
  report.offloaded_bytes = bytes.offloaded;
  report.missing_gpus = plan.devices.missing();
  if (plan.int8) report.int8 = Int8Cost{0, 0, bytes.saved_by_int8};
  return computed;
}

}  // namespace

Result<BlockModules> eachBlock(const StageModuleFactory& modules, std::size_t blocks) {
  BlockModules each;
  for (std::size_t i = 0; i < blocks; ++i) {
    Result<std::unique_ptr<StageModule>> block = modules(BlockId{i}, BlockId{i + 1});
    if (!block.ok()) return block.error();
    each.push_back(std::move(*block));
  }
  return each;
}

Result<Computed> inferBlocks(const InferenceNetwork& network, const DeviceMap& map, bool int8, const Passes& passes,
                             const Passes& exact) {
  const OffloadPlan plan{ComputeDevices(map, usableGpus()), network.images, int8};
  useFullPrecisionOn(plan.devices);
  Result<Computed> computed = computeUnder(plan, network, passes);
  if (!computed.ok() || !int8) return computed;
  const OffloadPlan as_they_are{network.mapped ? ComputeDevices(allOnDisk(), 0) : plan.devices, plan.images, false};
  const Result<Computed> wanted = computeUnder(as_they_are, network, exact);
  if (!wanted.ok()) return wanted.error();
  const at::Tensor difference = (wanted->logits - computed->logits).abs_().to(at::kDouble);
  computed->report.int8->largest = difference.max().item<double>();
  computed->report.int8->mean = difference.mean().item<double>();
  return computed;
}

RowChunks chunksOf(std::int64_t rows, std::int64_t least, std::int64_t most) {
  std::int64_t whole = std::max(kChunk, least);
  if (most > 0) whole = std::min(whole, most);
  if (rows < least) return {};
  const std::int64_t rest = rows % whole;
  RowChunks chunks(static_cast<std::size_t>(rows / whole), whole);
  if (rest == 0) return chunks;
  if (rest >= least) {
    chunks.push_back(rest);
    return chunks;
  }
  // Equal chunks, as many as have enough rows.
  const std::int64_t count = std::min((rows + whole - 1) / whole, rows / least);
  if (most > 0 && (rows + count - 1) / count > most) return {};
  chunks.assign(static_cast<std::size_t>(count), rows / count);
  for (std::int64_t i = 0; i < rows % count; ++i) ++chunks[static_cast<std::size_t>(i)];
  return chunks;
}

}  // namespace lanelab
