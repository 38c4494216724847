// SPDX-License-Identifier: GPL-3.0-only
// The three parts of each of ResNet-50's convolutions, by PyTorch's operator and as matrix products.
#include <ATen/Parallel.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/convolution_backward.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros_like.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "engine/torch/nn/product_conv.h"
#include "tests/bench/benches.h"

namespace lanelab::bench {
namespace {

constexpr int kConvRounds = 7;

/// By the layers of torchvision's resnet50: the first block of each has its own shapes.
std::vector<ConvGeometry> geometries(std::int64_t n, std::int64_t image) {
  std::vector<ConvGeometry> all;
  std::int64_t in = 64, side = image / 4;
  for (std::int64_t width = 64; width <= 512; width *= 2) {
    const std::int64_t out = 4 * width, stride = width == 64 ? 1 : 2, small = side / stride;
    all.push_back({n, in, side, side, width, 1, 1});
    all.push_back({n, width, side, side, width, 3, stride});
    all.push_back({n, in, side, side, out, 1, stride});
    all.push_back({n, width, small, small, out, 1, 1});
    all.push_back({n, out, small, small, width, 1, 1});
    if (stride > 1) all.push_back({n, width, small, small, width, 3, 1});
    in = out;
    side = small;
  }
  return all;
}

/// Seconds of processor time of the fastest round, of this thread: other work does not count. With several threads the
/// clock on the wall.
template <class Work>
double fastestOf(const Work& work) {
  const clockid_t clock = at::get_num_threads() == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
  const auto now = [&] {
    timespec t{};
    ::clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  double fastest = 1e9;
  for (int round = 0; round < kConvRounds; ++round) {
    const double begin = now();
    work();
    fastest = std::min(fastest, now() - begin);
  }
  return fastest;
}

/// Forward, input gradient, weight gradient.
using Parts = std::array<double, 3>;

struct ConvTimes {
  Parts aten, products;
};

ConvTimes timesOf(const ConvGeometry& g) {
  constexpr auto kFormat = at::MemoryFormat::ChannelsLast;
  const at::Tensor x = at::randn({g.n, g.in, g.height, g.width}).contiguous(kFormat),
                   w = at::randn({g.out, g.in, g.kernel, g.kernel}).contiguous(kFormat),
                   gradient = at::randn({g.n, g.out, g.outHeight(), g.outWidth()}).contiguous(kFormat);
  at::Tensor sum = at::zeros_like(w);
  const std::int64_t pad = g.pad();
  const auto backward = [&](bool of_input, bool of_weight) {
    return at::convolution_backward(gradient, x, w, at::OptionalIntArrayRef(), {g.stride, g.stride}, {pad, pad}, {1, 1},
                                    false, {0, 0}, 1, {of_input, of_weight, false});
  };
  return {
      {fastestOf([&] {
         at::convolution(x, w, {}, {g.stride, g.stride}, {pad, pad}, {1, 1}, false, {0, 0}, 1);
       }),
       fastestOf([&] { backward(true, false); }), fastestOf([&] { sum.add_(std::get<1>(backward(false, true))); })},
      {fastestOf([&] { forwardProduct(x, w, g.stride); }), fastestOf([&] { inputProduct(gradient, x, w, g.stride); }),
       fastestOf([&] { addWeightProduct(sum, gradient, x, w, g.stride); })}};
}

}  // namespace

nlohmann::json benchConvolutions(int image, int batch, int threads, bool print) {
  const at::InferenceMode no_graph;
  const int before = at::get_num_threads();
  at::set_num_threads(threads);
  nlohmann::json rows = nlohmann::json::array();
  if (print)
    std::printf(
        "ResNet-50, %d px, batch %d, %d thread(s); ms by PyTorch's operator / as product, * is chosen\n"
        "%-34s %20s %20s %20s\n",
        image, batch, threads, "", "forward", "input gradient", "weight gradient");
  for (const ConvGeometry& g : geometries(batch, image)) {
    const ConvTimes times = timesOf(g);
    const ProductChoice choice = chooseProducts(g, widestSimd());
    const std::array<bool, 3> chosen = {choice.forward, choice.input_gradient, choice.weight_gradient};
    rows.push_back({{"in", g.in},
                    {"out", g.out},
                    {"kernel", g.kernel},
                    {"stride", g.stride},
                    {"side", g.height},
                    {"pixels", g.pixels()},
                    {"aten", times.aten},
                    {"products", times.products}});
    if (!print) continue;
    std::printf("%4lld->%4lld %lldx%lld /%lld, %6lld pixels", static_cast<long long>(g.in),
                static_cast<long long>(g.out), static_cast<long long>(g.kernel), static_cast<long long>(g.kernel),
                static_cast<long long>(g.stride), static_cast<long long>(g.pixels()));
    for (std::size_t i = 0; i < 3; ++i)
      std::printf("  %8.2f%c/%8.2f%c", times.aten[i] * 1e3, chosen[i] ? ' ' : '*', times.products[i] * 1e3,
                  chosen[i] ? '*' : ' ');
    std::printf("\n");
  }
  at::set_num_threads(before);
  return rows;
}

}  // namespace lanelab::bench
