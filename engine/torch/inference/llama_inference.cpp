// SPDX-License-Identifier: GPL-3.0-only
// Inference of a Llama from files.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/logical_and.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/reciprocal.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <c10/util/StringUtil.h>

#include <algorithm>
#include <numbers>
#include <utility>

#include "base/text.h"
#include "engine/networks/llama_program.h"
#include "engine/torch/devices/available_memory.h"
#include "engine/torch/files/tensor_file.h"
#include "engine/torch/graph/graph_stage.h"
#include "engine/torch/inference/block_inference.h"
#include "engine/torch/inference/inference.h"
#include "engine/torch/inference/key_value_cache.h"

namespace lanelab {
namespace {

/// Tokens [rows, tokens] that the vocabulary has.
Status checkIds(const LlamaConfig& config, const at::Tensor& ids, const std::string& place) {
  const std::int64_t lowest = ids.min().item<std::int64_t>(), highest = ids.max().item<std::int64_t>();
  if (lowest >= 0 && highest < config.vocabulary) return {};
  return Error::badInput("{} hold {}, but the vocabulary of config.json has tokens from 0 to {}.", place,
                         lowest < 0 ? lowest : highest, config.vocabulary - 1);
}

Result<at::Tensor> readIds(const LlamaConfig& config, const std::string& path) {
  Result<TensorMap> tensors = readSafetensors(path, {"input_ids"});
  if (!tensors.ok()) return tensors.error();
  const auto found = tensors->find("input_ids");
  if (found == tensors->end())
    return Error::badInput(
        "{}: there is no tensor named input_ids. Write the tokens under this name, int64 [rows, tokens].", path);
  if (!at::isIntegralType(found->second.scalar_type(), /*includeBool=*/false) || found->second.dim() != 2 ||
      found->second.numel() == 0)
    return Error::badInput(
        "{}: input_ids must be whole numbers of the shape [rows, tokens], with at least one of each.", path);
  const at::Tensor ids = found->second.to(at::kLong);
  if (const Status known = checkIds(config, ids, path + ": input_ids"); !known.ok()) return known.error();
  return ids;
}

/// Long waves are stretched by the factor, short ones stay, between them it goes smoothly (_compute_llama3_parameters).
at::Tensor stretchedForLlama3(const at::Tensor& frequencies, const RopeScaling& rope) {
  const auto context = static_cast<double>(rope.original_context);
  const double longest_kept = context / rope.high_frequency_factor,
               shortest_stretched = context / rope.low_frequency_factor;
  const at::Tensor wave = frequencies.reciprocal().mul_(2 * std::numbers::pi);
  const at::Tensor stretched = at::where(wave > shortest_stretched, frequencies / rope.factor, frequencies);
  const at::Tensor smooth = (wave.reciprocal() * context - rope.low_frequency_factor) /
                            (rope.high_frequency_factor - rope.low_frequency_factor);
  const at::Tensor between = (1 - smooth) * stretched / rope.factor + smooth * stretched;
  return at::where((wave >= longest_kept).logical_and(wave <= shortest_stretched), between, stretched);
}

/// As transformers computes them, in fp32 (modeling_rope_utils.py).
at::Tensor rotaryFrequencies(const RopeScaling& rope, std::int64_t head_size) {
  const at::Tensor exponents =
      at::arange(0, head_size, 2, at::TensorOptions().dtype(at::kFloat)).div_(static_cast<double>(head_size));
  const at::Tensor frequencies = at::pow(rope.theta, exponents).reciprocal_();
  switch (rope.kind) {
    case RopeScaling::Kind::Default: break;
    case RopeScaling::Kind::Linear: return frequencies / rope.factor;
    case RopeScaling::Kind::Llama3: return stretchedForLlama3(frequencies, rope);
  }
  return frequencies;
}

/// Of a checkpoint what the network needs; it may carry buffers and heads besides.
Result<StoredWeights> weightsOf(const LlamaQuestion& question, const BlockModules& blocks) {
  const std::string& place = question.weights;
  Result<StoredWeights> stored = mapSafetensors(place);
  if (!stored.ok()) return stored.error();
  stored->tensors.insert_or_assign(kRotaryFrequencies,
                                   rotaryFrequencies(question.config.rope, question.config.head_size));
  TensorMap held;
  std::vector<std::string> missing, wrong;
  for (const TensorSlot& slot : slotsOfAll(blocks)) {
    const at::Tensor& found = stored->tensors[slot.name];
    if (!found.defined()) {
      missing.push_back(slot.name);
    } else if (found.sizes() != slot.shape) {
      wrong.push_back(c10::str(slot.name, " has the shape ", found.sizes(), " where the configuration asks for ",
                               at::IntArrayRef(slot.shape)));
    } else if (!found.is_floating_point()) {
      wrong.push_back(slot.name + " holds no floating-point numbers");
    }
    held[slot.name] = found;
  }
  if (const std::size_t count = missing.size(); count > 0) {
    missing.resize(std::min<std::size_t>(count, 3));
    wrong = {c10::str(count, count == 1 ? " tensor is" : " tensors are",
                      " missing that the configuration asks for: ", joined(missing, ", "), count > 3 ? ", ..." : "")};
  }
  if (wrong.empty()) return StoredWeights{std::move(held), std::move(stored->files)};
  return Error::badInput("{}: {}. Give the weights that belong to this config.json.", place, wrong.front());
}

/// Memory that goes to neither weights nor what is computed at any moment: the cache, and the logits.
std::int64_t bytesBesides(const LlamaQuestion& question, const at::Tensor& ids) {
  const std::int64_t tokens = ids.size(1) + question.generate;
  const std::int64_t cache = 2 * question.config.layers * question.config.key_value_heads * question.config.head_size *
                             bytesOf(question.config.type);
  return ids.size(0) * (tokens * cache + 2 * ids.size(1) * question.config.vocabulary * 4);
}

Status checkRoom(const WeightBytes& weights, std::int64_t besides) {
  const std::int64_t needed = weights.resident + weights.most_in_flight + besides, free = availableMemory();
  if (needed <= free) return {};
  return Error::failed(
      "The device map keeps {} of weights in memory, and with {} for weights on their way, the cache and the logits "
      "that is more than the {} that are free: put more on disk, such as with --max-memory cpu=SIZE, or give fewer "
      "tokens at once.",
      formatBytes(weights.resident), formatBytes(weights.most_in_flight + besides), formatBytes(free));
}

struct Generated {
  at::Tensor logits;  ///< of the given tokens, float32 [B, T, vocabulary]
  at::Tensor tokens;  ///< int64 [B, T + n], n at most `most`
  InferenceReport report = {};
};

/// Of the tokens behind those that the cache has.
at::Tensor logitsOfNewest(const ForwardPass& forward, KeyValueCache& cache, const at::Tensor& newest) {
  at::Tensor logits = forward(newest).to(at::kFloat);
  cache.advance(newest.size(1));
  return logits;
}

/// Greedy generation: at each step the most likely token, as transformers' generate(do_sample=False).
/// Runs the network over `ids` (int64 [B, T]) and then once for each further token; ends early when all rows have come
/// to an end token. A row that has is filled with the pad token.
Generated generateGreedily(const ForwardPass& forward, KeyValueCache& cache, const LlamaConfig& config,
                           const at::Tensor& ids, std::int64_t most, ProgressCount& progress) {
  cache.begin(ids.size(1) + std::max<std::int64_t>(most - 1, 0));
  progress.begin("Reading the prompt");
  Generated result{logitsOfNewest(forward, cache, ids), ids};
  progress.begin("Generating tokens");
  progress.add(1);
  const std::int64_t pad = config.pad_token.value_or(config.end_tokens.empty() ? 0 : config.end_tokens.front());
  at::Tensor ended = at::zeros({ids.size(0), 1}, at::TensorOptions().dtype(at::kBool));
  at::Tensor logits = result.logits;
  for (std::int64_t step = 0; step < most; ++step) {
    at::Tensor next = logits.select(1, logits.size(1) - 1).argmax(1, /*keepdim=*/true);
    next.masked_fill_(ended, pad);
    result.tokens = at::cat({result.tokens, next}, 1);
    for (const std::int64_t end : config.end_tokens) ended = ended.logical_or(next == end);
    if (step + 1 == most || ended.all().item<bool>()) break;
    logits = logitsOfNewest(forward, cache, next);
    progress.add(1);
  }
  return result;
}

/// `ids` in place of the question's prompt.
Result<Generated> compute(const LlamaQuestion& question, const at::Tensor& ids, const WorkControl& control) {
  const auto network = llamaNetwork(question.config);
  KeyValueCache cache;
  const auto cached = [&](std::size_t node) { return cache.operationFor(network->program.graph.nodes[node], node); };
  const InferenceNetwork inference{
      [&] { return eachBlock(graphStages(network, {}, GraphUse::Inference, cached), network->blocks.blocks.size()); },
      [&](const BlockModules& blocks, bool) { return weightsOf(question, blocks); },
      question.weights,
      at::MemoryFormat::Contiguous,
      [&](const WeightBytes& bytes) { return checkRoom(bytes, bytesBesides(question, ids)); },
      /*mapped=*/true};
  const std::int64_t most = std::max<std::int64_t>(question.generate, 1);
  ProgressCount progress(most + (question.int8 ? 1 : 0), control.report);
  Generated generated;
  const Passes passes{most, [&](const ForwardPass& forward) {
                        generated = generateGreedily(forward, cache, question.config, ids, question.generate, progress);
                        return generated.logits;
                      }};
  const Passes exact{1, [&](const ForwardPass& forward) {
                       progress.begin("Comparing with the weights as they are");
                       cache.begin(ids.size(1));
                       return logitsOfNewest(forward, cache, ids);
                     }};
  const Result<Computed> computed = inferBlocks(inference, question.map, question.int8, passes, exact);
  if (!computed.ok()) return computed.error();
  progress.finish();  // sooner where all rows ended
  generated.report = computed->report;
  if (question.generate > 0) generated.report.generated = generated.tokens.size(1) - ids.size(1);
  return generated;
}

Result<InferenceReport> infer(const LlamaQuestion& question, const std::string& input, const std::string& out,
                              const WorkControl& control) {
  const Result<at::Tensor> ids = readIds(question.config, input);
  if (!ids.ok()) return ids.error();
  const Result<Generated> computed = compute(question, *ids, control);
  if (!computed.ok()) return computed.error();
  NamedTensors results = {{"logits", computed->logits}};
  if (question.generate > 0) results.emplace_back("tokens", computed->tokens);
  if (const Status written = writeSafetensors(out, results); !written.ok()) return written.error();
  return computed->report;
}

Result<LlamaAnswer> answer(const LlamaQuestion& question, const WorkControl& control) {
  if (question.prompt.empty()) return Error::badInput("The prompt is empty: give at least one token by its number.");
  if (question.generate < 1) return Error::badInput("No tokens are asked for: ask for one or more.");
  const auto prompt = static_cast<std::int64_t>(question.prompt.size());
  const at::Tensor ids = at::tensor(question.prompt, at::kLong).unsqueeze(0);
  if (const Status known = checkIds(question.config, ids, "The prompt's tokens"); !known.ok()) return known.error();
  const Result<Generated> computed = compute(question, ids, control);
  if (!computed.ok()) return computed.error();
  const InferenceReport& report = computed->report;
  LlamaAnswer answer{{},
                     report.resident_bytes,
                     report.offloaded_bytes,
                     report.seconds,
                     report.waited_seconds,
                     report.missing_gpus,
                     std::nullopt};
  if (report.int8) answer.int8_error = report.int8->mean;
  const at::Tensor tokens = computed->tokens.contiguous();
  answer.tokens.assign(tokens.data_ptr<std::int64_t>() + prompt, tokens.data_ptr<std::int64_t>() + tokens.numel());
  return answer;
}

}  // namespace

Result<InferenceReport> inferLlama(const LlamaQuestion& question, const std::string& input, const std::string& out,
                                   const WorkControl& control) {
  return withErrors(control.stop, [&] { return infer(question, input, out, control); });
}

Result<LlamaAnswer> answerLlama(const LlamaQuestion& question, const WorkControl& control) {
  return withErrors(control.stop, [&] { return answer(question, control); });
}

}  // namespace lanelab
