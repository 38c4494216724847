// SPDX-License-Identifier: GPL-3.0-only
// The calls of an exported network as memory sees them: which tensors each reads, makes and saves, and which gradients
// its backward makes. Plain values, which engine/memory follows stage by stage.
//
// A storage is a tensor with memory of its own; values are storages and views of them. Weights are not values. Bytes
// are fp32 of one sample, those of weights and their copies of all of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/model/conv_products.h"
#include "engine/model/rules.h"

namespace lanelab {

/// Bytes of what a call makes for its backward alone.
struct SavedBesides {
  std::int64_t computed = 0;  ///< of one sample, in the type in which the lane computes
  std::int64_t own = 0;       ///< of one sample, in a type of its own, such as the indices of a pooling
  std::int64_t fixed = 0;     ///< whatever the samples: mean and deviation of a batch norm, in float32

  std::int64_t ofSample() const { return computed + own; }
  bool operator==(const SavedBesides&) const = default;
};

struct TensorProgram {
  struct Value {
    int storage = 0;
    std::int64_t bytes = 0;
    bool operator==(const Value&) const = default;
  };

  /// What the backward of a call gives to a value that it read.
  struct Gradient {
    /// Passed: it is the gradient of the call's result, or a view of that. InPlace: it takes the memory of that one, if
    /// nobody else has it.
    enum class Lies : unsigned char { Apart, Passed, InPlace };
    int value = 0;
    Lies lies = Lies::Apart;
    bool operator==(const Gradient&) const = default;
  };

  struct Weight {
    int number = 0;  ///< parameters that are one tensor have one number
    std::int64_t bytes = 0;
    bool of_norm = false;  ///< lanes hold it in float32 whatever they compute in
    bool operator==(const Weight&) const = default;
  };

  struct Call {
    static constexpr int kEverywhere = -1;
    static constexpr int kNone = -1;

    int block = kEverywhere;        ///< kEverywhere: each stage does it again
    std::vector<int> reads, makes;  ///< values
    std::vector<int> writes;        ///< storages
    std::vector<int> saves;         ///< storages that its backward reads, each once
    SavedBesides saved_besides;
    std::int64_t forward_workspace = 0, backward_workspace = 0;  ///< for a moment, beside what it makes
    std::int64_t forward_copies = 0, backward_copies = 0;        ///< the same of weights
    std::vector<Gradient> gradients;
    std::vector<Weight> weights;  ///< whose gradients it makes
    /// The storage that its weight part needs, with the gradient of its result; kNone if the backward has no part that
    /// can be later.
    int deferrable = kNone;
    int remakes = kNone;                    ///< the storage that its backward, or that of who saves it, can make again
    bool saves_shape_only = false;          ///< of what can be made again, its backward reads no number
    std::optional<ConvGeometry> conv = {};  ///< of a sample: passing memory is by convolutionBytes(), not workspaces
    bool operator==(const Call&) const = default;
  };

  /// A call that lanes with a rule do in place of several.
  struct Joined {
    Rule rule = Rule::FusedNorm;
    std::size_t place = 0;           ///< of the call whose turn it has
    std::vector<std::size_t> calls;  ///< places in `calls`
    Call call;
    bool operator==(const Joined&) const = default;
  };

  std::vector<Value> values;
  std::vector<std::int64_t> storages;  ///< bytes
  std::vector<Call> calls;             ///< in order
  std::vector<Joined> joined;          ///< the first that may take a call has it
  std::vector<std::vector<int>>
      crossing;  ///< values: the user's, then what crosses behind each block, the outputs last
  bool operator==(const TensorProgram&) const = default;
};

/// Of a model, which is copied often; null for one that was not described. Equal if what it has is equal.
class SharedTensorProgram {
 public:
  SharedTensorProgram() = default;
  explicit SharedTensorProgram(TensorProgram program)
      : m_program(std::make_shared<TensorProgram>(std::move(program))) {}

  const TensorProgram* get() const { return m_program.get(); }
  bool operator==(const SharedTensorProgram& other) const {
    return m_program == other.m_program || (m_program && other.m_program && *m_program == *other.m_program);
  }

 private:
  std::shared_ptr<const TensorProgram> m_program;
};

}  // namespace lanelab
