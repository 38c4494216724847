#include "engine/torch/layers.h"

#include <ATen/ops/batch_norm.h>

#include "engine/torch/weighted_functions.h"

namespace lanelab {

std::vector<TensorSlot> ConvLayer::slots(const std::string& name) {
  return {{name + ".weight", SlotRole::ConvWeight, {out, in, kernel, kernel}, &weight}};
}

at::Tensor ConvLayer::forward(const at::Tensor& x) const {
  return convolution(x, weight, stride, chooseProducts(x, weight, stride));
}

std::vector<TensorSlot> NormLayer::slots(const std::string& name) {
  return {{name + ".weight", SlotRole::NormWeight, {channels}, &weight},
          {name + ".bias", SlotRole::NormBias, {channels}, &bias},
          {name + ".running_mean", SlotRole::NormMean, {channels}, &mean},
          {name + ".running_var", SlotRole::NormVar, {channels}, &var},
          {name + ".num_batches_tracked", SlotRole::NormCount, {}, &count}};
}

at::Tensor NormLayer::forward(const at::Tensor& x, bool training) {
  if (training) {
    count.add_(1);
  }
  // No cuDNN: its channels_last kernel is a persistent one that stalls when lanes share the multiprocessors (pytorch#80259).
  return at::batch_norm(x, weight, bias, mean, var, training, 0.1, 1e-5, /*cudnn_enabled=*/false);
}

std::vector<TensorSlot> LinearLayer::slots(const std::string& name) {
  return {{name + ".weight", SlotRole::LinearWeight, {out, in}, &weight}, {name + ".bias", SlotRole::LinearBias, {out}, &bias}};
}

at::Tensor LinearLayer::forward(const at::Tensor& x) const { return linear(x, weight, bias); }

}  // namespace lanelab
