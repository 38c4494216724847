// Layers as plain tensors: what a block is made of. Each declares its slots and computes with ATen.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "engine/torch/network_block.h"

namespace lanelab {

/// Conv2d without bias, padding kernel/2 ("same" at stride 1), as all of ResNet's.
struct ConvLayer {
  std::int64_t in, out, kernel, stride;
  at::Tensor weight;

  std::vector<TensorSlot> slots(const std::string& name);
  at::Tensor forward(const at::Tensor& x) const;
};

/// BatchNorm2d with eps 1e-5 and momentum 0.1: normalises a micro-batch by its own statistics in training.
struct NormLayer {
  std::int64_t channels;
  at::Tensor weight, bias, mean, var, count;

  std::vector<TensorSlot> slots(const std::string& name);
  at::Tensor forward(const at::Tensor& x, bool training);
};

struct LinearLayer {
  std::int64_t in, out;
  at::Tensor weight, bias;

  std::vector<TensorSlot> slots(const std::string& name);
  at::Tensor forward(const at::Tensor& x) const;
};

}  // namespace lanelab
