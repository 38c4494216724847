// SPDX-License-Identifier: GPL-3.0-only
// What a convolution's parts copy beside their results, as PyTorch 2.11 with oneDNN 3.10 does on a CPU
// (ATen/native/mkldnn/Conv.cpp), or the lanes' own products (engine/torch/nn/product_conv.h).
#pragma once

#include <cstdint>

#include "engine/memory/stage_memory.h"
#include "engine/model/conv_products.h"

namespace lanelab {

/// A convolution that products could do, on a lane. Bytes.
class ConvolutionMemory {
 public:
  /// `threads`: of the lane; 0 for a lane that is not a CPU.
  ConvolutionMemory(const ConvGeometry& conv, const TrainingMemory& training, int threads);

  struct Passing {
    std::int64_t before = 0;  ///< while the result is not there yet
    std::int64_t beside = 0;  ///< beside the result
  };
  Passing forward() const;
  Passing inputGradient() const;

  struct WeightPart {
    std::int64_t passing = 0;   ///< beside the gradient, before it lands
    bool added_within = false;  ///< to what is there: no gradient of its own is made
  };
  /// `first`: no gradient of the weight is there yet.
  WeightPart weightGradient(bool first) const;

 private:
  enum class Way : unsigned char { Plain, Product, Columns, OneDnnLast, OneDnnFirst };
  Way wayOf(bool ProductChoice::*part) const;
  std::int64_t productCopies() const;
  bool isSmallForOneDnn() const;

  ConvGeometry m_conv;
  const TrainingMemory& m_training;
  int m_threads;
  std::int64_t m_x, m_y, m_w;  ///< input, result, weight
  std::int64_t m_windows = 0;  ///< of a product or columns: all windows of the input
};

}  // namespace lanelab
