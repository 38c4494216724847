// SPDX-License-Identifier: GPL-3.0-only
// What a block computes, operation by operation: enough to follow every tensor of a training step without running it.
#pragma once

#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace lanelab {

using Shape = std::vector<std::int64_t>;

/// Elements of a tensor.
inline std::int64_t numbersOf(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

inline constexpr std::int64_t kFloatBytes = 4;
inline constexpr std::int64_t kInt64Bytes = 8;  ///< indices of a pooling, the number of batches that a batch norm saw

enum class OpKind : unsigned char { Convolution, BatchNorm, Relu, Sum, MaxPool, AveragePool, Linear };

/// One operation of a block's forward pass, in the order of execution. Values are numbered: 0 is the block's input, i +
/// 1 what operation i makes. Shapes are per sample.
struct BlockOp {
  OpKind kind = OpKind::Relu;
  int input = 0;
  int other = 0;            ///< Sum: the second addend
  Shape from;               ///< shape of `input`
  Shape to;                 ///< shape of what it makes
  std::int64_t kernel = 1;  ///< convolutions: square, padded by half of it, no bias
  std::int64_t stride = 1;
  bool in_place = false;  ///< ReLU and sum: what it makes lies where `input` lay
  bool operator==(const BlockOp&) const = default;
};

}  // namespace lanelab
