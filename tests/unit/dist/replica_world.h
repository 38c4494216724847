// SPDX-License-Identifier: GPL-3.0-only
// Replicas as threads of one process, each with a small network of its own.
#pragma once

#include <ATen/TensorOperators.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "engine/dist/run_peers.h"

namespace lanelab {

/// Parameters and buffers by name, with a forward pass.
struct SmallNet {
  std::vector<std::string> names;
  std::vector<at::Tensor> parameters, buffers;

  at::Tensor parameter(const std::string& name, at::Tensor value) {
    names.push_back(name);
    parameters.push_back(value.requires_grad_());
    return value;
  }
  virtual ~SmallNet() = default;
  virtual at::Tensor forward(const at::Tensor& x) = 0;

  ReplicaMember member(const std::string& group, int replica, int replicas) const {
    return {group, replica, replicas, names, parameters, buffers};
  }
};

/// Wide enough for several buckets: 3.1 MB.
struct Mlp final : SmallNet {
  explicit Mlp(double scale) {
    for (const auto& [in, out] : {std::pair{20, 600}, {600, 1200}, {1200, 10}}) {
      const std::string name = "layer" + std::to_string(layers.size());
      layers.push_back({parameter(name + ".weight", at::randn({out, in}) * scale),
                        parameter(name + ".bias", at::randn({out}) * scale)});
    }
  }
  at::Tensor forward(const at::Tensor& x) override {
    at::Tensor y = x;
    for (const auto& [weight, bias] : layers) y = at::linear(y.relu(), weight, bias);
    return y;
  }
  std::vector<std::pair<at::Tensor, at::Tensor>> layers;
};

/// Convolution, batch norm, linear.
struct ConvNet final : SmallNet {
  explicit ConvNet(double scale) {
    conv = parameter("conv.weight", at::randn({8, 3, 3, 3}) * scale);
    weight = parameter("bn.weight", at::ones({8}));
    bias = parameter("bn.bias", at::zeros({8}));
    fc = parameter("fc.weight", at::randn({10, 8}) * scale);
    fc_bias = parameter("fc.bias", at::zeros({10}));
    mean = at::zeros({8}) + scale;
    var = at::ones({8}) * scale;
    count = at::zeros({}, at::kLong);
    buffers = {mean, var, count};
  }
  at::Tensor forward(const at::Tensor& x) override {
    const at::Tensor y =
        at::batch_norm(at::conv2d(x, conv, {}, 1, 1), weight, bias, mean, var, /*training=*/true, 0.1, 1e-5, false)
            .relu();
    count.add_(1);
    return at::linear(at::adaptive_avg_pool2d(y, {1, 1}).flatten(1), fc, fc_bias);
  }
  at::Tensor conv, weight, bias, fc, fc_bias, mean, var, count;
};

struct Sample {
  at::Tensor inputs, targets;
};

inline at::Tensor lossOf(SmallNet& net, const Sample& sample) {
  return at::cross_entropy_loss(net.forward(sample.inputs), sample.targets);
}

/// Runs `work` for each replica on a thread of its own. All must end within a minute; the first exception is thrown
/// again.
template <class Work>
void onReplicas(int replicas, const Work& work) {
  std::vector<std::future<void>> all;
  for (int replica = 0; replica < replicas; ++replica)
    all.push_back(std::async(std::launch::async, [&work, replica] { work(replica); }));
  for (auto& one : all) ASSERT_EQ(one.wait_for(std::chrono::minutes(1)), std::future_status::ready);
  for (auto& one : all) one.get();
}

}  // namespace lanelab
