// SPDX-License-Identifier: GPL-3.0-only
// Batch norm with its ReLU, forward and backward, fused and by PyTorch's operators, over the shapes of ResNet-50.
#include <ATen/Parallel.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "engine/torch/nn/norm_layer.h"
#include "tests/bench/benches.h"

namespace lanelab::bench {
namespace {

constexpr int kNormRounds = 9;
/// How often a fused norm and its ReLU read or write an activation: statistics and normalise; sums and gradient.
constexpr double kForwardPasses = 3, kBackwardPasses = 5;

struct NormImages {
  std::int64_t channels, side;  ///< of images of 64 px
};
constexpr NormImages kShapes[] = {{64, 32}, {64, 16},  {256, 16}, {128, 8}, {512, 8},
                                  {256, 4}, {1024, 4}, {512, 2},  {2048, 2}};

NormLayer layerOf(std::int64_t channels, bool fused) {
  NormLayer layer{channels,
                  at::ones({channels}).requires_grad_(),
                  at::zeros({channels}).requires_grad_(),
                  at::zeros({channels}),
                  at::ones({channels}),
                  at::zeros({}, at::kLong)};
  layer.fused = fused;
  return layer;
}

struct NormTimes {
  double forward = 1e9, backward = 1e9;  ///< seconds
};

void timeOnce(NormLayer& layer, const at::Tensor& x, const at::Tensor& gradient, NormTimes& fastest) {
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto seconds = [](auto from, auto to) { return std::chrono::duration<double>(to - from).count(); };
  const at::Tensor input = x.detach().requires_grad_();
  const auto begin = now();
  const at::Tensor y = layer.forwardActivated(input, true, NormActivation::Relu).value;
  const auto between = now();
  y.backward(gradient);
  fastest.forward = std::min(fastest.forward, seconds(begin, between));
  fastest.backward = std::min(fastest.backward, seconds(between, now()));
}

}  // namespace

nlohmann::json benchNorms(int batch, int threads, bool print) {
  const int before = at::get_num_threads();
  at::set_num_threads(threads);
  nlohmann::json rows = nlohmann::json::array();
  if (print)
    std::printf("Batch norm and ReLU, batch %d, %d thread(s), fastest of %d\n%-20s %12s %12s %10s %12s %12s %10s\n",
                batch, threads, kNormRounds, "shape", "fused ms", "GB/s", "x ATen", "back ms", "GB/s", "x ATen");
  for (const NormImages& s : kShapes) {
    const at::Tensor x = at::randn({batch, s.channels, s.side, s.side}).contiguous(at::MemoryFormat::ChannelsLast);
    const at::Tensor gradient = at::randn(x.sizes()).contiguous(at::MemoryFormat::ChannelsLast);
    NormLayer fused = layerOf(s.channels, true), aten = layerOf(s.channels, false);
    NormTimes of_fused, of_aten;
    for (int round = 0; round < kNormRounds; ++round) {
      timeOnce(fused, x, gradient, of_fused);
      timeOnce(aten, x, gradient, of_aten);
    }
    const double gigabytes = static_cast<double>(x.numel()) * 4e-9;
    rows.push_back({{"channels", s.channels},
                    {"side", s.side},
                    {"forward", of_fused.forward},
                    {"backward", of_fused.backward},
                    {"aten_forward", of_aten.forward},
                    {"aten_backward", of_aten.backward}});
    if (print)
      std::printf("%5lld x %3lld x %3lld %15.3f %12.1f %10.2f %12.3f %12.1f %10.2f\n",
                  static_cast<long long>(s.channels), static_cast<long long>(s.side), static_cast<long long>(s.side),
                  of_fused.forward * 1e3, kForwardPasses * gigabytes / of_fused.forward,
                  of_aten.forward / of_fused.forward, of_fused.backward * 1e3,
                  kBackwardPasses * gigabytes / of_fused.backward, of_aten.backward / of_fused.backward);
  }
  at::set_num_threads(before);
  return rows;
}

}  // namespace lanelab::bench
