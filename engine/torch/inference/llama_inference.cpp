// SPDX-License-Identifier: GPL-3.0-only
// Inference of a Llama from files.
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "base/text.h"
#include "engine/torch/devices/available_memory.h"
#include "engine/torch/devices/torch_errors.h"
#include "engine/torch/files/tensor_file.h"
#include "engine/torch/inference/inference.h"
#include "engine/torch/inference/llama_network.h"

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

/// Memory that goes to neither weights nor what is computed at any moment: the cache, and the logits.
std::int64_t bytesBesides(const LlamaRequest& request, const at::Tensor& ids) {
  const std::int64_t tokens = ids.size(1) + request.generate;
  const std::int64_t cache = 2 * request.config.layers * request.config.key_value_heads * request.config.head_size *
                             bytesOf(request.config.type);
  return ids.size(0) * (tokens * cache + 2 * ids.size(1) * request.config.vocabulary * 4);
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
};

/// Greedy generation: at each step the most likely token, as transformers' generate(do_sample=False).
/// Runs the network over `ids` (int64 [B, T]) and then once for each further token; ends early when all rows have come
/// to an end token. A row that has is filled with the pad token.
Generated generateGreedily(LlamaNetwork& network, const LlamaConfig& config, const at::Tensor& ids, std::int64_t most,
                           ProgressCount& progress) {
  const at::NoGradGuard no_grad;
  KeyValueCache cache(config, ids.size(0), ids.size(1) + std::max<std::int64_t>(most - 1, 0));
  progress.begin("Reading the prompt");
  Generated result{network.forward(ids, cache), ids};
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
    logits = network.forward(next, cache);
    progress.add(1);
  }
  progress.finish();  // sooner where all rows ended
  return result;
}

struct Pass {
  Generated generated;
  double seconds = 0, waited = 0;
};

/// Of this thread, seen from the first pass on; weights are read in before.
Pass run(const LlamaRequest& request, std::shared_ptr<const MappedTensors> tensors, const LlamaWeightsPlan& plan,
         const at::Tensor& ids) {
  LlamaWeights weights(llamaModules(request.config), std::move(tensors), plan);
  LlamaNetwork network(request.config, weights, request.control.stop);
  ProgressCount progress(std::max<std::int64_t>(request.generate, 1), request.control.report);
  const auto begin = std::chrono::steady_clock::now();
  Pass pass{generateGreedily(network, request.config, ids, request.generate, progress), 0, 0};
  pass.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  pass.waited = weights.waitedSeconds();
  return pass;
}

DeviceMap allOnDisk() {
  DeviceMap map;
  map.places[""] = {MapDevice::Kind::Disk, 0};
  return map;
}

/// The weights as they are, all fetched for their use only, so that the comparison takes little memory.
at::Tensor exactLogits(const LlamaRequest& request, std::shared_ptr<const MappedTensors> tensors,
                       const LlamaWeightsPlan& plan, const at::Tensor& ids) {
  LlamaWeightsPlan exact = plan;
  exact.int8 = false;
  exact.passes = 1;
  exact.devices = ComputeDevices(allOnDisk(), 0);
  LlamaWeights weights(llamaModules(request.config), std::move(tensors), exact);
  KeyValueCache cache(request.config, ids.size(0), ids.size(1));
  return LlamaNetwork(request.config, weights, request.control.stop).forward(ids, cache);
}

struct LlamaPassResult {
  InferenceReport report;
  Generated generated;
};

/// `files` says where the weights are, and nothing else.
Result<LlamaPassResult> compute(const LlamaRequest& request, const std::function<Result<at::Tensor>()>& idsOf) {
  Result<MappedTensors> opened = MappedTensors::open(request.files.weights);
  if (!opened.ok()) return opened.error();
  const auto tensors = std::make_shared<const MappedTensors>(std::move(*opened));
  const std::vector<LlamaModule> modules = llamaModules(request.config);
  if (const Status fits = checkLlamaWeights(modules, *tensors, request.files.weights); !fits.ok()) return fits.error();
  const Result<at::Tensor> ids = idsOf();
  if (!ids.ok()) return ids.error();
  const LlamaWeightsPlan plan{scalarType(request.config.type), ComputeDevices(request.map, usableGpus()),
                              std::max<std::int64_t>(request.generate, 1), request.int8};
  useFullPrecisionOn(plan.devices);
  const WeightBytes bytes = weightBytes(modules, *tensors, plan);
  if (const Status room = checkRoom(bytes, bytesBesides(request, *ids)); !room.ok()) return room.error();

  at::Tensor exact;
  if (request.int8) exact = exactLogits(request, tensors, plan, *ids);
  Pass pass = run(request, tensors, plan, *ids);
  LlamaPassResult computed{{bytes.resident + bytes.on_gpus, bytes.offloaded, pass.seconds, pass.waited,
                            plan.devices.missing(), std::nullopt, 0},
                           std::move(pass.generated)};
  if (request.int8) {
    const at::Tensor difference = exact.sub_(computed.generated.logits).abs_();
    computed.report.int8 =
        Int8Cost{difference.max().item<double>(), difference.mean().item<double>(), bytes.saved_by_int8};
  }
  if (request.generate > 0) computed.report.generated = computed.generated.tokens.size(1) - ids->size(1);
  return computed;
}

Result<InferenceReport> infer(const LlamaRequest& request) {
  const Result<LlamaPassResult> computed =
      compute(request, [&] { return readIds(request.config, request.files.input); });
  if (!computed.ok()) return computed.error();
  NamedTensors results = {{"logits", computed->generated.logits}};
  if (request.generate > 0) results.emplace_back("tokens", computed->generated.tokens);
  if (const Status written = writeSafetensors(request.files.out, results); !written.ok()) return written.error();
  return computed->report;
}

Result<LlamaAnswer> answer(const LlamaQuestion& question, const WorkControl& control) {
  if (question.prompt.empty()) return Error::badInput("The prompt is empty: give at least one token by its number.");
  if (question.generate < 1) return Error::badInput("No tokens are asked for: ask for one or more.");
  const LlamaRequest request{
      question.config, {question.weights, {}, {}}, question.map, question.generate, question.int8, control};
  const auto prompt = static_cast<std::int64_t>(question.prompt.size());
  const Result<LlamaPassResult> computed = compute(request, [&]() -> Result<at::Tensor> {
    const at::Tensor ids = at::tensor(question.prompt, at::kLong).unsqueeze(0);
    if (const Status known = checkIds(question.config, ids, "The prompt's tokens"); !known.ok()) return known.error();
    return ids;
  });
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
  const at::Tensor tokens = computed->generated.tokens.contiguous();
  answer.tokens.assign(tokens.data_ptr<std::int64_t>() + prompt, tokens.data_ptr<std::int64_t>() + tokens.numel());
  return answer;
}

/// Whatever is thrown on the way becomes an Error.
template <class T>
Result<T> withErrors(const std::function<Result<T>()>& work) {
  try {
    const at::NoGradGuard no_grad;
    return work();
  } catch (const PassCancelled& cancelled) {
    return Error::cancelled(verbatim(cancelled.what()));
  } catch (const std::exception& error) {
    return Error::failed("Inference failed: {}.", plainMessage(error));
  }
}

}  // namespace

Result<InferenceReport> inferLlama(const LlamaRequest& request) {
  return withErrors<InferenceReport>([&] { return infer(request); });
}

Result<LlamaAnswer> answerLlama(const LlamaQuestion& question, const WorkControl& control) {
  return withErrors<LlamaAnswer>([&] { return answer(question, control); });
}

}  // namespace lanelab
