// SPDX-License-Identifier: GPL-3.0-only
// The weights of a Llama under a device map: kept in memory, or on disk until the module computes.
//
// What dispatch_model of Hugging Face accelerate does (big_modeling.py, hooks.py), with what is on disk fetched ahead
// of its use. Where a file already holds the type that the network computes in, nothing is copied: tensors are views of
// the mapped file.
#pragma once

#include <memory>
#include <vector>

#include "engine/torch/devices/compute_devices.h"
#include "engine/torch/files/mapped_tensors.h"
#include "engine/torch/inference/int8_linear.h"
#include "engine/torch/inference/llama_modules.h"
#include "engine/torch/inference/read_ahead.h"

namespace lanelab {

struct LlamaWeightsPlan {
  at::ScalarType type = at::kFloat;  ///< that the network computes in
  ComputeDevices devices;            ///< what is on disk is fetched for each use; all else is kept in memory
  std::int64_t passes = 1;           ///< most forward passes that will be asked for
  bool int8 = false;                 ///< of the linear layers that are kept in memory
};

/// Bytes of the weights, by where they are.
struct WeightBytes {
  std::int64_t resident = 0;  ///< kept in the memory of the machine
  std::int64_t on_gpus = 0;   ///< kept in that of its GPUs
  std::int64_t offloaded =
      0;  ///< on disk until they are used, the embedding aside, of which only the rows of tokens are read
  std::int64_t most_in_flight = 0;  ///< of these, at once in memory: two of the largest module
  std::int64_t saved_by_int8 = 0;
};

/// What a run would keep, before anything is read.
WeightBytes weightBytes(const std::vector<LlamaModule>& modules, const MappedTensors& tensors,
                        const LlamaWeightsPlan& plan);

/// One network, one forward pass after another, one thread.
class LlamaWeights {
 public:
  LlamaWeights(std::vector<LlamaModule> modules, std::shared_ptr<const MappedTensors> tensors,
               const LlamaWeightsPlan& plan);

  /// A module's weights for as long as this lives.
  class Held {
   public:
    Held(LinearWeights weights, ReadAhead* from) : m_weights(std::move(weights)), m_from(from) {}
    ~Held();
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    const LinearWeights& operator*() const { return m_weights; }
    const LinearWeights* operator->() const { return &m_weights; }

   private:
    LinearWeights m_weights;
    ReadAhead* m_from;
  };
  /// The next module in the order of llamaModules(), which begins again after the last; on the device where it
  /// computes.
  Held next();

  /// Rows of the embedding, in the type that the network computes in, where the embedding is kept.
  at::Tensor embed(const at::Tensor& ids);

  double waitedSeconds() const { return m_ahead->waitedSeconds(); }

 private:
  struct Kept {
    bool on_disk = false;
    at::Device compute;     ///< brought there for each use
    LinearWeights weights;  ///< of what is not on disk
  };

  std::vector<LlamaModule> m_modules;
  std::shared_ptr<const MappedTensors> m_tensors;
  at::ScalarType m_type;
  std::vector<Kept> m_kept;
  std::unique_ptr<ReadAhead> m_ahead;
  std::size_t m_next = 0;
};

}  // namespace lanelab
