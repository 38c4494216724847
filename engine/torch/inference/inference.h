// SPDX-License-Identifier: GPL-3.0-only
// Inference from files under a device map: ResNets, Llamas and exported networks, on this machine's GPUs and CPU. No
// torch header is needed to use it.
//
// As Hugging Face accelerate's dispatch_model: what the map puts on disk computes on the main device, and its weights
// come from the mapped safetensors file just in time; here they are fetched ahead of their use. What lies on a GPU or
// the CPU is kept in memory; where a GPU is missing, the CPU takes its part.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "engine/model/llama.h"
#include "engine/model/model_spec.h"
#include "engine/placement/device_map.h"
#include "engine/run/llama_question.h"

namespace lanelab {

struct ExportedNetwork;

struct InferenceFiles {
  std::string weights;  ///< safetensors; for a network without offload also a state dict as zip; for imported networks
                        ///< "": their own
  std::string input;
  std::string out;
};

/// What 8-bit weights cost and save, on the given input.
struct Int8Cost {
  double largest = 0, mean = 0;  ///< absolute difference of the logits from those with the weights as they are
  std::int64_t saved_bytes = 0;
};

struct InferenceReport {
  std::int64_t resident_bytes = 0;   ///< of weights kept in memory
  std::int64_t offloaded_bytes = 0;  ///< of weights fetched for each use
  double seconds = 0;                ///< of the forward passes
  double waited_seconds = 0;         ///< of these, for weights that were not there yet
  std::vector<int> missing_gpus;     ///< that the map names and this machine lacks; what lies on them is kept in memory
  std::optional<Int8Cost> int8;
  std::int64_t generated = 0;  ///< tokens a row, where they were asked for
};

/// Reads `inputs` and writes `logits`, in eval mode. `int8`: of convolutions and linear layers that are kept in memory.
///
/// A built-in network takes N samples of any shape that it can be built for, and needs files.weights. An imported one
/// takes the shape and type that it asks for, any batch that it allows; whole numbers may be of another integer type,
/// and floating-point numbers of another width; `logits` are the first output, in its own type. Without files.weights,
/// the weights are those of the file. Errors (BadInput): inputs of another shape or type, a batch that a static batch
/// does not divide, calls that cannot be run.
Result<InferenceReport> inferNetwork(const std::shared_ptr<const ExportedNetwork>& network, const InferenceFiles& files,
                                     const DeviceMap& map, bool int8 = false);

/// Reads prompts from `input`, `input_ids` (int64 [B, T]), in place of the question's; writes to `out` `logits`
/// (float32 [B, T, vocabulary], whatever type the network computes in) and, when tokens are to be generated, `tokens`
/// (int64 [B, T + n]): n is as many as were asked for, or fewer where every row came to an end token before, as
/// transformers' generate() does.
Result<InferenceReport> inferLlama(const LlamaQuestion& question, const std::string& input, const std::string& out,
                                   const WorkControl& control = {});

/// The same for a prompt and an answer in memory, with no file but the weights.
Result<LlamaAnswer> answerLlama(const LlamaQuestion& question, const WorkControl& control);

}  // namespace lanelab
