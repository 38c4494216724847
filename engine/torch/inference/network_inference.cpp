// SPDX-License-Identifier: GPL-3.0-only
// Inference of networks from files: eval mode, a stage for each block.
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <c10/core/ScalarType.h>

#include <utility>

#include "base/text.h"
#include "engine/experiment/experiment.h"
#include "engine/networks/built_network.h"
#include "engine/torch/data/exported_inputs.h"
#include "engine/torch/files/tensor_file.h"
#include "engine/torch/graph/graph_stage.h"
#include "engine/torch/inference/block_inference.h"
#include "engine/torch/nn/scalar_types.h"

namespace lanelab {
namespace {

constexpr std::int64_t kSmallestTable = 3;  ///< a vocabulary of 2 is that of integers that no table is known for

std::string shapeText(const std::vector<SizeExpression>& sizes) {
  std::string text = "N";
  for (std::size_t i = 1; i < sizes.size(); ++i) text += "x" + sizes[i].text();
  return text;
}

bool hasShape(const at::Tensor& rows, const std::vector<SizeExpression>& sizes) {
  if (rows.dim() != static_cast<std::int64_t>(sizes.size())) return false;
  for (std::size_t i = 1; i < sizes.size(); ++i)
    if (sizes[i].constant() != rows.size(static_cast<std::int64_t>(i))) return false;
  return true;
}

Status checkTokens(const ExportedNetwork& network, const at::Tensor& rows, const std::string& path) {
  const std::int64_t vocabulary = network.described.model.vocabulary;
  if (vocabulary < kSmallestTable || !at::isIntegralType(rows.scalar_type(), /*includeBool=*/false)) return {};
  const std::int64_t lowest = rows.min().item<std::int64_t>(), highest = rows.max().item<std::int64_t>();
  if (lowest >= 0 && highest < vocabulary) return {};
  return Error::badInput("{}: inputs hold {}, but {} has tokens from 0 to {}. Write others.", path,
                         lowest < 0 ? lowest : highest, network.path, vocabulary - 1);
}

Result<at::Tensor> readInputs(const std::string& path) {
  Result<TensorMap> tensors = readSafetensors(path, {"inputs"});
  if (!tensors.ok()) return tensors.error();
  const auto found = tensors->find("inputs");
  if (found == tensors->end())
    return Error::badInput("{}: there is no tensor named inputs. Write the samples under this name.", path);
  return found->second;
}

/// Built-in networks take images of any size, so that the inputs decide.
Result<std::shared_ptr<const ExportedNetwork>> networkFor(const std::shared_ptr<const ExportedNetwork>& network,
                                                          const at::Tensor& inputs, const std::string& path) {
  const ModelSpec& model = network->described.model;
  if (model.imported) return network;
  if (inputs.dim() == 0 || inputs.size(0) < 1)
    return Error::badInput("{}: inputs hold no sample. Write them as N x the shape of a sample.", path);
  auto fits = builtNetwork(model.arch, model.classes, inputs.sizes().slice(1).vec());
  if (!fits.ok()) return Error::badInput("{}: {}", path, fits.error());
  return fits;
}

/// As the network takes them.
Result<at::Tensor> rowsFor(const ExportedNetwork& network, const at::Tensor& given, const std::string& path) {
  if (!network.described.model.imported) return given.to(at::kFloat);
  const ExportedValue& input = network.program.graph.value(userInput(network.program.graph).value);
  if (!hasShape(given, input.sizes) || given.numel() == 0)
    return Error::badInput("{}: inputs have the shape {}, but {} has inputs of {}, N at least 1. Write them so.", path,
                           given.dim() == 0 ? "of a number" : formatShape(given.sizes().vec()), network.path,
                           shapeText(input.sizes));
  const at::ScalarType type = torchTypeOf(input.type);
  const auto group = [](at::ScalarType each) {
    return c10::isFloatingType(each) ? 0 : at::isIntegralType(each, /*includeBool=*/false) ? 1 : 2;
  };
  if (given.scalar_type() != type && (group(given.scalar_type()) != group(type) || group(type) == 2))
    return Error::badInput("{}: inputs are {}, but {} has inputs of the type {}. Convert them.", path,
                           c10::toString(given.scalar_type()), network.path, std::string(toWord(input.type)));
  at::Tensor rows = given.to(type);
  if (const Status known = checkTokens(network, rows, path); !known.ok()) return known.error();
  return rows;
}

/// Several chunks are joined only along the batch.
Status checkOutput(const ExportedNetwork& network, std::size_t chunks) {
  const ExportedGraph& graph = network.program.graph;
  const ExportedValue& output = graph.value(graph.outputs.front());
  const auto& batch = graph.value(userInput(graph).value).sizes.front();
  if (chunks == 1 || (!output.sizes.empty() && output.sizes.front().text() == batch.text())) return {};
  return Error::badInput(
      "{}: size 0 of its output is not the batch, so the results of several batches cannot be joined. Give fewer "
      "inputs at once.",
      network.path);
}

Result<RowChunks> chunksFor(const ExportedNetwork& network, std::int64_t rows, const std::string& path) {
  const ModelSpec& model = network.described.model;
  RowChunks chunks = chunksOf(rows, model.least_samples, model.most_samples);
  if (!chunks.empty()) return chunks;
  if (model.least_samples == model.most_samples)
    return Error::badInput(
        "{}: inputs have {} samples, but {} was exported for a batch of {}. Give a multiple of it, or export the "
        "network with a dynamic batch.",
        path, rows, network.path, model.most_samples);
  return Error::badInput(
      "{}: inputs have {} samples, which cannot be divided into batches of {} to {}, as {} asks for.", path, rows,
      model.least_samples, model.most_samples, network.path);
}

/// Those of a built-in network would be drawn, and are read from a file instead.
Result<ExportedInputs> opened(const std::shared_ptr<const ExportedNetwork>& network) {
  if (network->described.model.imported) return loadExported(network, 0, GraphUse::Inference);
  return ExportedInputs{network, {}, {}, graphStages(network, {}, GraphUse::Inference)};
}

/// Mapped, or all in memory: then also of a zip state dict.
Result<StoredWeights> openWeights(const std::string& path, bool mapped) {
  if (mapped) return mapSafetensors(path);
  Result<TensorMap> tensors = readWeights(path);
  if (!tensors.ok()) return tensors.error();
  return StoredWeights{std::move(*tensors), {}};
}

/// What no call reads is left out.
StoredWeights ownWeights(const ExportedInputs& exported, const std::vector<TensorSlot>& slots) {
  StoredWeights own{{}, exported.own.files};
  for (const TensorSlot& slot : slots) own.tensors[slot.name] = exported.weights.at(slot.name);
  return own;
}

Result<StoredWeights> weightsOf(const ExportedInputs& exported, const BlockModules& blocks, const std::string& file,
                                bool mapped) {
  const std::vector<TensorSlot> slots = slotsOfAll(blocks);
  if (file.empty()) return ownWeights(exported, slots);
  Result<StoredWeights> stored = openWeights(file, mapped);
  if (!stored.ok() || !exported.network->described.model.imported) return stored;
  Result<TensorMap> held =
      heldWeights(exported.network->program, slots, std::move(stored->tensors), exported.own.tensors, file);
  if (!held.ok()) return held.error();
  return StoredWeights{std::move(*held), std::move(stored->files)};
}

Result<BlockModules> blocksOf(const ExportedInputs& exported) {
  const ModelSpec& model = exported.network->described.model;
  Result<BlockModules> blocks = eachBlock(exported.modules, model.blocks.size());
  if (!blocks.ok() || model.imported) return blocks;
  for (const auto& block : *blocks) block->follow({Rule::ConvolutionProduct, Rule::FoldedLinear});
  return blocks;
}

at::Tensor logitsOf(const ForwardPass& forward, const at::Tensor& rows, const RowChunks& chunks,
                    at::MemoryFormat images) {
  std::vector<at::Tensor> parts;
  std::int64_t begin = 0;
  for (const std::int64_t count : chunks) {
    const at::Tensor x = rows.narrow(0, begin, count);
    parts.push_back(forward(x.dim() == 4 ? x.contiguous(images) : x));
    begin += count;
  }
  return parts.size() == 1 ? parts.front() : at::cat(parts);
}

Result<InferenceReport> infer(const std::shared_ptr<const ExportedNetwork>& given, const InferenceFiles& files,
                              const DeviceMap& map, bool int8) {
  const Result<at::Tensor> inputs = readInputs(files.input);
  if (!inputs.ok()) return inputs.error();
  const auto fitting = networkFor(given, *inputs, files.input);
  if (!fitting.ok()) return fitting.error();
  const ExportedNetwork& network = **fitting;
  const Result<ExportedInputs> exported = opened(*fitting);
  if (!exported.ok()) return exported.error();
  const Result<at::Tensor> rows = rowsFor(network, *inputs, files.input);
  if (!rows.ok()) return rows.error();
  const Result<RowChunks> chunks = chunksFor(network, rows->size(0), files.input);
  if (!chunks.ok()) return chunks.error();
  if (const Status joined = checkOutput(network, chunks->size()); !joined.ok()) return joined.error();
  const InferenceNetwork inference{
      [&] { return blocksOf(*exported); },
      [&](const BlockModules& blocks, bool mapped) { return weightsOf(*exported, blocks, files.weights, mapped); },
      files.weights.empty() ? network.path : files.weights,
      network.described.model.imported ? at::MemoryFormat::Contiguous : at::MemoryFormat::ChannelsLast};
  const Passes passes{static_cast<std::int64_t>(chunks->size()),
                      [&](const ForwardPass& forward) { return logitsOf(forward, *rows, *chunks, inference.images); }};
  const Result<Computed> computed = inferBlocks(inference, map, int8, passes, passes);
  if (!computed.ok()) return computed.error();
  if (const Status written = writeSafetensors(files.out, {{"logits", computed->logits}}); !written.ok())
    return written.error();
  return computed->report;
}

}  // namespace

Result<InferenceReport> inferNetwork(const std::shared_ptr<const ExportedNetwork>& network, const InferenceFiles& files,
                                     const DeviceMap& map, bool int8) {
  return withErrors(currentStopToken(), [&] { return infer(network, files, map, int8); });
}

}  // namespace lanelab
