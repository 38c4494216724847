// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/inference/block_inference.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/torch/files/tensor_file.h"

namespace lanelab {
namespace {

constexpr std::int64_t kChunk = 16;

at::Tensor logitsOf(const BlockModules& blocks, OffloadedBlocks& offloaded, const at::Tensor& rows,
                    const RowChunks& chunks, at::MemoryFormat images) {
  std::vector<at::Tensor> parts;
  std::int64_t begin = 0;
  for (const std::int64_t count : chunks) {
    at::Tensor x = rows.narrow(0, begin, count);
    if (x.dim() == 4) x = x.contiguous(images);
    TensorList values = {std::move(x)};
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const auto held = offloaded.bring(i);
      for (at::Tensor& value : values) value = value.to(held.device());
      values = blocks[i]->forward(values, /*training=*/false, nullptr);
    }
    parts.push_back(values.front().to(at::kCPU));
    begin += count;
  }
  return parts.size() == 1 ? parts.front() : at::cat(parts);
}

struct Computed {
  InferenceReport report;
  at::Tensor logits;
};

Result<Computed> compute(const InferenceNetwork& network, const at::Tensor& rows, const RowChunks& chunks,
                         const OffloadPlan& plan) {
  const Result<BlockModules> blocks = network.build();
  if (!blocks.ok()) return blocks.error();
  Result<StoredWeights> weights = network.load(*blocks, anyOnDisk(*blocks, plan.devices));
  if (!weights.ok()) return weights.error();
  const auto offloaded = OffloadedBlocks::install(*blocks, std::move(*weights), network.weights_place, plan,
                                                  static_cast<std::int64_t>(chunks.size()));
  if (!offloaded.ok()) return offloaded.error();
  const auto begin = std::chrono::steady_clock::now();
  Computed computed{{}, logitsOf(*blocks, **offloaded, rows, chunks, plan.images)};
  InferenceReport& report = computed.report;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  report.waited_seconds = (*offloaded)->waitedSeconds();
  report.resident_bytes = (*offloaded)->residentBytes();
  report.offloaded_bytes = (*offloaded)->offloadedBytes();
  report.missing_gpus = plan.devices.missing();
  if (plan.int8) report.int8 = Int8Cost{0, 0, (*offloaded)->savedByInt8()};
  return computed;
}

}  // namespace

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

Result<InferenceReport> inferRows(const InferenceNetwork& network, const at::Tensor& rows, const RowChunks& chunks,
                                  const DeviceMap& map, bool int8, const std::string& out) {
  OffloadPlan plan{ComputeDevices(map, usableGpus()), network.images, int8};
  useFullPrecisionOn(plan.devices);
  Result<Computed> computed = compute(network, rows, chunks, plan);
  if (!computed.ok()) return computed.error();
  if (int8) {
    plan.int8 = false;
    const Result<Computed> exact = compute(network, rows, chunks, plan);
    if (!exact.ok()) return exact.error();
    const at::Tensor difference = (exact->logits - computed->logits).abs_().to(at::kDouble);
    computed->report.int8->largest = difference.max().item<double>();
    computed->report.int8->mean = difference.mean().item<double>();
  }
  if (const Status written = writeSafetensors(out, {{"logits", computed->logits}}); !written.ok())
    return written.error();
  return computed->report;
}

}  // namespace lanelab
